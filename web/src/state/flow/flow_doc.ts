// The flow that is edited: its items, the selected one, the states before and after. The part that sends it to the
// server watches `flow`.
import { Signal } from '../values/signal';
import {
  type Flow,
  flow_from,
  type Item,
  type ItemId,
  kLists,
  type List,
  type Point,
  same_item,
} from './flow';
import { distance_to, item_of, list_of, middle_of, move_item, type Tool } from './flow_shapes';

const kMost: Readonly<Record<List, number>> = {
  ...{ entrances: 32, exits: 32, places: 64, queues: 32, walls: 200, gatherings: 64 },
};
const kMostKept = 100; // states that undo goes back to
const kNames: Readonly<Record<Tool, string>> = {
  ...{ entrance: 'entrance', exit: 'exit', bench: 'bench', sight: 'sight' },
  ...{ queue: 'queue', wall: '', people: '' },
};

export class FlowDoc {
  /** The flow; undefined: not known yet. Changed only as a whole. */
  readonly flow = new Signal<Flow | undefined>(undefined);
  readonly selected = new Signal<ItemId | undefined>(undefined);
  private before_: Flow[] = [];
  private after_: Flow[] = [];
  private joined_: string | undefined; // of changes that are undone together

  /** Takes what the server has: nothing can be undone then. */
  load(flow: Partial<Flow> | undefined): void {
    this.before_ = [];
    this.after_ = [];
    this.joined_ = undefined;
    this.flow.set(flow_from(flow));
    this.keep_selected();
  }

  get can_undo(): boolean {
    return this.before_.length > 0;
  }
  get can_redo(): boolean {
    return this.after_.length > 0;
  }

  item(id: ItemId | undefined): Item | undefined {
    return id && this.flow.value?.[id.list][id.index];
  }

  /**
   * Changes a copy, which takes the place of what was there.
   * @param joined changes that follow each other with the same key are undone together; undefined: each by itself
   */
  change(joined: string | undefined, edit: (flow: Flow) => void): void {
    const { value } = this.flow;
    if (!value) return;
    const next = structuredClone(value);
    edit(next);
    if (joined === undefined || joined !== this.joined_) {
      this.before_ = [...this.before_, value].slice(-kMostKept);
    }
    this.joined_ = joined;
    this.after_ = [];
    this.flow.set(next);
    this.keep_selected();
  }

  change_item(joined: string | undefined, id: ItemId, edit: (item: Item) => void): void {
    this.change(joined && `${joined} ${id.list} ${id.index}`, (flow) => {
      const item = flow[id.list][id.index];
      if (item) edit(item);
    });
  }

  /** The next change is undone by itself. */
  separate(): void {
    this.joined_ = undefined;
  }

  undo(): void {
    const last = this.before_.pop();
    const { value } = this.flow;
    if (!last || !value) return;
    this.after_.push(value);
    this.go_to(last);
  }
  redo(): void {
    const next = this.after_.pop();
    const { value } = this.flow;
    if (!next || !value) return;
    this.before_.push(value);
    this.go_to(next);
  }

  /** Adds what a stroke of a tool makes, and selects it. @return false: there are as many as there may be */
  add(tool: Tool, stroke: readonly Point[]): boolean {
    const list = list_of(tool);
    const { value } = this.flow;
    if (!value || value[list].length >= kMost[list]) return false;
    const item = item_of(tool, stroke, this.middle);
    const name = kNames[tool];
    if (name && 'name' in item === false && list !== 'walls' && list !== 'gatherings')
      (item as { name?: string }).name = this.free_name(list, name);
    this.change(undefined, (flow) => void (flow[list] as Item[]).push(item));
    this.selected.set({ list, index: value[list].length });
    return true;
  }

  remove(id: ItemId): void {
    if (!this.item(id)) return;
    this.change(undefined, (flow) => void flow[id.list].splice(id.index, 1));
    this.selected.set(undefined);
  }

  move(id: ItemId, dx: number, dy: number): void {
    this.change_item('move', id, (item) => move_item(item, dx, dy));
  }

  /** The item under a point of the ground: the smallest there. @param reach m, beside it */
  item_at(p: Point, reach: number): ItemId | undefined {
    let best: { id: ItemId; away: number; size: number } | undefined;
    for (const list of kLists)
      this.flow.value?.[list].forEach((item, index) => {
        const away = distance_to(item, p);
        if (away > reach) return;
        const [x, y] = middle_of(item);
        const size = Math.hypot(p[0] - x, p[1] - y);
        if (!best || away < best.away || (away === best.away && size < best.size))
          best = { id: { list, index }, away, size };
      });
    return best?.id;
  }

  /** The middle of the doors; where there are none, the origin. */
  get middle(): Point {
    const { value } = this.flow;
    const all = [...(value?.entrances ?? []), ...(value?.exits ?? [])].map(middle_of);
    const n = Math.max(1, all.length);
    return all.reduce<Point>(([a, b], [x, y]) => [a + x / n, b + y / n], [0, 0]);
  }

  /** Whether there is enough in it to be sent: somebody can come in, and leave. */
  get complete(): boolean {
    const { value } = this.flow;
    return value !== undefined && value.entrances.length > 0 && value.exits.length > 0;
  }

  private free_name(list: 'entrances' | 'exits' | 'places' | 'queues', stem: string): string {
    const taken = new Set(this.flow.value?.[list].map(({ name }) => name));
    for (let i = 1; ; ++i) if (!taken.has(`${stem}_${i}`)) return `${stem}_${i}`;
  }

  private go_to(flow: Flow): void {
    this.joined_ = undefined;
    this.flow.set(flow);
    this.keep_selected();
  }

  private keep_selected(): void {
    const { value: id } = this.selected;
    if (id && !this.item(id)) this.selected.set(undefined);
  }
}

export { same_item };
