// "Show me": does what a scene suggests to try, once, and tells what is seen.
import type { DemonstrationStep } from '../../gen/promenade/v1/demonstration_pb';
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import { Demonstration } from '../../state/show/demonstration';
import { Leftover } from '../../state/hand/leftover';
import { Signal } from '../../state/values/signal';
import { calm_s } from '../../state/show/subjects';
import type { CommandKind } from '../room/actions';
import { apply_rights, type Context, holds, needs } from '../page/context';
import { DemonstrationHands } from './demonstration_hands';
import { h, write } from '../parts/dom';
import { kModifiers } from '../keys/keyboard';

export interface ShowMe {
  /** The sentence of the step that is shown; hidden while nothing is. */
  readonly element: HTMLElement;
  readonly running: Signal<boolean>;
  /** Whether the scene has one, and this visitor may begin it. */
  may(): boolean;
  /** A button that begins it; undefined where the scene has none. */
  button(): HTMLButtonElement | undefined;
  /** The hint with the button beside it. */
  beside(hint: HTMLElement): HTMLElement;
  /** Ends it and gives everything back. @return whether there was one */
  stop(): boolean;
  /** To be called after every picture. */
  draw(): void;
}

interface Show {
  readonly demonstration: Demonstration;
  readonly hands: DemonstrationHands;
}

const kGone = 'Who is needed for this is not here any more. Load the scene again to see it.';

/** The least role that may do all of the steps. */
export function role_for(steps: readonly DemonstrationStep[]): 'player' | 'operator' | 'admin' {
  const acts = steps.map(({ act }) => act.case);
  if (acts.includes('throw')) return 'admin'; // who puts something there has to be able to take it away
  return acts.includes('command') || acts.includes('pull') ? 'operator' : 'player';
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

export function show_me(context: Context, viewport: Viewport, api: Api): ShowMe {
  const { actions, client, toasts, world } = context;
  const running = new Signal(false);
  let show: Show | undefined;
  let sentence = '';
  let back: HTMLElement | undefined; // has the focus again afterwards
  const said = h('p', { class: 'show-said', attributes: { role: 'status', 'data-test': 'show' } });
  const speed = h('span', { class: 'show-speed' });
  const bar = h('i', {});
  const element = h(
    'section',
    { class: 'show panel', attributes: { 'aria-label': 'Show me' } },
    said,
    h(
      'div',
      { class: 'show-row' },
      h('div', { class: 'show-progress', attributes: { 'aria-hidden': 'true' } }, bar),
      speed,
      h('button', {
        text: 'Stop',
        title: 'Everything is as it was before (Esc)',
        attributes: { 'data-test': 'show-stop' },
        on: { click: () => stop() },
      }),
    ),
  );
  element.hidden = true;

  const steps = () => world.scene.value?.scene?.demonstration ?? [];
  const leftover = new Leftover<CommandKind>();
  const epoch = () => `${world.hello.value?.room} ${world.scene.value?.epoch}`;
  const send_back = (kind: CommandKind): void => void actions.ask(kind);
  const end = (keep_view: boolean, send = send_back) => {
    const ended = show;
    if (!ended) return false;
    show = undefined;
    element.hidden = true;
    document.documentElement.classList.remove('showing');
    const room = ended.hands.give_back(keep_view);
    if (world.status.value.kind === 'online') room.forEach(send);
    else leftover.keep(epoch(), room);
    running.set(false);
    if (back?.isConnected) back.focus({ preventScroll: true });
    return true;
  };
  const stop = () => end(false);
  const begin = ({ detail, currentTarget }: MouseEvent) => {
    stop();
    if (world.frame.value?.paused) {
      toasts.show('The clock stands still. Let it go on first (P), then this can be shown.');
      return;
    }
    world.lookback.live();
    // Filled once: a screen reader would read every new figure.
    const hands = new DemonstrationHands(context, viewport, (text) => (sentence = filled(text)));
    sentence = '';
    show = { hands, demonstration: new Demonstration(steps(), hands) };
    element.hidden = false;
    document.documentElement.classList.add('showing');
    running.set(true);
    // With a mouse the keys then go to the picture, as after any click on it.
    back = detail === 0 && currentTarget instanceof HTMLElement ? currentTarget : undefined;
    viewport.stage.renderer.domElement.focus({ preventScroll: true });
  };

  const scene_time_s = () => world.scene_time_s(world.frame.value?.tick ?? 0);
  const finish = (how: 'done' | 'gone') => {
    end(false);
    if (how === 'gone') toasts.show(kGone);
  };

  // Somebody else may stop the clock meanwhile. The past is shown by a clock of its own.
  const stands_still = () =>
    world.frame.value?.paused === true && show?.demonstration.in_past === false;
  // Whoever does anything else has seen enough, or wants to go on from here.
  const heeds = (event: Event) =>
    show !== undefined &&
    event.isTrusted &&
    !(event.target instanceof Element && event.target.closest('.show, .show-me'));
  const touch = (event: Event) => {
    if (heeds(event)) end(event.target === viewport.stage.renderer.domElement);
  };
  const key = (event: KeyboardEvent) => {
    if (!show || kModifiers.has(event.key) || !event.isTrusted) return;
    if (event.key === 'Escape') {
      stop();
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (heeds(event) && !(stands_still() && resumes(event))) end(false);
  };
  window.addEventListener('pointerdown', touch, { capture: true });
  window.addEventListener('wheel', touch, { capture: true, passive: true });
  window.addEventListener('keydown', key, { capture: true });
  world.scene.watch(() => {
    end(false);
    // Not by `actions`, which hold back what goes by the picture: the visitor may look back meanwhile.
    for (const kind of leftover.take(epoch())) void client.command({ kind });
  });
  window.addEventListener('pagehide', () => end(false, (kind) => api.part_with({ kind })));
  world.status.watch(({ kind }) => kind !== 'online' && end(false));

  const button = () => {
    if (steps().length === 0) return undefined;
    const title = world.scene.value?.scene?.hint ?? '';
    const made = h('button', {
      class: 'show-me',
      text: '▶ Show me',
      title,
      attributes: { 'aria-label': 'Show me', 'data-test': 'show-me' },
      on: { click: begin },
    });
    needs(role_for(steps()), made);
    return made;
  };

  return {
    element,
    running,
    stop,
    may: () => steps().length > 0 && holds(role_for(steps()), world),
    button,
    beside(hint) {
      const row = h('div', { class: 'hints' });
      world.scene.watch(() => {
        const made = button();
        row.replaceChildren(hint, ...(made ? [made] : []));
        apply_rights(row, world);
      });
      return row;
    },
    draw() {
      const scene = world.scene.value?.scene;
      if (!show || !scene) return;
      const { demonstration, hands } = show;
      const room_s = scene_time_s();
      hands.update(room_s);
      demonstration.advance({
        wall_s: performance.now() / 1000,
        room_s,
        shown_ms: world.shown_ms,
        calm_s: calm_s(scene, room_s),
      });
      if (demonstration.ending) return finish(demonstration.ending);
      write(said, stands_still() ? still_words(world.can_administer) : sentence);
      const slow = demonstration.in_past
        ? `looking back, ${world.lookback.speed.value}× speed`
        : '';
      write(speed, slow);
      bar.style.width = `${(100 * demonstration.progress).toFixed(0)}%`;
    },
  };

  /** Puts figures of now into a sentence, as its step begins. */
  function filled(text: string): string {
    return text.replace('{real_time}', (world.frame.value?.real_time_factor ?? 1).toFixed(1));
  }
}
