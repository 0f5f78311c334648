// The places of each thing in the last seconds. Frames have the things that move, Rest messages those that have come to
// rest; put in order of ticks they are one track, on which a thing jumps neither when it wakes (it lay at its place of
// rest until the frame before) nor when it comes to rest.
import { kRootSize, type ThingsData } from '../../net/frame';

/** One known state of a body: where its numbers are. */
export interface BodyState {
  readonly roots: Float32Array;
  readonly root: number; // index of the first number of its root
  readonly joints: Float32Array;
  readonly joint: number; // index of its first joint coordinate
}

/** And when it was in it. */
export interface KnownState extends BodyState {
  readonly tick: number;
}

const kKept = 96; // states a thing

/** Whatever knows the states of things over time. */
export interface Tracks {
  at(id: number, tick: number): BodyState | undefined;
}

export class ThingTracks implements Tracks {
  private readonly tracks_ = new Map<number, KnownState[]>();

  /** @param ids of the things, by their index */
  push(tick: number, { index, roots, joints, first }: ThingsData, ids: readonly number[]): void {
    index.forEach((thing, i) => {
      const id = ids[thing];
      if (id === undefined) return;
      const entry = { tick, roots, root: kRootSize * i, joints, joint: first[i] as number };
      let track = this.tracks_.get(id);
      if (!track) this.tracks_.set(id, (track = []));
      // Nearly always the new state is the latest; a Rest may arrive after frames of later ticks.
      let k = track.length;
      while (k > 0 && (track[k - 1] as KnownState).tick > tick) --k;
      const same = k > 0 && (track[k - 1] as KnownState).tick === tick;
      track.splice(same ? k - 1 : k, same ? 1 : 0, entry);
      if (track.length > kKept) track.shift();
    });
  }

  /** Begins a track at each of these states. */
  seed(states: ReadonlyMap<number, KnownState>): void {
    for (const [id, state] of states) this.tracks_.set(id, [state]);
  }

  /** The last state at or before a tick; the first one if all states are later. */
  at(id: number, tick: number): BodyState | undefined {
    const track = this.tracks_.get(id);
    if (!track) return undefined;
    let k = track.length - 1;
    while (k > 0 && (track[k] as KnownState).tick > tick) --k;
    return track[k];
  }

  /** Forgets the things that are gone. */
  keep(there: (id: number) => boolean): void {
    for (const id of this.tracks_.keys()) if (!there(id)) this.tracks_.delete(id);
  }

  /** Forgets all but the last state of each thing: the server does not repeat the places of things that rest. */
  forget_ways(): void {
    for (const track of this.tracks_.values()) track.splice(0, track.length - 1);
  }

  clear(): void {
    this.tracks_.clear();
  }
}
