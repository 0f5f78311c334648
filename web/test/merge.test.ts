import { create } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { Axis, type Style, StyleSchema } from '../src/gen/promenade/v1/style_pb';
import type { CommandOutcome } from '../src/net/messages';
import { with_factor, with_scale } from '../src/state/edit/body_doc';
import {
  body_differences,
  merged_body,
  merged_style,
  same_value,
  style_differences,
} from '../src/state/edit/merge';
import {
  kSlots,
  points_of,
  refs_in,
  type Slot,
  with_new_curve,
  with_number,
  with_points,
} from '../src/state/edit/style_doc';
import { type CommandKind, LiveDocument, type Subject } from '../src/ui/editor/live_document';

const slot = (key: string): Slot => kSlots.find((one) => one.key === key) as Slot;
const kNeck = slot('neck.PITCH');
const kPelvis = slot('pelvis.ROLL');

function first_style(): Style {
  let style: Style = create(StyleSchema, { name: 'mine', leanDeg: 2, crouchDeg: 10 });
  for (const one of [kNeck, kPelvis])
    style = with_new_curve(style, one, 'left', [{ phase: 0.5, value: 1 }]) as Style;
  return style;
}

function with_value(style: Style, one: Slot, value: number): Style {
  const [ref] = refs_in(style, one, 'left');
  return ref ? with_points(style, ref, [{ phase: 0.5, value }]) : style;
}
const value_of = (style: Style, one: Slot) => {
  const [ref] = refs_in(style, one, 'left');
  return ref && points_of(style, ref)[0]?.value;
};

describe('edits of two people', () => {
  test('of a style are both kept where they are about different things', () => {
    const base = first_style();
    const mine = with_value(with_number(base, 'leanDeg', 9), kNeck, 11);
    const theirs = with_value(with_number(base, 'crouchDeg', 30), kPelvis, 22);
    const both = merged_style(base, mine, theirs);
    expect(both.leanDeg).toBe(9);
    expect(both.crouchDeg).toBe(30);
    expect(value_of(both, kNeck)).toBe(11);
    expect(value_of(both, kPelvis)).toBe(22);
    expect(style_differences(base, theirs)).toEqual(['Crouch', 'Pelvis, roll']);
    expect(style_differences(base, base)).toEqual([]);
  });

  test('curves that one has taken away or added stay so', () => {
    const base = first_style();
    const [neck] = refs_in(base, kNeck, 'left');
    const mine = with_points(base, neck as NonNullable<typeof neck>, []);
    const theirs = with_new_curve(base, slot('lower_back.YAW'), 'left', [
      { phase: 0, value: 4 },
    ]) as Style;
    const both = merged_style(base, mine, theirs);
    expect(both.curves.map(({ joint }) => joint)).toEqual(['pelvis', 'lower_back']);
    expect(both.curves[0]?.axis).toBe(Axis.ROLL);
  });

  test('of a body are both kept, and go by the link', () => {
    const base = create(CreatureSchema, { name: 'human', base: 'human' });
    const mine = with_factor(base, 'left_shank', 'length', 1.2, false);
    const theirs = with_factor(with_scale(base, 0.9), 'left_thigh', 'width', 1.3, false);
    const both = merged_body(base, mine, merged_body(base, theirs, base));
    expect(both.edit?.scale).toBe(0.9);
    expect(both.edit?.links.map(({ link }) => link)).toEqual(['left_thigh', 'left_shank']);
    expect(body_differences(base, theirs)).toEqual(['Size', 'Left thigh']);
  });

  test('of a body that somebody has replaced do not count', () => {
    const base = create(CreatureSchema, { name: 'human', base: 'human' });
    const theirs = create(CreatureSchema, { name: 'child', base: 'child' });
    expect(merged_body(base, with_scale(base, 0.9), theirs).base).toBe('child');
  });
});

/** A room with one character, told of and answering as the server does; its delays come from `random`. */
class Room {
  style = first_style();
  tick = 0;
  private ids_ = new Map<string, bigint>();
  private readonly viewers_: LiveDocument<Style>[] = [];

  constructor(private readonly random_: () => number) {}

  private id(style = this.style): bigint {
    const key = JSON.stringify(style);
    if (!this.ids_.has(key)) this.ids_.set(key, BigInt(this.ids_.size + 1));
    return this.ids_.get(key) as bigint;
  }
  private wait(least_ms: number, most_ms: number): Promise<void> {
    return new Promise((done) =>
      setTimeout(done, least_ms + (most_ms - least_ms) * this.random_()),
    );
  }
  private get shown() {
    return { name: 'mine', edited: true, id: this.id() };
  }

  viewer(): LiveDocument<Style> {
    const subject: Subject<Style> = {
      fetch: async () => {
        await this.wait(1, 8);
        const value = {
          doc: this.style,
          source: { name: 'mine', title: '', version: 0, built_in: false },
          id: this.id(),
          tick: this.tick,
        };
        await this.wait(1, 8);
        return { kind: 'done', value };
      },
      by_definition: (character, definition, basedOn) => ({
        case: 'setStyle',
        value: { character, definition, basedOn },
      }),
      by_name: (character, style) => ({ case: 'setStyle', value: { character, style } }),
      same: same_value,
      merged: merged_style,
      differences: style_differences,
      name_of: ({ name }) => name,
      every_ms: 50,
    };
    const one = new LiveDocument(1, subject, (kind) => this.take(kind), this.shown);
    this.viewers_.push(one);
    return one;
  }

  private async take(kind: CommandKind): Promise<CommandOutcome> {
    await this.wait(1, 20);
    if (kind.case !== 'setStyle') throw new Error(kind.case);
    const { definition, basedOn } = kind.value as { definition: Style; basedOn: Style };
    const before = this.id();
    this.style = merged_style(basedOn, definition, this.style);
    const [after, tick, shown] = [this.id(), this.tick++, this.shown];
    for (const viewer of this.viewers_) void this.wait(15, 33).then(() => viewer.roster(shown));
    await this.wait(1, 20);
    return { kind: 'done', tick, character: 0, tie: 0, before, after, received_ms: 0 };
  }
}

const kLook_ms = 5; // how often the other page is looked at

describe('two pages', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('that make 500 edits at once lose none, and show each other’s within 100 ms', async () => {
    let seed = 1;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const room = new Room(random);
    const [a, b] = [room.viewer(), room.viewer()];
    const told: string[] = [];
    b.on_others = (titles) => told.push(...titles);
    await vi.advanceTimersByTimeAsync(100);
    const late: number[] = [];
    const unseen = new Map<number, number>(); // value to when it was made
    for (let i = 1; i <= 250; ++i) {
      const lean = i / 10;
      a.edit(with_number(a.doc as Style, 'leanDeg', lean), 'drag');
      unseen.set(lean, performance.now());
      b.edit(with_value(b.doc as Style, kNeck, i), 'drag');
      for (let ms = 0; ms < 60; ms += kLook_ms) {
        await vi.advanceTimersByTimeAsync(kLook_ms);
        const seen = (b.doc as Style).leanDeg;
        const made = unseen.get(seen);
        if (made === undefined) continue;
        late.push(performance.now() - made);
        unseen.delete(seen);
      }
      expect((b.doc as Style).leanDeg).toBeGreaterThanOrEqual(lean - 0.5);
      expect(value_of(b.doc as Style, kNeck)).toBe(i); // no jump back under the hand
    }
    await vi.advanceTimersByTimeAsync(500);
    for (const style of [room.style, a.doc as Style, b.doc as Style]) {
      expect(style.leanDeg).toBe(25);
      expect(value_of(style, kNeck)).toBe(250);
    }
    late.sort((x, y) => x - y);
    expect(late.length).toBeGreaterThan(200);
    expect(late[Math.floor(0.95 * late.length)]).toBeLessThan(100);
    expect(new Set(told)).toEqual(new Set(['Lean']));
    // Undo takes back the visitor's own drag, and nothing of the other's.
    b.undo();
    await vi.advanceTimersByTimeAsync(500);
    expect(value_of(room.style, kNeck)).toBe(1);
    expect(room.style.leanDeg).toBe(25);
    expect((a.doc as Style).leanDeg).toBe(25);
    expect(value_of(a.doc as Style, kNeck)).toBe(1);
  }, 60_000);
});
