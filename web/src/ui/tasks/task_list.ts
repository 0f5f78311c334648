// The list of errands of whoever is selected: what is under way, what became of each, and buttons that change it.
import { type ErrandList, kNoErrands } from '../../state/tasks/errand_list';
import { type Errands, repeated, shifted, without } from '../../state/tasks/errands';
import { enumerated, sentence } from '../../state/values/sentence';
import { standing } from '../../state/tasks/sharing';
import { place_of, type Task } from '../../state/tasks/task';
import { apply_rights, type Context, needs } from '../page/context';
import { h, write } from '../parts/dom';

const kWait_s = 5;

export interface ListWork {
  /** A task in words. @param index in the list */
  words(list: ErrandList, index: number): string;
  edit(list: ErrandList): void;
  add(task: Task): void;
  /** Chooses another place for a task. */
  place(index: number): void;
  carries(): boolean;
  /** How many do them. */
  people(): number;
  name(id: number): string;
}

/** @return the content of the section */
export function task_list(
  context: Context,
  errands: Errands,
  work: ListWork,
): readonly HTMLElement[] {
  const { world } = context;
  const rows = h('ol', { class: 'errands', attributes: { 'data-test': 'errands' } });
  const status = h('p', { class: 'errand-status', attributes: { role: 'status' } });
  const button = (text: string, title: string, test: string, click: () => void) =>
    h('button', { text, title, attributes: { 'data-test': test }, on: { click } });
  const wait = button('Wait', `Stand still for ${kWait_s} s`, 'errand-wait', () =>
    work.add({ sit_out: { seconds: kWait_s } }),
  );
  const put = button('Put down', 'Put what is carried down, right ahead', 'errand-put', () =>
    work.add({ put_down: {} }),
  );
  const repeat = button('Repeat', 'Begin again after the last', 'errand-repeat', () =>
    work.edit(repeated(errands.list.value, !errands.list.value.repeat)),
  );
  const clear = button('Clear', 'Stop, and keep what is carried', 'errand-clear', () =>
    work.edit({ ...kNoErrands, tick: errands.list.value.tick }),
  );
  needs('player', wait, put, repeat, clear);

  const row = (list: ErrandList, index: number): HTMLElement => {
    const errand = list.errands[index];
    const text = work.words(list, index);
    const { outcome, progress } = errand ?? {};
    const state = standing(list, index);
    const now = state === 'now';
    const fixed = list.shared_by.length > 0; // whoever is free takes any of them
    const act = (sign: string, label: string, key: string, off: boolean, click: () => void) => {
      const one = h('button', {
        class: 'quiet',
        text: sign,
        title: label,
        attributes: { 'aria-label': `${label}: ${text}`, 'data-act': `${key} ${index}` },
        on: { click },
      });
      needs('player', one);
      one.hidden = off || fixed;
      return one;
    };
    const why =
      outcome?.failed && h('small', { class: 'errand-why', text: reason_of(outcome.text) });
    const by = progress?.by && progress.state !== 'open' && work.name(progress.by);
    const who = by && h('small', { class: 'errand-by', text: by });
    return h(
      'li',
      {
        class: `errand errand-${state}`,
        attributes: { ...(now ? { 'aria-current': 'step' } : {}), 'data-errand': String(index) },
      },
      h('b', { class: 'errand-number', text: String(index + 1) }),
      h('span', { class: 'errand-text', text }, ...(who ? [who] : []), ...(why ? [why] : [])),
      h(
        'span',
        { class: 'errand-acts' },
        act('◎', 'Choose another place', 'place', !errand || !place_of(errand.task), () =>
          work.place(index),
        ),
        act('↑', 'Earlier', 'up', index === 0, () => work.edit(shifted(list, index, index - 1))),
        act('↓', 'Later', 'down', index === list.errands.length - 1, () =>
          work.edit(shifted(list, index, index + 1)),
        ),
        act('×', 'Remove', 'remove', false, () => work.edit(without(list, index))),
      ),
    );
  };

  let shown = '';
  const refresh = () => {
    const { value: list } = errands.list;
    const { errands: all, current } = list;
    write(status, status_of(list, work));
    repeat.setAttribute('aria-pressed', String(list.repeat));
    repeat.hidden = clear.hidden = all.length === 0;
    put.hidden = !work.carries();
    const texts = all.map(({ outcome, progress }, i) => [
      ...[work.words(list, i), outcome?.text, progress?.by, standing(list, i)],
    ]);
    const key = JSON.stringify([texts, current]);
    if (key === shown) return;
    shown = key;
    const focus = (document.activeElement as HTMLElement | null)?.dataset['act'];
    rows.replaceChildren(...all.map((_, i) => row(list, i)));
    apply_rights(rows, world);
    if (focus && !document.activeElement?.matches('[data-act]'))
      rows.querySelector<HTMLElement>(`[data-act="${focus}"]:not([hidden])`)?.focus();
  };
  errands.list.watch(refresh);
  world.cast.watch(refresh);
  return [status, rows, h('div', { class: 'buttons errand-buttons' }, wait, put, repeat, clear)];
}

/** The list in one sentence. */
function status_of(list: ErrandList, { people, name }: ListWork): string {
  const { errands: all, current, repeat, shared_by } = list;
  const how = 'Click a thing, or the ground with the right button; by keys: U.';
  const again = repeat ? '; they begin again after the last' : '';
  if (all.length === 0)
    return people() > 1
      ? `What these ${people()} are told now they share. ${how}`
      : `Nothing to do. ${how}`;
  const count = (wanted: string) => all.filter(({ progress }) => progress?.state === wanted).length;
  if (shared_by.length > 0) {
    const who =
      people() > 1 && people() === shared_by.length
        ? `${people()} share this list`
        : `Shared by ${enumerated(shared_by.map(name))}`;
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
