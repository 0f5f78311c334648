import type { CharacterDetails } from '../../gen/promenade/v1/wire_pb';

const kKept = 48; // messages: a second and a half

/** The values that overlays draw of a character at one moment. World frame, SI. */
export interface Glimpse {
  readonly details: CharacterDetails; // of the nearest message, for what cannot be interpolated
  readonly phase: number; // 0 to 1 of the step
  readonly com: readonly number[];
  readonly capture_point: readonly number[];
  readonly foot_target: readonly number[];
  readonly support_polygon: readonly number[];
  readonly desired_velocity: readonly number[];
}

/** Whatever knows details at a tick. */
export interface Glimpses {
  sample(id: number, tick: number): Glimpse | undefined;
  /** Ids of the characters that they are of. */
  watched(tick: number): Iterable<number>;
}

/** The last details of the watched characters, so that overlays fit the delayed picture. */
export class DetailsBuffer implements Glimpses {
  private entries_: DetailsEntry[] = [];

  push(tick: number, characters: readonly CharacterDetails[]): void {
    this.entries_.push(details_entry(tick, characters));
    if (this.entries_.length > kKept) this.entries_.shift();
  }

  clear(): void {
    this.entries_ = [];
  }

  /** @param tick as drawn, not whole */
  sample(id: number, tick: number): Glimpse | undefined {
    const i = this.find(tick);
    const entry = this.entries_[i];
    return glimpse_between(entry, this.entries_[i + 1] ?? entry, id, tick);
  }

  watched(tick: number): Iterable<number> {
    return this.entries_[this.find(tick)]?.by_id.keys() ?? [];
  }

  private find(tick: number): number {
    let i = this.entries_.length - 1;
    while (i > 0 && (this.entries_[i]?.tick ?? 0) > tick) --i;
    return i;
  }
}

/** The details of one tick. */
export interface DetailsEntry {
  readonly tick: number;
  readonly by_id: ReadonlyMap<number, CharacterDetails>;
}

export function details_entry(tick: number, characters: readonly CharacterDetails[]): DetailsEntry {
  return { tick, by_id: new Map(characters.map((details) => [details.id, details])) };
}

/** Details at a tick between two messages. */
export function glimpse_between(
  entry: DetailsEntry | undefined,
  next: DetailsEntry | undefined,
  id: number,
  tick: number,
): Glimpse | undefined {
  const a = entry?.by_id.get(id) ?? next?.by_id.get(id);
  if (!entry || !next || !a) return undefined;
  const b = next.by_id.get(id) ?? a;
  const span = next.tick - entry.tick;
  const t = span > 0 ? Math.min(1, Math.max(0, (tick - entry.tick) / span)) : 0;
  const details = t < 0.5 ? a : b;
  return {
    details,
    phase: b.phase >= a.phase ? a.phase + (b.phase - a.phase) * t : details.phase,
    com: between(a.comM, b.comM, t),
    capture_point: between(a.capturePointM, b.capturePointM, t),
    foot_target: between(a.footTargetM, b.footTargetM, t),
    support_polygon: between(a.supportPolygonM, b.supportPolygonM, t),
    desired_velocity: between(a.desiredVelocityMps, b.desiredVelocityMps, t),
  };
}

const kJump_m = 0.25; // a target that moves further than this in one frame is another target

function between(a: readonly number[], b: readonly number[], t: number): readonly number[] {
  const jumped =
    a.length !== b.length || a.some((value, i) => Math.abs(value - (b[i] as number)) > kJump_m);
  if (jumped) return t < 0.5 ? a : b;
  return a.map((value, i) => value + ((b[i] as number) - value) * t);
}
