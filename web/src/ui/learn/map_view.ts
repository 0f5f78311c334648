// The map of a search: a button for each kind of pace, duty factor and lag of which it has a gait.
import type { RoomSearch } from '../../gen/promenade/v1/room_search_pb';
import {
  axis_title,
  cell_words,
  type Direction,
  type GaitMap,
  gait_map,
  type MapCell,
  next_cell,
} from '../../state/learn/gait_map';
import { Signal } from '../../state/values/signal';
import { h, write } from '../parts/dom';

const kArrows: Readonly<Partial<Record<string, Direction>>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

export class MapView {
  readonly element: HTMLElement;
  /** The cell under the pointer or with the focus. */
  readonly looked_at = new Signal<MapCell | undefined>(undefined);
  on_press: (cell: MapCell) => void = () => {};
  private readonly panels_ = h('div', {
    class: 'map-panels',
    attributes: { role: 'group', 'aria-label': 'Map of gaits' },
    on: { keydown: (event) => this.key(event) },
  });
  private readonly kinds_ = h('div', {
    class: 'map-kinds',
    attributes: { role: 'group', 'aria-label': 'Kinds of gaits in the map' },
  });
  private readonly sides_ = h('select', {
    attributes: { 'aria-label': 'Lag between the sides', 'data-test': 'learn-sides' },
    on: { change: () => this.show(this.report_) },
  });
  private readonly empty_ = h('p', { class: 'faint', text: 'No gait yet.' });
  private readonly buttons_ = new Map<number, HTMLButtonElement>();
  private report_: RoomSearch | undefined;
  private map_: GaitMap | undefined;
  private cells_: ReadonlyMap<number, MapCell> = new Map();
  private laid_out_ = '';
  private chosen_: number | undefined;
  private kind_ = ''; // the others are pale; '': none is

  constructor() {
    this.element = h(
      'figure',
      { class: 'learn-map' },
      h(
        'figcaption',
        { title: 'The best gait of each kind of movement; a darker cell has a better score' },
        h('strong', { text: 'Map of gaits' }),
        h('span', { class: 'faint', text: 'Press one to see it beside the learner.' }),
        this.sides_,
      ),
      this.panels_,
      this.empty_,
      this.kinds_,
    );
  }

  /** The axes of the map that is shown. */
  get map(): GaitMap | undefined {
    return this.map_;
  }

  show(report: RoomSearch | undefined): void {
    if (report?.number !== this.report_?.number) this.kind_ = '';
    this.report_ = report;
    const side = this.sides_.value === '' ? undefined : Number(this.sides_.value);
    const map = report && gait_map(report, side);
    this.map_ = map;
    const cells = map?.panels.flatMap((panel) => panel.cells) ?? [];
    this.cells_ = new Map(cells.map((cell) => [cell.cell, cell]));
    this.panels_.hidden = !map;
    this.empty_.hidden = cells.length > 0;
    this.lay_out(map);
    this.fill(map);
    this.list_kinds(map);
  }

  /** @param cell undefined: none */
  choose(cell: number | undefined): void {
    this.chosen_ = cell;
    for (const [number, button] of this.buttons_)
      button.setAttribute('aria-pressed', String(number === cell));
  }

  /** Makes the panels anew where the axes are others. */
  private lay_out(map: GaitMap | undefined): void {
    const key = map
      ? JSON.stringify([map.axes.map(({ name, cells }) => [name, cells]), map.sides])
      : '';
    if (key === this.laid_out_) return;
    this.laid_out_ = key;
    this.buttons_.clear();
    this.sides_.hidden = (map?.sides.length ?? 0) === 0;
    this.sides_.replaceChildren(
      h('option', { text: 'sides: the best of all', attributes: { value: '' } }),
      ...(map?.sides ?? []).map((text, i) =>
        h('option', { text: `sides ${text} apart`, attributes: { value: String(i) } }),
      ),
    );
    this.panels_.replaceChildren(...(map ? map.panels.map(({ title }) => panel(title, map)) : []));
  }

  /** Keeps the buttons of cells that stay, and so the focus. */
  private fill(map: GaitMap | undefined): void {
    for (const [number, button] of this.buttons_)
      if (!this.cells_.has(number)) {
        button.remove();
        this.buttons_.delete(number);
      }
    const grids = this.panels_.querySelectorAll<HTMLElement>('.map-grid');
    map?.panels.forEach(({ cells }, i) => {
      for (const cell of cells) {
        const button = this.button_of(cell);
        if (button.parentElement !== grids[i]) grids[i]?.append(button);
        this.dress(button, cell, map);
      }
    });
    const focused = [...this.buttons_.values()].find((one) => one === document.activeElement);
    const first = this.buttons_.values().next().value;
    for (const button of this.buttons_.values())
      button.tabIndex = button === (focused ?? first) ? 0 : -1;
  }

  private button_of({ cell }: MapCell): HTMLButtonElement {
    const known = this.buttons_.get(cell);
    if (known) return known;
    const look = () => this.looked_at.set(this.cells_.get(cell));
    const away = () => this.looked_at.set(undefined);
    const button = h('button', {
      class: 'map-cell',
      attributes: { type: 'button', 'data-cell': String(cell) },
      on: {
        click: () => {
          const now = this.cells_.get(cell);
          if (now) this.on_press(now);
        },
        ...{ pointerenter: look, focus: look, pointerleave: away, blur: away },
      },
    });
    this.buttons_.set(cell, button);
    return button;
  }

  private dress(button: HTMLButtonElement, cell: MapCell, { axes }: GaitMap): void {
    const words = cell_words(cell, axes);
    button.title = words;
    button.setAttribute('aria-label', words);
    button.setAttribute('aria-pressed', String(cell.cell === this.chosen_));
    button.dataset['kind'] = cell.kind;
    button.classList.toggle('best', cell.best);
    button.classList.toggle('pale', this.kind_ !== '' && cell.kind !== this.kind_);
    button.style.gridColumn = String(cell.column + 1);
    button.style.gridRow = String(cell.row + 1);
    button.style.setProperty('--heat', `${(18 + 82 * cell.heat).toFixed(0)}%`);
  }

  private list_kinds(map: GaitMap | undefined): void {
    const kinds = map?.kinds ?? [];
    while (this.kinds_.children.length > kinds.length) this.kinds_.lastElementChild?.remove();
    kinds.forEach(({ kind, count }, i) => {
      const button =
        (this.kinds_.children[i] as HTMLButtonElement | undefined) ??
        this.kinds_.appendChild(
          h('button', {
            class: 'map-kind',
            attributes: { type: 'button' },
            on: { click: (event) => this.mark((event.currentTarget as HTMLElement).dataset) },
          }),
        );
      button.dataset['kind'] = kind;
      button.title = `Show which cells are of the kind “${kind}”`;
      button.setAttribute('aria-pressed', String(kind === this.kind_));
      write(button, `${kind} ${count}`);
    });
  }

  /** Makes the cells of other kinds pale, or none any more. */
  private mark({ kind = '' }: DOMStringMap): void {
    this.kind_ = this.kind_ === kind ? '' : kind;
    for (const button of this.buttons_.values())
      button.classList.toggle('pale', this.kind_ !== '' && button.dataset['kind'] !== this.kind_);
    this.list_kinds(this.map_);
  }

  private key(event: KeyboardEvent): void {
    const direction = kArrows[event.key];
    const from = (event.target as HTMLElement).dataset['cell'];
    if (!direction || from === undefined || !this.map_) return;
    event.preventDefault();
    event.stopPropagation();
    const to = next_cell(this.map_, Number(from), direction);
    const button = to === undefined ? undefined : this.buttons_.get(to);
    if (!button) return;
    for (const one of this.buttons_.values()) one.tabIndex = one === button ? 0 : -1;
    button.focus();
  }
}

/** An empty panel with its axes. */
function panel(title: string, { x, y }: GaitMap): HTMLElement {
  const grid = h('div', { class: 'map-grid' });
  grid.style.setProperty('--columns', String(x.cells));
  grid.style.setProperty('--rows', String(y?.cells ?? 1));
  const ends = (low: number, name: string, high: number) =>
    [String(low), name, String(high)].map((text) => h('span', { text }));
  return h(
    'div',
    { class: 'map-panel' },
    h('span', { class: 'map-title', text: title }),
    h(
      'div',
      { class: 'map-y', attributes: { 'aria-hidden': 'true' } },
      ...(y ? ends(y.high, axis_title(y), y.low) : []),
    ),
    grid,
    h(
      'div',
      { class: 'map-x', attributes: { 'aria-hidden': 'true' } },
      ...ends(x.low, axis_title(x), x.high),
    ),
  );
}
