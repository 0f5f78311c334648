// The list of what is painted: each with its name, how many go through it, and, where it is selected, its numbers.
import {
  type Entrance,
  type Exit,
  type Flow,
  type Gathering,
  type Item,
  type ItemId,
  kLists,
  type List,
  type Place,
  type Queue,
  rate_at,
  same_item,
  type Wall,
} from '../../state/flow/flow';
import type { FlowDoc } from '../../state/flow/flow_doc';
import type { FigureJson, FlowRates } from '../../state/flow/flow_rates';
import { sends } from '../page/context';
import { h, write } from '../parts/dom';
import { SliderRow, type SliderOptions } from '../editor/slider_row';
import type { Refusal } from './flow_link';

const kTitles: Readonly<Record<List, string>> = {
  entrances: 'Entrances',
  exits: 'Exits',
  places: 'Benches and sights',
  queues: 'Queues',
  walls: 'Walls',
  gatherings: 'People on the spot',
};
const kStep_m = 0.25; // of an arrow key

/** A number of an item that has a slider. */
interface Field extends SliderOptions {
  read(item: Item, flow: Flow): number;
  write(item: Item, value: number): void;
}

function number<T extends Item>(key: keyof T & string, options: SliderOptions, usual = 0): Field {
  return {
    ...options,
    read: (item) => ((item as T)[key] as number | undefined) || usual,
    write: (item, value) => {
      (item as unknown as Record<string, number>)[key] = value;
    },
  };
}

const kWeight = { title: 'Chosen', unit: '×', low: 0.1, high: 10, step: 0.1, test: 'flow-weight' };
const kFields: Readonly<Record<List, readonly Field[]>> = {
  entrances: [
    {
      ...{ title: 'People', unit: '/ min', low: 0, high: 300, step: 1, test: 'flow-rate' },
      hint: 'How many come in a minute, the whole day',
      read: (item, { start_of_day_s = 0 }) => rate_at(item as Entrance, start_of_day_s),
      write: (item, per_minute) => {
        (item as Entrance).rates = [{ at_s: 0, per_minute }];
      },
    },
    number<Entrance>('heading_deg', {
      ...{ title: 'Heading', unit: '°', low: -180, high: 180, step: 5 },
    }),
  ],
  exits: [number<Exit>('weight', { ...kWeight, hint: 'How often, beside the other exits' }, 1)],
  places: [
    number<Place>('people', { title: 'People', unit: '', low: 1, high: 50, step: 1 }),
    number<Place>('facing_deg', { title: 'Facing', unit: '°', low: -180, high: 180, step: 5 }),
    {
      ...{ title: 'They stay', unit: 's', low: 0, high: 300, step: 1 },
      hint: 'Longest stay; the shortest is a quarter of it',
      read: (item) => (item as Place).most_stay_s ?? 0,
      write: (item, value) => {
        (item as Place).most_stay_s = value;
        (item as Place).least_stay_s = Math.round(value / 4);
      },
    },
    number<Place>('weight', { ...kWeight, hint: 'How often, beside places and queues' }, 1),
  ],
  queues: [
    number<Queue>('people', { title: 'People', unit: '', low: 1, high: 100, step: 1 }),
    number<Queue>('service_s', { title: 'Each takes', unit: 's', low: 0.5, high: 120, step: 0.5 }),
    number<Queue>('weight', { ...kWeight, hint: 'How often, beside places and queues' }, 1),
  ],
  walls: [
    number<Wall>(
      'thickness_m',
      { title: 'Thickness', unit: 'm', low: 0.05, high: 2, step: 0.05 },
      0.1,
    ),
  ],
  gatherings: [
    number<Gathering>('people', { title: 'People', unit: '', low: 1, high: 300, step: 1 }),
    number<Gathering>('radius_m', { title: 'Radius', unit: 'm', low: 0.5, high: 30, step: 0.5 }),
  ],
};

function words(value: string): string {
  const text = value.replace(/_/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function title_of(flow: Flow, { list, index }: ItemId): string {
  const item = flow[list][index];
  const name = item && 'name' in item ? item.name : undefined;
  if (name) return words(name);
  if (list === 'places')
    return `${(item as Place).kind === 'SIGHT' ? 'Sight' : 'Bench'} ${index + 1}`;
  const titles = { entrances: 'Entrance', exits: 'Exit', queues: 'Queue', walls: 'Wall' };
  return list === 'gatherings' ? `Group ${index + 1}` : `${titles[list]} ${index + 1}`;
}

interface Row {
  readonly id: ItemId;
  readonly element: HTMLElement;
  readonly button: HTMLElement;
  readonly name: HTMLElement;
  readonly figure: HTMLElement;
  readonly problem: HTMLElement;
  readonly body: HTMLElement;
  sliders: readonly { readonly field: Field; readonly row: SliderRow }[];
}

export class FlowItems {
  readonly element = h('div', { class: 'flow-items', attributes: { 'data-test': 'flow-items' } });
  private rows_: Row[] = [];

  constructor(
    private readonly doc_: FlowDoc,
    /** Which way an arrow key moves on the ground: as the camera looks. */
    private readonly away_: () => readonly [number, number],
    private readonly rights_: (element: HTMLElement) => void,
  ) {
    doc_.flow.watch((flow) => {
      if (!flow) this.clear();
      else if (this.differs(flow)) this.build(flow);
      this.refresh();
    });
    doc_.selected.watch(() => this.refresh());
  }

  /** Tells how many go through each, and which one the server refused. */
  tell(rates: FlowRates, figures: FigureJson): void {
    for (const { id, figure } of this.rows_) {
      const what = id.list === 'entrances' ? 'entered' : id.list === 'exits' ? 'left' : undefined;
      const rate = what && rates.of(what, id.index);
      if (rate !== undefined) write(figure, `${rate.toFixed(0)} / min`);
      if (id.list === 'queues') write(figure, `${figures.in_line?.[id.index] ?? 0} in line`);
    }
  }
  refuse(refusal: Refusal | undefined): void {
    for (const { id, problem, element } of this.rows_) {
      const mine = refusal?.item !== undefined && same_item(refusal.item, id);
      element.classList.toggle('refused', mine);
      problem.hidden = !mine;
      write(problem, mine ? refusal.text : '');
    }
  }

  private clear(): void {
    this.rows_ = [];
    this.element.replaceChildren();
  }

  /** Whether there are other items than those that have rows. */
  private differs(flow: Flow): boolean {
    let next = 0;
    for (const list of kLists)
      for (let index = 0; index < flow[list].length; ++index, ++next)
        if (!same_item(this.rows_[next]?.id, { list, index })) return true;
    return next !== this.rows_.length;
  }

  private build(flow: Flow): void {
    const focused = this.rows_.findIndex(({ button }) => button === document.activeElement);
    this.rows_ = [];
    const groups = kLists.flatMap((list) => {
      const rows = flow[list].map((_, index) => this.row({ list, index }));
      this.rows_.push(...rows);
      if (rows.length === 0) return [];
      const items = rows.map(({ element }) => element);
      return [h('h3', { text: kTitles[list] }), h('ul', { class: 'flow-list' }, ...items)];
    });
    this.element.replaceChildren(...groups);
    this.rights_(this.element);
    if (focused >= 0) this.rows_[Math.min(focused, this.rows_.length - 1)]?.button.focus();
  }

  private row(id: ItemId): Row {
    const name = h('span', { class: 'flow-name' });
    const figure = h('output', { class: 'flow-figure' });
    const button = h(
      'button',
      {
        class: `flow-item flow-${id.list}`,
        attributes: { 'aria-expanded': 'false', 'data-item': `${id.list} ${id.index}` },
        on: {
          click: () => {
            const again = same_item(this.doc_.selected.value, id);
            this.doc_.selected.set(again ? undefined : id);
          },
          keydown: (event) => this.key(event, id),
        },
      },
      name,
      figure,
    );
    const problem = h('p', { class: 'field-problem', attributes: { role: 'alert' } });
    problem.hidden = true;
    const body = h('div', { class: 'flow-fields' });
    body.hidden = true;
    const element = h('li', {}, button, problem, body);
    return { id, element, button, name, figure, problem, body, sliders: [] };
  }

  /** Arrow keys move the item, Delete takes it away. */
  private key(event: KeyboardEvent, id: ItemId): void {
    const ways: Readonly<Record<string, readonly [right: number, away: number]>> = {
      ...{ ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] },
    };
    const way = ways[event.key];
    if (event.key === 'Delete') this.doc_.remove(id);
    else if (way && same_item(this.doc_.selected.value, id)) {
      const step = kStep_m * (event.shiftKey ? 4 : 1);
      const [x, y] = this.away_();
      this.doc_.move(id, step * (way[1] * x + way[0] * y), step * (way[1] * y - way[0] * x));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private refresh(): void {
    const { value: flow } = this.doc_.flow;
    if (!flow) return;
    for (const row of this.rows_) {
      const item = this.doc_.item(row.id);
      if (!item) continue;
      write(row.name, title_of(flow, row.id));
      const selected = same_item(this.doc_.selected.value, row.id);
      row.button.setAttribute('aria-expanded', String(selected));
      row.body.hidden = !selected;
      if (!selected) continue;
      if (row.sliders.length === 0) this.fill(row);
      for (const { field, row: slider } of row.sliders)
        slider.show(Math.round(100 * field.read(item, flow)) / 100);
    }
  }

  private fill(row: Row): void {
    row.sliders = kFields[row.id.list].map((field) => {
      const slider = new SliderRow(field);
      slider.on_change = (value) =>
        this.doc_.change_item(field.title, row.id, (item) => field.write(item, value));
      slider.on_end = () => this.doc_.separate();
      sends('set_flow', slider.slider);
      return { field, row: slider };
    });
    const remove = h('button', {
      text: 'Remove',
      title: 'Remove it (Delete)',
      attributes: { 'data-test': 'flow-remove' },
      on: { click: () => this.doc_.remove(row.id) },
    });
    sends('set_flow', remove);
    row.body.append(...row.sliders.map(({ row: slider }) => slider.element), remove);
    row.element.scrollIntoView({ block: 'nearest' });
    this.rights_(row.body);
  }
}
