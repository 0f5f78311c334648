import { create, fromBinary, fromJson, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CommandSchema } from '../src/gen/promenade/v1/command_pb';
import {
  Await_Event,
  DemonstrationStep_Overlay,
  DemonstrationStepSchema,
} from '../src/gen/promenade/v1/demonstration_pb';
import type { CommandKind } from '../src/net/messages';
import { type Scene, SceneSchema } from '../src/gen/promenade/v1/scene_pb';
import {
  Demonstration,
  type Hands,
  type Now,
  type Observed,
} from '../src/state/show/demonstration';
import { reading_s } from '../src/state/show/demonstration';
import type { Span } from '../src/state/recording/lookback';
import { calm_s, own_task } from '../src/state/show/subjects';
import type { Cast } from '../src/state/room/roster';
import { role_for } from '../src/ui/show/show_me';

type StepInit = MessageInitShape<typeof DemonstrationStepSchema>;

/** Plays the page, and the clocks; notes what is done. */
class Stage implements Hands {
  readonly done: string[] = [];
  now: Now = { wall_s: 100, room_s: 7, shown_ms: 5000, calm_s: Infinity };
  body: Observed | undefined = { place: [0, 0, 1], rotation: [0, 0, 0, 1], fallen: false };
  there = true;
  may_act = true;
  over = false;

  readonly show: Demonstration;

  constructor(steps: readonly StepInit[]) {
    this.show = new Demonstration(
      steps.map((step) => create(DemonstrationStepSchema, step)),
      this,
    );
  }

  tell = (sentence: string) => void this.done.push(`says ${sentence}`);
  find = () => (this.there ? 3 : undefined);
  select = (id: number) => void this.done.push(`selects ${id}`);
  look = () => void this.done.push('looks');
  overlays = (shown: readonly DemonstrationStep_Overlay[]) =>
    void this.done.push(`shows ${shown.map((one) => DemonstrationStep_Overlay[one]).join()}`);
  act = ({ case: kind }: { case: string }) => {
    this.done.push(kind);
    return this.may_act;
  };
  observe = () => this.body;
  again = ({ from_ms, to_ms }: Span, speed: number) =>
    void this.done.push(`again ${from_ms} to ${to_ms} at ${speed}`);
  again_is_over = () => this.over;
  live = () => void this.done.push('live');

  /** Lets both clocks go on. */
  pass(seconds: number, calm = Infinity): readonly string[] {
    const { wall_s, room_s, shown_ms } = this.now;
    this.now = {
      ...{ wall_s: wall_s + seconds, room_s: room_s + seconds },
      ...{ shown_ms: shown_ms + 1000 * seconds, calm_s: calm },
    };
    this.show.advance(this.now);
    return this.done.splice(0);
  }
}

const push = { act: { case: 'shove', value: { bodyWeights: 0.5 } } } as const;
const fall = { event: Await_Event.FALL, withinS: 3 } as const;
const again = {
  act: { case: 'again', value: { beforeS: 0.5, afterS: 1, speed: 0.2 } },
} as const;

describe('a demonstration', () => {
  test('tells, looks, shows and acts in this order, and ends', () => {
    const stage = new Stage([
      {
        say: 'One',
        subject: {},
        look: { side: 'left' },
        overlays: [DemonstrationStep_Overlay.COM],
        ...push,
      },
      { say: 'Two' },
    ]);
    expect(stage.pass(0)).toEqual(['selects 3', 'says One', 'looks', 'shows COM', 'shove']);
    expect(stage.pass(0.1)).toEqual([]);
    expect(stage.pass(reading_s('One'))).toEqual(['says Two']);
    expect(stage.show.progress).toBe(0.5);
    stage.pass(reading_s('Two') + 0.1);
    expect(stage.show.ending).toBe('done');
  });

  test('leaves time to read, however fast the room runs, and waits for the room, however slow', () => {
    const fast = new Stage([{ say: 'A sentence to be read', waitS: 2 }, { say: 'Next' }]);
    fast.pass(0);
    fast.now = { ...fast.now, room_s: fast.now.room_s + 500 };
    expect(fast.pass(0.5)).toEqual([]);
    expect(fast.pass(2)).toEqual(['says Next']);
    const slow = new Stage([{ waitS: 2 }, { say: 'Next' }]);
    slow.pass(0);
    slow.now = { ...slow.now, wall_s: slow.now.wall_s + 500 };
    expect(slow.pass(1.9)).toEqual([]);
    expect(slow.pass(0.2)).toEqual(['says Next']);
  });

  test('tells the outcome that came, and looks back from the act to a little after it', () => {
    const steps = [
      { subject: {}, ...push, until: fall },
      { say: 'Down', otherwise: 'Up', ...again },
    ];
    const falls = new Stage(steps);
    falls.pass(0);
    falls.pass(1.5);
    falls.body = { place: [0, 0, 0.2], rotation: [0, 0, 0, 1], fallen: true };
    expect(falls.pass(0.5)).toEqual(['says Down', 'again 4500 to 8000 at 0.2']);
    const stands = new Stage(steps);
    stands.pass(0);
    expect(stands.pass(2.9)).toEqual([]);
    expect(stands.pass(0.2)).toEqual(['says Up', 'again 4500 to 6000 at 0.2']);
  });

  test('shows the past to its end, then the present again', () => {
    const stage = new Stage([push, again, again, { say: 'Now' }]);
    stage.pass(0);
    expect(stage.pass(0.1)).toEqual(['again 4500 to 6000 at 0.2']);
    expect(stage.show.in_past).toBe(true);
    expect(stage.pass(60)).toEqual([]);
    stage.over = true;
    expect(stage.pass(0.1)).toEqual(['again 4500 to 6000 at 0.2']); // from one look to the next without the present
    expect(stage.pass(0.1)).toEqual(['live', 'says Now']);
    expect(stage.show.in_past).toBe(false);
  });

  test('begins a step only when the script is calm for long enough', () => {
    const stage = new Stage([{ say: 'Quiet', calmS: 4 }]);
    expect(stage.pass(1, 3.9)).toEqual([]);
    expect(stage.pass(1, 4.1)).toEqual(['says Quiet']);
  });

  test('says otherwise where an act may not be done', () => {
    const stage = new Stage([
      { act: { case: 'command', value: {} } },
      { say: 'Fast', otherwise: 'As ever' },
    ]);
    stage.may_act = false;
    stage.pass(0);
    expect(stage.pass(0.1)).toEqual(['says As ever']);
  });

  test('ends where no character fits, or the watched one is gone', () => {
    const nobody = new Stage([{ subject: {} }]);
    nobody.there = false;
    nobody.pass(0);
    expect(nobody.show.ending).toBe('gone');
    const gone = new Stage([{ subject: {}, ...push, until: fall }]);
    gone.pass(0);
    gone.body = undefined;
    gone.pass(0.1);
    expect(gone.show.ending).toBe('gone');
  });

  test('sees bodies move, turn, arrive and fall out of the world', () => {
    const comes = (until: StepInit['until'], body: Partial<Observed>) => {
      const stage = new Stage([
        { subject: {}, ...(until && { until }) },
        { say: 'Yes', otherwise: 'No' },
      ]);
      stage.pass(0);
      stage.body = { ...(stage.body as Observed), ...body };
      return stage.pass(0.1).includes('says Yes');
    };
    const event = (kind: Await_Event, more = {}) => ({ event: kind, withinS: 5, ...more });
    expect(comes(event(Await_Event.MOVE, { byM: 1 }), { place: [0, 1.1, 1] })).toBe(true);
    expect(comes(event(Await_Event.MOVE, { byM: 1 }), { place: [0, 0.9, 1] })).toBe(false);
    const quarter = Math.SQRT1_2;
    const tilted = { rotation: [quarter, 0, 0, quarter] } as const;
    expect(comes(event(Await_Event.TILT, { byDeg: 89 }), tilted)).toBe(true);
    expect(comes(event(Await_Event.TILT, { byDeg: 91 }), tilted)).toBe(false);
    const there = event(Await_Event.REACH, { atM: [2, 0], byM: 0.5 });
    expect(comes(there, { place: [1.6, 0.1, 4] })).toBe(true);
    expect(comes(there, { place: [1, 0, 1] })).toBe(false);
    expect(comes(fall, { place: [0, 0, -1] })).toBe(true);
  });
});

const folder = new URL('../../server/data/scenes/', import.meta.url);
const scenes: readonly Scene[] = readdirSync(folder).map((file) =>
  fromJson(SceneSchema, JSON.parse(readFileSync(new URL(file, folder), 'utf8')), {
    ignoreUnknownFields: true, // the page knows nothing of flows
  }),
);

describe('the scenes that ship', () => {
  test.each(scenes.map((scene) => [scene.name, scene] as const))('%s shows its try', (_, scene) => {
    const steps = scene.demonstration;
    expect(steps.length).toBeGreaterThan(2);
    const sentences = steps.flatMap(({ say, otherwise }) => [say, otherwise]).filter(Boolean);
    for (const sentence of sentences) expect(sentence.length).toBeLessThanOrEqual(90);
    // Whatever is done live is seen once more, slowly.
    expect(steps.some(({ act }) => act.case === 'again')).toBe(true);
    // A sentence that depends on the outcome has another for the other outcome.
    steps.forEach(({ until }, i) => {
      const told = steps.slice(i + 1).find(({ say }) => say);
      if (until && until.event !== Await_Event.REACH) expect(told?.otherwise).toBeTruthy();
    });
    // The script leaves so much time at some moment.
    const moments = Array.from({ length: 2000 }, (_unused, i) => calm_s(scene, 0.1 * i));
    for (const { calmS } of steps) expect(calmS).toBeLessThan(Math.max(...moments));
  });
});

describe('what a demonstration needs', () => {
  const steps = (...acts: StepInit[]) => acts.map((step) => create(DemonstrationStepSchema, step));

  test('is the least role that may do all of it', () => {
    expect(role_for(steps(push, again))).toBe('player');
    expect(role_for(steps(push, { act: { case: 'pull', value: {} } }))).toBe('operator');
    expect(role_for(steps({ act: { case: 'throw', value: {} } }))).toBe('operator');
    const command = (kind: CommandKind) => steps({ act: { case: 'command', value: { kind } } });
    expect(role_for(command({ case: 'setStyle', value: {} }))).toBe('operator'); // of anybody
    // A visitor who may not change the clock sees the step without that.
    expect(role_for(command({ case: 'setTimeScale', value: { scale: 0 } }))).toBe('player');
    expect(role_for([])).toBe('player');
  });

  test('is calm until the script goes on, round and round', () => {
    const scene = create(SceneSchema, { script: [{ atS: 2 }, { atS: 10 }], scriptPeriodS: 10 });
    expect(calm_s(scene, 1)).toBe(1);
    expect(calm_s(scene, 3)).toBe(7);
    expect(calm_s(scene, 21.5)).toBeCloseTo(0.5);
    expect(calm_s(create(SceneSchema, { script: [{ atS: 2 }] }), 3)).toBeGreaterThan(1e6);
  });

  test('is taken back by what the scene told them', () => {
    const scene = create(SceneSchema, {
      characters: [{ body: 'human', speedMps: 0.8, headingDeg: 90 }, { body: 'child' }],
      crowds: [{ count: 2, centerM: [1, 2], radiusM: 5, wander: true }],
    });
    const ids = [7, 8, 9, 10, 11];
    const names = ['human', 'giant', 'human', 'human', 'human'];
    const by_id = new Map(ids.map((id, i) => [id, { thing: false, skeleton: { name: names[i] } }]));
    const task = (id: number) => own_task(scene, { by_id } as unknown as Cast, id);
    expect(task(7).map((kind) => kind.case)).toEqual(['setVelocity', 'setHeading']);
    expect(task(8)).toEqual([{ case: 'reset', value: { character: 8 } }]); // another body than the scene's
    expect(task(10)[0]?.value).toEqual({ character: 10, centerM: [1, 2], radiusM: 5 });
    expect(task(11)[0]?.case).toBe('reset'); // came later
  });

  test('is taken back by the order that the scene gave', () => {
    const order = { kind: { case: 'setWander' as const, value: { radiusM: 5 } } };
    const scene = create(SceneSchema, { characters: [{ body: 'human', order }] });
    const by_id = new Map([[7, { thing: false, skeleton: { name: 'human' } }]]);
    const [again, more] = own_task(scene, { by_id } as unknown as Cast, 7);
    expect(again).toMatchObject({ case: 'setWander', value: { character: 7, radiusM: 5 } });
    expect(more).toBeUndefined();
    const sent = toBinary(CommandSchema, create(CommandSchema, { kind: again as CommandKind }));
    expect(fromBinary(CommandSchema, sent).kind.value).toMatchObject({ character: 7, radiusM: 5 });
  });

  test('gives nobody the task of another where the first is not there any more', () => {
    const scene = create(SceneSchema, {
      characters: [{ body: 'human', speedMps: 0.8 }, { body: 'human' }, { body: 'human' }],
    });
    const task = (id: number, ids: readonly number[], things: readonly number[] = []) => {
      const by_id = new Map(
        [...ids, ...things].map((one) => [
          one,
          { thing: things.includes(one), skeleton: { name: 'human' } },
        ]),
      );
      return own_task(scene, { by_id } as unknown as Cast, id)[0]?.case;
    };
    expect(task(8, [7, 8, 9])).toBe('stop');
    expect(task(8, [8, 9])).toBe('reset');
    expect(task(8, [8, 9, 11])).toBe('reset');
    expect(task(8, [7, 8])).toBe('reset'); // one cannot tell who it is
    expect(task(8, [8, 9], [10])).toBe('reset'); // a thing that was added
    scene.things.push(...create(SceneSchema, { things: [{ thing: 'ball' }] }).things);
    expect(task(8, [7, 8, 9], [10])).toBe('stop');
    expect(task(8, [8, 9, 11], [10])).toBe('reset');
  });
});
