// The list of errands of the selected people: the one under way, the result of each, and buttons that change the list.
import type { World } from '../../state/room/world';
import { type ErrandList, kNoErrands } from '../../state/tasks/errand_list';
import { type Errands, repeated, shifted, without } from '../../state/tasks/errands';
import { enumerated, sentence } from '../../state/values/sentence';
import { standing } from '../../state/tasks/sharing';
import { place_of } from '../../state/tasks/task';
import { apply_rights, type Context, sends } from '../page/context';
import { h, write } from '../parts/dom';
import type { Crew } from './crew';
import type { ErrandOrders } from './errand_orders';

const kWait_s = 5;

function button(text: string, title: string, test: string, click: () => void): HTMLElement {
  return h('button', { text, title, attributes: { 'data-test': test }, on: { click } });
}

/** The content of the section "Errands": a sentence, a row for each errand, and buttons below them. */
export class TaskList {
  readonly elements: readonly HTMLElement[];
  private readonly world_: World;
  private readonly status_ = h('p', { class: 'errand-status', attributes: { role: 'status' } });
  private readonly rows_ = h('ol', { class: 'errands', attributes: { 'data-test': 'errands' } });
  private readonly put_: HTMLElement;
  private readonly repeat_: HTMLElement;
  private readonly clear_: HTMLElement;
  private shown_ = ''; // what the rows say, so that they are made anew only when that changes

  /** @param choose_place_ has another place chosen for the errand with an index in the list */
  constructor(
    { world }: Context,
    private readonly errands_: Errands,
    private readonly crew_: Crew,
    private readonly orders_: ErrandOrders,
    private readonly choose_place_: (index: number) => void,
  ) {
    this.world_ = world;
    const wait = button('Wait', `Stand still for ${kWait_s} s`, 'errand-wait', () =>
      orders_.add({ sit_out: { seconds: kWait_s } }),
    );
    this.put_ = button('Put down', 'Put the carried thing down, right ahead', 'errand-put', () =>
      orders_.add({ put_down: {} }),
    );
    this.repeat_ = button('Repeat', 'Begin again after the last', 'errand-repeat', () =>
      orders_.edit(repeated(errands_.list.value, !errands_.list.value.repeat)),
    );
    this.clear_ = button('Clear', 'Stop, and keep the carried thing', 'errand-clear', () =>
      orders_.edit({ ...kNoErrands, tick: errands_.list.value.tick }),
    );
    const buttons = [wait, this.put_, this.repeat_, this.clear_];
    sends('set_tasks', ...buttons);
    errands_.list.watch(() => this.refresh());
    world.cast.watch(() => this.refresh());
    this.elements = [
      this.status_,
      this.rows_,
      h('div', { class: 'buttons errand-buttons' }, ...buttons),
    ];
  }

  private refresh(): void {
    const { value: list } = this.errands_.list;
    const { errands: all, current } = list;
    write(this.status_, status_of(list, this.crew_));
    this.repeat_.setAttribute('aria-pressed', String(list.repeat));
    this.repeat_.hidden = this.clear_.hidden = all.length === 0;
    this.put_.hidden = this.crew_.carries === 0;
    const texts = all.map(({ outcome, progress }, i) => [
      ...[this.crew_.words(list, i), outcome?.text, progress?.by, standing(list, i)],
    ]);
    const key = JSON.stringify([texts, current]);
    if (key === this.shown_) return;
    this.shown_ = key;
    const focus = (document.activeElement as HTMLElement | null)?.dataset['act'];
    this.rows_.replaceChildren(...all.map((_, i) => this.row(list, i)));
    apply_rights(this.rows_, this.world_);
    if (focus && !document.activeElement?.matches('[data-act]'))
      this.rows_.querySelector<HTMLElement>(`[data-act="${focus}"]:not([hidden])`)?.focus();
  }

  private row(list: ErrandList, index: number): HTMLElement {
    const { outcome, progress } = list.errands[index] ?? {};
    const text = this.crew_.words(list, index);
    const state = standing(list, index);
    const why =
      outcome?.failed && h('small', { class: 'errand-why', text: reason_of(outcome.text) });
    const by = progress?.by && progress.state !== 'open' && this.crew_.name(progress.by);
    const who = by && h('small', { class: 'errand-by', text: by });
    const now: Record<string, string> = state === 'now' ? { 'aria-current': 'step' } : {};
    return h(
      'li',
      {
        class: `errand errand-${state}`,
        attributes: { ...now, 'data-errand': String(index) },
      },
      h('b', { class: 'errand-number', text: String(index + 1) }),
      h('span', { class: 'errand-text', text }, ...(who ? [who] : []), ...(why ? [why] : [])),
      h('span', { class: 'errand-acts' }, ...this.acts(list, index, text)),
    );
  }

  /** The buttons of a row. @param text of the errand */
  private acts(list: ErrandList, index: number, text: string): readonly HTMLElement[] {
    const task = list.errands[index]?.task;
    const fixed = list.shared_by.length > 0; // any person who is free takes any of them
    const act = (sign: string, label: string, key: string, off: boolean, click: () => void) => {
      const one = h('button', {
        class: 'quiet',
        text: sign,
        title: label,
        attributes: { 'aria-label': `${label}: ${text}`, 'data-act': `${key} ${index}` },
        on: { click },
      });
      sends('set_tasks', one);
      one.hidden = off || fixed;
      return one;
    };
    const edit = (to: ErrandList) => this.orders_.edit(to);
    const last = list.errands.length - 1;
    return [
      act('◎', 'Choose another place', 'place', !task || !place_of(task), () =>
        this.choose_place_(index),
      ),
      act('↑', 'Earlier', 'up', index === 0, () => edit(shifted(list, index, index - 1))),
      act('↓', 'Later', 'down', index === last, () => edit(shifted(list, index, index + 1))),
      act('×', 'Remove', 'remove', false, () => edit(without(list, index))),
    ];
  }
}

/** The list in one sentence. */
function status_of(list: ErrandList, crew: Crew): string {
  const { errands: all, current, repeat, shared_by } = list;
  const people = crew.members.length;
  const how = 'Click a thing, or the ground with the right button; by keys: U.';
  const again = repeat ? '; they begin again after the last' : '';
  if (all.length === 0)
    return people > 1
      ? `What these ${people} are told now they share. ${how}`
      : `Nothing to do. ${how}`;
  const count = (wanted: string) => all.filter(({ progress }) => progress?.state === wanted).length;
  if (shared_by.length > 0) {
    const who =
      people > 1 && people === shared_by.length
        ? `${people} share this list`
        : `Shared by ${enumerated(shared_by.map((id) => crew.name(id)))}`;
    const failed = count('failed');
    return `${who}: ${count('done')} of ${all.length} done${failed ? `, ${failed} failed` : ''}${again}.`;
  }
  if (current >= all.length) return 'All are over.';
  return `${current + 1} of ${all.length} is under way${again}.`;
}

/** "it is too heavy" of "Human 1 cannot pick_up, Crate 3: it is too heavy": the row says the rest. */
function reason_of(text: string): string {
  return sentence(text.slice(text.indexOf(': ') + 1).trim());
}
