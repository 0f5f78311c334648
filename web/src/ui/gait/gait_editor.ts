// What a wind-up toy plays, and what this viewer can do about it: wind it up, stop it, have it leap, mix its gaits.
import type { Creature } from '../../gen/promenade/v1/creature_pb';
import type { Gait } from '../../gen/promenade/v1/gait_pb';
import type { CatalogueEntry, CharacterDetails } from '../../gen/promenade/v1/wire_pb';
import { Pace } from '../../state/gait/pace';
import type { Member } from '../../state/room/roster';
import {
  carried,
  mixes_mirrored,
  mixture,
  type Shares,
  with_variant,
} from '../../state/gait/gait_mix';
import type { LiveDocument } from '../editor/live_document';
import type { Context } from '../page/context';
import { h, throttled, write } from '../parts/dom';
import { explain } from '../room/actions';
import { FeedbackSwitch } from './feedback_switch';
import { GaitMix } from './gait_mix';
import { LeapSize } from './leap_size';

const kSendEvery_ms = 100;
const kUsualSpeed_mps = 0.3; // of a gait that no search has measured; the toy goes as fast as it goes

/** A gait of the catalogue as a document; undefined: it could not be fetched, which has been told. */
export type FetchGait = (name: string) => Promise<Gait | undefined>;

export class GaitEditor {
  readonly element: HTMLElement;
  private readonly now_ = h('p', { class: 'gait-now', attributes: { 'data-test': 'gait-now' } });
  private readonly wind_ = h('button', {
    text: 'Wind up',
    attributes: { type: 'button', 'data-test': 'gait-wind' },
    on: { click: () => this.wind() },
  });
  private readonly leap_ = h('button', {
    text: 'Leap',
    title: 'After this stride it goes once through the poses of its leap',
    attributes: { type: 'button', 'data-test': 'gait-leap' },
    on: { click: () => this.leap() },
  });
  private readonly variations_ = h('button', {
    text: 'Variations …',
    title: 'Nine gaits about this one, in small moving pictures, with a slider for each',
    attributes: { type: 'button', 'data-test': 'open-variations' },
    on: { click: () => this.open_variations_() },
  });
  private readonly leap_size_ = new LeapSize();
  private readonly feedback_ = new FeedbackSwitch();
  private readonly problem_ = h('p', { class: 'bar-note', attributes: { role: 'alert' } });
  /** The mix of the first selected character. */
  readonly mix: GaitMix;
  private readonly send_: (character: number, weights: Shares) => void;
  private readonly pace_ = new Pace();
  private plays_ = false;

  constructor(
    private readonly context_: Context,
    private readonly current_: () => LiveDocument<Gait> | undefined,
    private readonly member_: () => Member | undefined,
    private readonly fetch_: FetchGait,
    private readonly open_variations_: () => void,
  ) {
    this.send_ = throttled(kSendEvery_ms, (character: number, weights: Shares) => {
      void this.tell({ character, weights: [...weights] });
    });
    this.mix = new GaitMix({
      mix: (shares) => {
        const id = this.member_()?.id;
        if (id !== undefined) this.send_(id, shares);
      },
      leave: () => this.leave(),
      add: (name) => void this.add(name),
      change: (gait) => this.current_()?.edit(gait),
    });
    this.feedback_.on_switch = (on) => this.switch_feedback(on);
    this.problem_.hidden = true;
    this.element = h(
      'div',
      { class: 'gait-editor' },
      this.now_,
      h('div', { class: 'buttons gait-buttons' }, this.wind_, this.leap_, this.variations_),
      this.leap_size_.element,
      this.feedback_.element,
      this.mix.element,
      this.problem_,
    );
  }

  /** @param enabled whether this viewer may change anything */
  refresh(enabled: boolean): void {
    const current = this.current_();
    const gait = current?.doc;
    const member = this.member_();
    for (const one of [this.leap_size_, this.feedback_, this.mix]) one.element.hidden = !gait;
    for (const button of [this.wind_, this.leap_]) button.disabled = !enabled;
    if (!gait || !member) return;
    this.leap_.hidden = gait.chain.length === 0;
    this.leap_size_.refresh(gait, enabled);
    this.feedback_.refresh(gait, enabled);
    this.refresh_mix(gait, member, enabled);
    const problem = current.problem.value;
    this.show_problem(problem && `${problem.field ? `${problem.field}: ` : ''}${problem.text}`);
    this.tell_now(true);
  }

  /** The gait of the first selected character; undefined until the server has sent it. */
  get gait(): Gait | undefined {
    return this.current_()?.doc;
  }

  /** Gives the character another gait; shares of variants that stay are kept. */
  change(gait: Gait): void {
    const member = this.member_();
    this.current_()?.edit(gait);
    if (member) this.refresh_mix(gait, member, true); // at once: shares are asked for next
  }

  private refresh_mix(gait: Gait, { skeleton }: Member, enabled: boolean): void {
    this.mix.refresh({ gait, creature: skeleton.name, catalogue: this.catalogue }, enabled);
  }

  /**
   * Shows how it moves; undefined: that is not known.
   * @param time_s of the server
   */
  show(details: CharacterDetails | undefined, time_s: number): void {
    this.plays_ = details?.state === 'walking';
    if (details) this.pace_.add(details, time_s);
    this.tell_now(details !== undefined);
    write(this.wind_, this.plays_ ? 'Stop' : 'Wind up');
    this.wind_.title = this.plays_ ? 'It stands in its rest pose' : 'It plays its gait';
    if (!details) return;
    this.leap_.setAttribute('aria-pressed', String(details.leaps));
    this.feedback_.show(!details.feedbackOff);
    this.mix.show(details.gaitWeights, this.plays_);
  }

  /** There is no drag to cancel: each move of a slider has been sent. */
  cancel(): boolean {
    return false;
  }

  /** The gait that is kept under a name: mixed as it is now. */
  kept(gait: Gait): Gait {
    const { toasts, world } = this.context_;
    if (mixes_mirrored(gait, this.mix.shares.value)) {
      toasts.show(
        'A variant that is mirrored cannot be mixed into what is kept: it stays beside it.',
      );
      return gait;
    }
    const body: Creature | undefined = world.body_of(gait.creature);
    return mixture(gait, this.mix.shares.value, body);
  }

  /** Shares for a gait that replaces the present one; undefined: all is its own. */
  carried(before: Gait, after: Gait): Shares | undefined {
    return carried(this.mix.shares.value, this.mix.gait ?? before, after);
  }

  private get catalogue(): readonly CatalogueEntry[] {
    return this.context_.world.catalogue.value?.gaits ?? [];
  }

  /** Its gait by its footfalls and its speed, and how fast it is now. */
  private tell_now(measured: boolean): void {
    const member = this.member_();
    const origin = this.current_()?.doc?.origin;
    const kind = origin?.kind.replaceAll('_', ' ');
    const found =
      member && origin && kind ? `As found: ${kind}, ${origin.speedMps.toFixed(2)} m/s. ` : '';
    const mps = measured ? this.pace_.mps : undefined;
    const now = mps === undefined ? '' : `Now: ${mps.toFixed(2)} m/s.`;
    write(this.now_, `${found}${now}`);
  }

  private wind(): void {
    if (this.plays_) {
      this.context_.steering.stop();
      return;
    }
    const speed = this.current_()?.doc?.origin?.speedMps;
    this.context_.steering.set_velocity(speed || kUsualSpeed_mps, 0);
  }

  /** All that are selected and play the same gait. */
  private leap(): void {
    const { actions, world } = this.context_;
    const { by_id } = world.cast.value;
    const gait = this.member_()?.gait_id;
    for (const character of actions.characters)
      if (by_id.get(character)?.gait_id === gait)
        void actions.send({ case: 'leap', value: { character, size: this.leap_size_.value } });
  }

  private switch_feedback(on: boolean): void {
    const character = this.member_()?.id;
    if (character === undefined) return;
    const tell = (feedback: boolean) => {
      if (this.member_()?.id === character) this.feedback_.ask(feedback);
      void this.tell({ character, feedback });
    };
    tell(on);
    this.current_()?.note({ undo: () => tell(!on), redo: () => tell(on) });
  }

  /** Gives the gait anew: without weights what steers the character mixes it. */
  private leave(): void {
    const member = this.member_();
    const gait = this.current_()?.doc;
    if (!member || !gait) return;
    const value = member.gait_edited
      ? { character: member.id, definition: gait }
      : { character: member.id, gait: member.gait };
    void this.context_.actions.send({ case: 'setGait', value });
  }

  private async add(name: string): Promise<void> {
    const current = this.current_();
    const other = await this.fetch_(name);
    const gait = current?.doc;
    if (!other || !gait || current !== this.current_()) return;
    current.edit(with_variant(gait, { ...other, name }));
  }

  private async tell(
    value: { character: number } & ({ weights: number[] } | { feedback: boolean }),
  ): Promise<void> {
    const outcome = await this.context_.actions.ask({ case: 'setGait', value });
    if (outcome.kind === 'done') this.show_problem(undefined);
    else this.show_problem(outcome.kind === 'lost' ? outcome.reason : explain(outcome.error));
  }

  private show_problem(text: string | undefined): void {
    this.problem_.hidden = !text;
    write(this.problem_, text ?? '');
  }
}
