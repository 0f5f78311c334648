// The rhythm of a walk in numbers, beside that of people at its speed.
import type { GaitFigures } from '../../state/gait/gait_cycle';
import type { People } from '../../state/gait/walk_reference';
import { h, write } from '../parts/dom';

const kRows = [
  { key: 'speed', title: 'Speed', unit: 'm/s', digits: 2, hint: 'Speed along the ground' },
  { key: 'cadence', title: 'Cadence', unit: '/min', digits: 0, hint: 'Steps per minute' },
  {
    key: 'step',
    title: 'Step length',
    unit: 'm',
    digits: 2,
    hint: 'Between the ankles when a foot lands',
  },
  {
    key: 'support',
    title: 'Double support',
    unit: '%',
    digits: 0,
    hint: 'Share of the cycle with both feet on the ground',
  },
] as const;

export interface GaitFiguresTable {
  readonly element: HTMLElement;
  /** @param asked m/s: people walk at any speed, so beside the speed stands what was asked for */
  show(own: GaitFigures | undefined, people: People | undefined, asked: number): void;
}

export function gait_figures(): GaitFiguresTable {
  const cells = kRows.map(({ key, title, hint }) => {
    const own = h('td', { attributes: { 'data-test': `lab-${key}` } });
    const people = h('td', { attributes: { 'data-test': `lab-${key}-people` } });
    const name = h('th', { text: title, attributes: { scope: 'row' } });
    return { own, people, row: h('tr', { title: hint }, name, own, people) };
  });
  const head = (text: string) => h('th', { text, attributes: { scope: 'col' } });
  const element = h(
    'table',
    { class: 'lab-figures' },
    h('thead', {}, h('tr', {}, h('td', {}), head('this walk'), head('real people'))),
    h('tbody', {}, ...cells.map(({ row }) => row)),
  );
  return {
    element,
    show(own, people, asked) {
      const [low, high] = people?.double_support ?? [];
      const support =
        low === undefined ? undefined : `${low.toFixed(0)} to ${(high ?? low).toFixed(0)} %`;
      const values = [own?.speed, own?.cadence, own?.step_length, own?.double_support];
      const theirs = [undefined, people?.cadence, people?.step_length, undefined];
      kRows.forEach(({ key, unit, digits }, i) => {
        const text = (value: number | undefined) =>
          value === undefined ? '–' : `${value.toFixed(digits)} ${unit}`;
        const cell = cells[i];
        if (!cell) return;
        write(cell.own, text(values[i]));
        const beside = { speed: `desired ${text(asked)}`, support: support ?? '–' };
        write(cell.people, key in beside ? beside[key as keyof typeof beside] : text(theirs[i]));
      });
    },
  };
}
