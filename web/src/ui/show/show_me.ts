// "Show me": does what a scene suggests to try, once, and tells what is seen.
import type { CommandName } from '../../gen/commands';
import type { DemonstrationStep } from '../../gen/promenade/v1/demonstration_pb';
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import { Demonstration } from '../../state/show/demonstration';
import {
  greatest_role,
  type NeededRole,
  role_for_anybody,
  rules_of,
  wire_name,
} from '../../state/room/command_rules';
import { Leftover } from '../../state/hand/leftover';
import { Signal } from '../../state/values/signal';
import { calm_s } from '../../state/show/subjects';
import type { CommandKind } from '../room/actions';
import { apply_rights, type Context, needs } from '../page/context';
import { DemonstrationHands } from './demonstration_hands';
import { h, write } from '../parts/dom';
import { kModifiers } from '../keys/keyboard';

interface Show {
  readonly demonstration: Demonstration;
  readonly hands: DemonstrationHands;
}

const kGone =
  'The character or thing for this is not here any more. Load the scene again to see it.';

/** The commands by which a step is done and taken back, without those about the clock: others see the step without them. */
function commands_of({ act }: DemonstrationStep): readonly CommandName[] {
  switch (act.case) {
    case 'command': {
      const { case: kind } = act.value.kind;
      const command = kind && wire_name(kind);
      return command && !rules_of(command).clock ? [command] : [];
    }
    case 'shove':
      return ['push'];
    case 'throw':
      return ['spawn_thing', 'remove'];
    case 'pull':
      return ['drag'];
    case 'again':
    case undefined:
      return [];
  }
}

/** The least role that may do all of the steps, whomever they are about. */
export function role_for(steps: readonly DemonstrationStep[]): NeededRole {
  const commands = steps.flatMap(commands_of);
  return greatest_role(commands.map((command) => role_for_anybody(command)));
}

/** Whether a key lets the room's clock go on. */
function resumes({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'p' && !altKey && !ctrlKey && !metaKey;
}

function still_words(may_resume: boolean): string {
  return may_resume
    ? 'The clock stands still: P lets it go on.'
    : 'The clock stands still for now.';
}

/** The panel at the lower edge while something is shown: the sentence of its step, how far it is, and “Stop”. */
class ShowPanel {
  readonly element: HTMLElement;
  private readonly said_ = h('p', {
    class: 'show-said',
    attributes: { role: 'status', 'data-test': 'show' },
  });
  private readonly speed_ = h('span', { class: 'show-speed' });
  private readonly bar_ = h('i', {});

  constructor(stop: () => void) {
    this.element = h(
      'section',
      { class: 'show panel', attributes: { 'aria-label': 'Show me' } },
      this.said_,
      h(
        'div',
        { class: 'show-row' },
        h('div', { class: 'show-progress', attributes: { 'aria-hidden': 'true' } }, this.bar_),
        this.speed_,
        h('button', {
          text: 'Stop',
          title: 'Everything is as it was before (Esc)',
          attributes: { 'data-test': 'show-stop' },
          on: { click: stop },
        }),
      ),
    );
    this.element.hidden = true;
  }

  set_shown(on: boolean): void {
    this.element.hidden = !on;
    document.documentElement.classList.toggle('showing', on);
  }

  /** @param speed of what is shown, in words @param progress 0 to 1 */
  tell(said: string, speed: string, progress: number): void {
    write(this.said_, said);
    write(this.speed_, speed);
    this.bar_.style.width = `${(100 * progress).toFixed(0)}%`;
  }
}

/** Show me: begins the scene's demonstration by a button, shows it step by step, and gives everything back at its end. */
export class ShowMe {
  readonly running = new Signal(false);
  private readonly panel_ = new ShowPanel(() => this.end(false));
  private readonly leftover_ = new Leftover<CommandKind>();
  private show_: Show | undefined;
  private sentence_ = '';
  private back_: HTMLElement | undefined; // has the focus again afterwards

  constructor(
    private readonly context_: Context,
    private readonly viewport_: Viewport,
    private readonly api_: Api,
  ) {
    this.end_when_interrupted();
    this.end_with_the_room();
  }

  /** The panel with the sentence of the step that is shown; it is hidden while nothing is. */
  get element(): HTMLElement {
    return this.panel_.element;
  }

  /** Whether the scene has one, and this visitor may begin it. */
  may(): boolean {
    return this.steps.length > 0 && this.context_.world.may(role_for(this.steps));
  }

  /** A button that begins it; undefined where the scene has none. */
  button(): HTMLButtonElement | undefined {
    if (this.steps.length === 0) return undefined;
    const made = h('button', {
      class: 'show-me',
      text: '▶ Show me',
      title: this.context_.world.scene.value?.scene?.hint ?? '',
      attributes: { 'aria-label': 'Show me', 'data-test': 'show-me' },
      on: { click: (event) => this.begin(event) },
    });
    needs(role_for(this.steps), made);
    return made;
  }

  /** The hint with the button beside it. */
  beside(hint: HTMLElement): HTMLElement {
    const { world } = this.context_;
    const row = h('div', { class: 'hints' });
    world.scene.watch(() => {
      const made = this.button();
      row.replaceChildren(hint, ...(made ? [made] : []));
      apply_rights(row, world);
    });
    return row;
  }

  /** To be called after every picture. */
  draw(): void {
    const { world } = this.context_;
    const scene = world.scene.value?.scene;
    if (!this.show_ || !scene) return;
    const { demonstration, hands } = this.show_;
    const room_s = world.scene_time_s(world.frame.value?.tick ?? 0);
    hands.update(room_s);
    demonstration.advance({
      wall_s: performance.now() / 1000,
      room_s,
      shown_ms: world.shown_ms,
      calm_s: calm_s(scene, room_s),
    });
    if (demonstration.ending) return this.finish(demonstration.ending);
    const said = this.stands_still ? still_words(world.can_administer) : this.sentence_;
    const { value: speed } = world.lookback.speed;
    const slow = demonstration.in_past ? `looking back, ${speed}× speed` : '';
    this.panel_.tell(said, slow, demonstration.progress);
  }

  private get steps(): readonly DemonstrationStep[] {
    return this.context_.world.scene.value?.scene?.demonstration ?? [];
  }

  /** Which loading of a scene in which room is shown: what is left over from one is not for another. */
  private get epoch(): string {
    const { hello, scene } = this.context_.world;
    return `${hello.value?.room} ${scene.value?.epoch}`;
  }

  /** Whether somebody else has stopped the clock meanwhile. The past is shown by a clock of its own. */
  private get stands_still(): boolean {
    const paused = this.context_.world.frame.value?.paused === true;
    return paused && this.show_?.demonstration.in_past === false;
  }

  private begin({ detail, currentTarget }: MouseEvent): void {
    const { toasts, world } = this.context_;
    this.end(false);
    if (world.frame.value?.paused) {
      toasts.show('The clock stands still. Let it go on first (P), then this can be shown.');
      return;
    }
    world.lookback.live();
    const hands = new DemonstrationHands(this.context_, this.viewport_, (text) => this.tell(text));
    this.sentence_ = '';
    this.show_ = { hands, demonstration: new Demonstration(this.steps, hands) };
    this.panel_.set_shown(true);
    this.running.set(true);
    // With a mouse the keys then go to the picture, as after any click on it.
    this.back_ = detail === 0 && currentTarget instanceof HTMLElement ? currentTarget : undefined;
    this.viewport_.stage.renderer.domElement.focus({ preventScroll: true });
  }

  /** Takes the sentence of a step, with figures of now: filled once, as a screen reader would read every new figure. */
  private tell(text: string): void {
    const factor = this.context_.world.frame.value?.real_time_factor ?? 1;
    this.sentence_ = text.replace('{real_time}', factor.toFixed(1));
  }

  /**
   * Ends what is shown, and gives the page back, and the room as far as it can be reached.
   * @param keep_view where the viewer has taken the camera meanwhile
   * @param send takes what gives the room back what is its own
   */
  private end(
    keep_view: boolean,
    send = (kind: CommandKind): void => void this.context_.actions.ask(kind),
  ): void {
    const ended = this.show_;
    if (!ended) return;
    this.show_ = undefined;
    this.panel_.set_shown(false);
    const room = ended.hands.give_back(keep_view);
    if (this.context_.world.status.value.kind === 'online') room.forEach((kind) => send(kind));
    else this.leftover_.keep(this.epoch, room);
    this.running.set(false);
    if (this.back_?.isConnected) this.back_.focus({ preventScroll: true });
  }

  private finish(how: 'done' | 'gone'): void {
    this.end(false);
    if (how === 'gone') this.context_.toasts.show(kGone);
  }

  /** A visitor who does anything else has seen enough, or wants to go on from here. */
  private end_when_interrupted(): void {
    const touch = (event: Event) => {
      const canvas = this.viewport_.stage.renderer.domElement;
      if (this.heeds(event)) this.end(event.target === canvas);
    };
    window.addEventListener('pointerdown', touch, { capture: true });
    window.addEventListener('wheel', touch, { capture: true, passive: true });
    window.addEventListener('keydown', (event) => this.key(event), { capture: true });
  }

  private heeds(event: Event): boolean {
    return (
      this.show_ !== undefined &&
      event.isTrusted &&
      !(event.target instanceof Element && event.target.closest('.show, .show-me'))
    );
  }

  private key(event: KeyboardEvent): void {
    if (!this.show_ || kModifiers.has(event.key) || !event.isTrusted) return;
    if (event.key === 'Escape') {
      this.end(false);
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (this.heeds(event) && !(this.stands_still && resumes(event))) this.end(false);
  }

  /** Another scene ends what is shown, as does the end of the connection or of the page. */
  private end_with_the_room(): void {
    const { client, world } = this.context_;
    world.scene.watch(() => {
      this.end(false);
      // Not by `actions`, which hold back what goes by the picture: the visitor may look back meanwhile.
      for (const kind of this.leftover_.take(this.epoch)) void client.command({ kind });
    });
    window.addEventListener('pagehide', () =>
      this.end(false, (kind) => this.api_.part_with({ kind })),
    );
    world.status.watch(({ kind }) => kind !== 'online' && this.end(false));
  }
}
