import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import {
  ActSchema,
  AttentionSchema,
  VisitorsChangeSchema,
  VisitorsSchema,
} from '../src/gen/promenade/v1/wire_pb';
import { kFlag } from '../src/net/frame';
import { changed_visitors } from '../src/net/changes';
import { deed_words, listed } from '../src/state/visitors/act_words';
import { rules_of } from '../src/state/room/command_rules';
import { Company } from '../src/state/visitors/company';
import { mark_text } from '../src/state/recording/marks';
import { Room } from './room';

const kUnit_m = 0.001;
const kEntries = [
  { number: 1, visitor: 'me', name: 'Quiet Heron', color: '#1d63b8' },
  { number: 2, visitor: 'fox', name: 'Amber Fox', color: '#c2410c' },
];

function company(): Company {
  const made = new Company();
  made.be('me');
  made.receive_visitors(create(VisitorsSchema, { version: 1n, visitors: kEntries }));
  return made;
}

function attend(
  to: Company,
  now_ms: number,
  ...visitors: MessageInitShape<typeof AttentionSchema>['visitors'] & object
): void {
  to.receive_attention(create(AttentionSchema, { visitors }), kUnit_m, now_ms);
}

function act(more: MessageInitShape<typeof ActSchema>) {
  return create(ActSchema, { visitor: 'fox', name: 'Amber Fox', color: '#c2410c', ...more });
}

describe('the company', () => {
  test('has the others, without this viewer', () => {
    const one = company();
    expect(one.me?.name).toBe('Quiet Heron');
    expect(one.others.map(({ name }) => name)).toEqual(['Amber Fox']);
    one.clear();
    expect(one.others).toEqual([]);
  });

  test('takes changes of the list over, by numbers', () => {
    const before = create(VisitorsSchema, { version: 1n, visitors: kEntries });
    const change = create(VisitorsChangeSchema, {
      fromVersion: 1n,
      version: 2n,
      removed: [1],
      visitors: [
        { number: 2, visitor: 'fox', name: 'Anna', color: '#c2410c' },
        { number: 3, visitor: 'c', name: 'Ben', color: '#15803d' },
      ],
    });
    const after = changed_visitors(before, change);
    expect(after.visitors.map(({ name }) => name)).toEqual(['Anna', 'Ben']);
    expect(() => changed_visitors(after, change)).toThrow(/from visitors 1/);
  });

  test('lets pointers glide, and shows none that is still, gone or this viewer’s', () => {
    const one = company();
    attend(one, 1000, { number: 1, pointer: [5, 5, 0] }, { number: 2, pointer: [1000, 0, 0] });
    expect(one.cursors(1000).map(({ point }) => point)).toEqual([[1, 0, 0]]);
    attend(one, 1100, { number: 2, pointer: [2000, 0, 0] });
    expect(one.cursors(1160)[0]?.point[0]).toBeCloseTo(1.5);
    expect(one.cursors(1300)[0]?.point[0]).toBeCloseTo(2);
    // A message about something else does not make it move.
    attend(one, 1400, { number: 2, pointer: [2000, 0, 0], selected: [4] });
    expect(one.cursors(1400)[0]?.point[0]).toBeCloseTo(2);
    const [fox] = one.others;
    expect(fox && one.selected_by(fox)).toEqual([4]);
    expect(one.cursors(22_000)).toEqual([]);
    attend(one, 22_100, { number: 2, selected: [4] });
    expect(one.cursors(22_100)).toEqual([]);
  });

  test('shows for a moment what others did to somebody, and the visitor who stopped the clock', () => {
    const one = company();
    one.receive_act(act({ command: 'push', character: 3 }), 1000);
    one.receive_act(act({ command: 'push', character: 3 }), 1100);
    one.receive_act(act({ command: 'push', character: 3, visitor: 'me' }), 1100);
    one.receive_act(act({ command: 'pause' }), 1200);
    expect(one.deeds(1300).map(({ name, character }) => [name, character])).toEqual([
      ['Amber Fox', 3],
    ]);
    expect(one.deeds(4000)).toEqual([]);
    expect(one.of_clock.value).toMatchObject({ name: 'Amber Fox', command: 'pause', mine: false });
  });

  test('knows the visitor who stopped the clock at a moment, and not the one before', () => {
    const one = company();
    expect(one.clock_deed('pause', 500)).toBeUndefined();
    one.receive_act(act({ command: 'pause', tick: 500n }), 1000);
    expect(one.clock_deed('pause', 501)?.name).toBe('Amber Fox');
    expect(one.clock_deed('resume', 501)).toBeUndefined();
    expect(one.clock_deed('pause', 620)).toBeUndefined();
  });
});

describe('deeds in words', () => {
  test('are short, and merge those they are about', () => {
    const told = (command: string, whom: readonly string[] = [], scene = '') =>
      deed_words(rules_of(command).deed ?? '', whom, scene);
    expect(told('set_style', ['Human 1'])).toBe('changed Human 1');
    expect(told('set_tasks', ['Human 1', 'Human 2'])).toBe('gave tasks to Human 1 and Human 2');
    expect(told('reset')).toBe('put back everybody');
    expect(told('tie')).toBe('tied something');
    expect(told('load_scene', [], 'The $& ice')).toBe('loaded the scene “The $& ice”');
    expect(told('push')).toBe(''); // in the picture
    expect(told('pause')).toBe(''); // on the clock bar
    expect(told('swim')).toBe(''); // only a newer server knows it
    expect(listed(['Human 1'])).toBe('Human 1');
    expect(listed(['Human 1', 'Child 2'])).toBe('Human 1 and Child 2');
    expect(listed(['a', 'b', 'c'])).toBe('3 of those here');
    expect(listed([])).toBe('everybody');
  });

  test('are credited in the recording', () => {
    const room = new Room();
    room.world.receive({
      kind: 'visitors',
      visitors: create(VisitorsSchema, { version: 1n, visitors: kEntries }),
    });
    room.roster([1, 2]);
    room.frame();
    room.frame({ flags: [kFlag.pushed] });
    const tick = BigInt(room.tick);
    room.world.receive({
      kind: 'act',
      act: act({ command: 'push', character: 1, tick }),
      received_ms: 0,
    });
    // Before its effect is seen.
    room.world.receive({
      kind: 'act',
      act: act({ command: 'remove', character: 2, tick }),
      received_ms: 0,
    });
    room.roster([1]);
    room.frame();
    expect(room.world.recording.marks.map(mark_text)).toEqual([
      'first started',
      'Amber Fox pushed Human 1',
      'Amber Fox removed Human 2',
    ]);
    expect(room.world.recording.marks[1]?.by?.color).toBe('#c2410c');
  });
});
