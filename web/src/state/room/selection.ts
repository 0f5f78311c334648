import { Signal } from '../values/signal';

/** The selected bodies, in the order they were chosen, and the one under the pointer. */
export class Selection {
  readonly ids = new Signal<readonly number[]>([]);
  readonly hovered = new Signal<number | undefined>(undefined);

  choose(id: number): void {
    this.ids.set([id]);
  }

  /** Adds a body, or takes it out if it was selected. */
  toggle(id: number): void {
    const ids = this.ids.value;
    this.ids.set(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  }

  clear(): void {
    if (this.ids.value.length > 0) this.ids.set([]);
  }

  /** Drops the ids of bodies that are no longer in the room. */
  keep(there: (id: number) => boolean): void {
    const ids = this.ids.value.filter(there);
    if (ids.length !== this.ids.value.length) this.ids.set(ids);
    if (this.hovered.value !== undefined && !there(this.hovered.value)) this.hovered.set(undefined);
  }

  has(id: number): boolean {
    return this.ids.value.includes(id);
  }

  /** The body whose panel is shown: the first that was selected. */
  get first(): number | undefined {
    return this.ids.value[0];
  }
}
