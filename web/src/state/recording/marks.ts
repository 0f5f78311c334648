// Events of the recording, found in messages from the room: somebody was pushed, fell, got up, was edited, came or left.
import { kFlag, type FrameData } from '../../net/frame';
import type { Chapter } from './chapter';
import type { Cast, Member } from '../room/roster';

export type MarkKind = 'push' | 'fall' | 'up' | 'edit' | 'join' | 'leave' | 'scene';

/** Something that happened, on the clock of the recording. */
export interface Mark {
  readonly t_ms: number;
  readonly kind: MarkKind;
  readonly character: number; // id; 0 for none
  readonly name: string; // of the character or scene
  readonly by: Doer | undefined; // the visitor who did it; undefined: nobody, or it is not known
}

/** The visitor who did something. */
export interface Doer {
  readonly name: string;
  readonly color: string; // "#rrggbb"
  readonly mine: boolean; // this viewer
}

export const kMe: Doer = { name: 'You', color: '', mine: true };

const kSame_ms = 1500; // one after the other of the same kind within this time are one: an edit goes by many steps
const kTogether_ms = 2000; // between an effect and the reply that tells its visitor
const kCrowd = 100; // characters in a room
const kMost = 2000;

export const kDone: Readonly<Record<MarkKind, string>> = {
  push: 'was pushed',
  fall: 'fell',
  up: 'got up',
  edit: 'was changed',
  join: 'arrived',
  leave: 'left',
  scene: 'started',
};
export const kDid: Partial<Record<MarkKind, string>> = {
  push: 'pushed',
  edit: 'changed',
  join: 'added',
  leave: 'removed',
  scene: 'loaded',
};

export function mark_text({ kind, name, by }: Mark): string {
  const did = by ? kDid[kind] : undefined;
  return did ? `${by?.name} ${did} ${name}` : `${name} ${kDone[kind]}`;
}

export function name_of({ id, skeleton }: Member): string {
  return `${skeleton.title} ${id}`;
}

export class MarkFinder {
  private marks_: Mark[] = [];
  private cast_: Cast | undefined;
  private flags_ = new Map<number, number>(); // of characters, but those that have none
  private known_: { kind: MarkKind; character: number; t_ms: number; by: Doer }[] = [];

  get marks(): readonly Mark[] {
    return this.marks_;
  }

  /** @param begun the chapter that begins with this frame */
  see(t_ms: number, { flags }: FrameData, cast: Cast, begun: Chapter | undefined): void {
    if (begun) {
      this.cast_ = cast;
      this.flags_ = new Map();
      const scene = begun.info?.scene;
      this.add(t_ms, 'scene', 0, scene?.title || scene?.name || 'Scene');
    } else if (this.cast_ && cast !== this.cast_) {
      this.compare(t_ms, this.cast_, cast);
    }
    this.cast_ = cast;
    const watched = kFlag.pushed | kFlag.fallen;
    for (const member of cast.members) {
      const now = (flags[member.index] as number) & watched;
      const before = this.flags_.get(member.id) ?? 0;
      if (now === before) continue;
      if (now === 0) this.flags_.delete(member.id);
      else this.flags_.set(member.id, now);
      if (begun) continue;
      if (now & ~before & kFlag.pushed) this.add(t_ms, 'push', member.id, name_of(member));
      if (now & ~before & kFlag.fallen) this.add(t_ms, 'fall', member.id, name_of(member));
      if (before & ~now & kFlag.fallen) this.add(t_ms, 'up', member.id, name_of(member));
    }
  }

  /** Tells the visitor who did something of this kind, whether its mark is there already or not. */
  credit(kind: MarkKind, character: number, t_ms: number, by: Doer): void {
    const near = (mark: Mark) =>
      mark.kind === kind &&
      mark.character === character &&
      Math.abs(mark.t_ms - t_ms) < kTogether_ms;
    const i = last_index(this.marks_, near);
    const mark = this.marks_[i];
    const member = kind === 'join' && this.cast_?.by_id.get(character);
    if (mark) this.marks_[i] = { ...mark, by: mark.by ?? by };
    else if (member) this.marks_.push({ t_ms, kind, character, name: name_of(member), by });
    else this.known_.push({ kind, character, t_ms, by });
  }

  forget(before_ms: number): void {
    const first = this.marks_.findIndex(({ t_ms }) => t_ms >= before_ms);
    this.marks_.splice(0, first < 0 ? this.marks_.length : first);
    this.known_ = this.known_.filter(({ t_ms }) => t_ms >= before_ms);
  }

  private compare(t_ms: number, before: Cast, now: Cast): void {
    for (const member of now.by_id.values()) {
      const old = before.by_id.get(member.id);
      if (!old) {
        // In a crowd people come all the time: only a character that a visitor added is told of.
        const told =
          now.members.length <= kCrowd ||
          this.known_.some(({ character }) => character === member.id);
        if (told) this.add(t_ms, 'join', member.id, name_of(member));
      } else if (old !== member && edited(old, member))
        this.add(t_ms, 'edit', member.id, name_of(member));
    }
    for (const member of before.by_id.values())
      if (!now.by_id.has(member.id)) this.add(t_ms, 'leave', member.id, name_of(member));
  }

  private add(t_ms: number, kind: MarkKind, character: number, name: string): void {
    const last =
      this.marks_[
        last_index(this.marks_, (mark) => mark.kind === kind && mark.character === character)
      ];
    if (kind === 'edit' && last && t_ms - last.t_ms < kSame_ms) return;
    const known = this.known_.findIndex(
      (one) =>
        one.kind === kind &&
        one.character === character &&
        Math.abs(one.t_ms - t_ms) < kTogether_ms,
    );
    const [credit] = known >= 0 ? this.known_.splice(known, 1) : [];
    this.marks_.push({ t_ms, kind, character, name, by: credit?.by });
    if (this.marks_.length > kMost) this.marks_.shift();
  }
}

function last_index<T>(list: readonly T[], fits: (value: T) => boolean): number {
  let i = list.length - 1;
  while (i >= 0 && !fits(list[i] as T)) --i;
  return i;
}

/** Whether style, body, controller or colour has changed; a body that arrives late is no change. */
function edited(before: Member, now: Member): boolean {
  const body = before.complete && (!now.complete || before.skeleton !== now.skeleton);
  return (
    body ||
    before.style !== now.style ||
    before.style_edited !== now.style_edited ||
    before.controller !== now.controller ||
    before.color !== now.color
  );
}
