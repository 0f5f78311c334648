import { create } from '@bufbuild/protobuf';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ErrorCode, ErrorSchema } from '../src/gen/promenade/v1/wire_pb';
import type { CommandOutcome } from '../src/net/messages';
import {
  type CommandKind,
  LiveDocument,
  type Source,
  type Subject,
} from '../src/ui/editor/live_document';

const kSource: Source = { name: 'normal', title: 'Normal', version: 0, built_in: true };

/** A room with one character whose "style" is a word. */
class Room {
  has = 'normal';
  edited = false;
  sent: string[] = [];
  refuse: string | undefined;
  answer_ms = 5;
  tick = 0;
  /** Of a word: the same word has the same id. */
  id(word = this.has, edited = this.edited): bigint {
    return [...word].reduce(
      (sum, letter) => 31n * sum + BigInt(letter.charCodeAt(0)),
      edited ? 2n : 1n,
    );
  }
  get shown() {
    return { name: this.has, edited: this.edited, id: this.id() };
  }
  readonly subject: Subject<string> = {
    fetch: () =>
      Promise.resolve({
        kind: 'done',
        value: {
          doc: this.has,
          source: { ...kSource, name: this.has, built_in: !this.edited },
          id: this.id(),
          tick: this.tick,
        },
      }),
    merged: (base, mine, theirs) => (mine === base ? theirs : mine),
    differences: (a, b) => (a === b ? [] : ['the word']),
    by_definition: (character, doc) => ({
      case: 'setStyle',
      value: { character, definition: { name: doc } },
    }),
    by_name: (character, style) => ({ case: 'setStyle', value: { character, style } }),
    same: (a, b) => a === b,
    name_of: (doc) => doc,
    every_ms: 50,
  };

  ask = async (kind: CommandKind): Promise<CommandOutcome> => {
    await new Promise((resolve) => setTimeout(resolve, this.answer_ms));
    if (kind.case !== 'setStyle') throw new Error(kind.case);
    const { style, definition } = kind.value;
    const name = style || definition?.name || '';
    if (name === this.refuse) {
      const error = create(ErrorSchema, {
        code: ErrorCode.INVALID,
        field: 'set_style.definition.lean_deg',
        value: '99',
        allowed: 'from -45 to 45 degrees',
      });
      return { kind: 'refused', error };
    }
    const before = this.id();
    this.has = name;
    this.edited = !style;
    this.sent.push(style ? `name ${name}` : name);
    const tick = this.tick++;
    return { kind: 'done', tick, character: 0, tie: 0, before, after: this.id(), received_ms: 0 };
  };
}

async function open(room: Room): Promise<LiveDocument<string>> {
  const one = new LiveDocument(3, room.subject, room.ask, room.shown);
  await vi.advanceTimersByTimeAsync(1);
  return one;
}

describe('a live document', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('begins with what the character has', async () => {
    const one = await open(new Room());
    expect(one.doc).toBe('normal');
    expect(one.edited).toBe(false);
    expect(one.source.value?.built_in).toBe(true);
  });

  test('sends the first change at once, then at most one in 50 ms, the last one always', async () => {
    const room = new Room();
    const one = await open(room);
    for (let i = 1; i <= 20; ++i) {
      one.edit(`v${i}`, 'drag');
      await vi.advanceTimersByTimeAsync(8);
    }
    await vi.advanceTimersByTimeAsync(200);
    expect(room.sent[0]).toBe('v1');
    expect(room.sent.at(-1)).toBe('v20');
    expect(room.sent.length).toBeLessThanOrEqual(5);
    one.undo();
    await vi.advanceTimersByTimeAsync(100);
    expect(room.has).toBe('normal'); // the whole drag at once
    one.redo();
    await vi.advanceTimersByTimeAsync(100);
    expect(room.has).toBe('v20');
  });

  test('keeps only the newest while an answer is late', async () => {
    const room = new Room();
    const one = await open(room);
    room.answer_ms = 400;
    for (const value of ['a', 'b', 'c', 'd']) {
      one.edit(value);
      await vi.advanceTimersByTimeAsync(60);
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(room.sent).toEqual(['a', 'd']);
  });

  test('reset goes back to what it was, and can be undone', async () => {
    const room = new Room();
    const one = await open(room);
    one.edit('a');
    one.edit('b');
    one.reset();
    await vi.advanceTimersByTimeAsync(100);
    expect(room.has).toBe('normal');
    expect(one.edited).toBe(false);
    one.undo();
    await vi.advanceTimersByTimeAsync(100);
    expect(room.has).toBe('b');
  });

  test('tells where a refusal belongs, and forgets it when the next one is taken', async () => {
    const room = new Room();
    room.refuse = 'bad';
    const one = await open(room);
    one.edit('bad');
    await vi.advanceTimersByTimeAsync(60);
    expect(one.problem.value).toEqual({
      field: 'set_style.definition.lean_deg',
      text: '99 is not allowed. Allowed: from -45 to 45 degrees.',
    });
    expect(room.has).toBe('normal');
    one.edit('good');
    await vi.advanceTimersByTimeAsync(60);
    expect(one.problem.value).toBeUndefined();
  });

  test('an upload that is refused changes nothing', async () => {
    const room = new Room();
    room.refuse = 'bad';
    const one = await open(room);
    const refused = one.offer('bad');
    await vi.advanceTimersByTimeAsync(60);
    expect(await refused).toMatchObject({ text: expect.stringContaining('from -45 to 45') });
    expect(one.doc).toBe('normal');
    expect(one.history.value?.can_undo).toBe(false);
    const taken = one.offer('good');
    await vi.advanceTimersByTimeAsync(60);
    expect(await taken).toBeUndefined();
    expect(one.doc).toBe('good');
  });

  test('an upload does not undo edits that are made while it is sent', async () => {
    const room = new Room();
    const one = await open(room);
    room.answer_ms = 100;
    const upload = one.offer('upload');
    await vi.advanceTimersByTimeAsync(20);
    one.edit('edit');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await upload).toBe('overtaken');
    expect(one.doc).toBe('edit');
    expect(room.has).toBe('edit');
  });

  test('an upload is not undone by an edit that was to be sent before it', async () => {
    const room = new Room();
    const one = await open(room);
    for (const value of ['a', 'b']) one.edit(value);
    await vi.advanceTimersByTimeAsync(20); // a has arrived, b waits for its time
    const upload = one.offer('upload');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await upload).toBeUndefined();
    expect(one.doc).toBe('upload');
    expect(room.has).toBe('upload');
  });

  test('of two uploads at once the room has the one that is shown', async () => {
    const room = new Room();
    const one = await open(room);
    const uploads = ['a', 'b'].map((doc) => one.offer(doc));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await Promise.all(uploads)).toEqual([undefined, 'overtaken']);
    expect(one.doc).toBe('a');
    expect(room.has).toBe('a');
  });

  test('what is edited while it is being saved stays, as an edit of what was saved', async () => {
    const room = new Room();
    const one = await open(room);
    const source = { name: 'mine', title: 'Mine', version: 1, built_in: false };
    one.edit('a');
    one.edit('b');
    one.saved('mine', source, 'mine, with b');
    await vi.advanceTimersByTimeAsync(200);
    expect(one.doc).toBe('mine, with b');
    expect(one.edited).toBe(true);
    expect(room.sent.at(-1)).toBe('mine, with b');
    one.reset();
    expect(one.doc).toBe('mine');
  });

  test('a saved style is walked by its name from then on', async () => {
    const room = new Room();
    const one = await open(room);
    one.edit('mine');
    one.saved('mine', { name: 'mine', title: 'Mine', version: 1, built_in: false });
    await vi.advanceTimersByTimeAsync(200);
    expect(room.sent.at(-1)).toBe('name mine');
    expect(one.edited).toBe(false);
  });

  test('follows somebody else’s change, but not the echo of its own', async () => {
    const room = new Room();
    const one = await open(room);
    one.edit('a');
    await vi.advanceTimersByTimeAsync(100);
    const fetch = vi.spyOn(room.subject, 'fetch');
    one.roster(room.shown);
    await vi.advanceTimersByTimeAsync(1000);
    expect(fetch).not.toHaveBeenCalled();
    room.has = 'march';
    room.edited = false;
    ++room.tick;
    one.roster(room.shown);
    await vi.advanceTimersByTimeAsync(1000);
    expect(one.doc).toBe('march');
    one.undo();
    expect(one.doc).toBe('a');
  });

  test('follows it also when it came while an edit was under way and not taken', async () => {
    const room = new Room();
    const one = await open(room);
    room.answer_ms = 2000;
    room.refuse = 'bad';
    one.edit('bad');
    room.has = 'march';
    room.edited = false;
    ++room.tick;
    one.roster(room.shown);
    await vi.advanceTimersByTimeAsync(5000);
    expect(one.doc).toBe('march');
  });

  test('what is fetched does not replace an edit that was made meanwhile', async () => {
    const room = new Room();
    const one = await open(room);
    const { fetch } = room.subject;
    vi.spyOn(room.subject, 'fetch').mockImplementation(async (character) => {
      const answer = await fetch(character);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return answer;
    });
    room.has = 'march';
    room.edited = false;
    ++room.tick;
    one.roster(room.shown);
    await vi.advanceTimersByTimeAsync(500);
    one.edit('mine');
    await vi.advanceTimersByTimeAsync(200);
    one.roster(room.shown);
    await vi.advanceTimersByTimeAsync(5000);
    expect(one.doc).toBe('mine');
    expect(room.has).toBe('mine');
  });
});
