import { create, fromJson } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { CharacterDetailsSchema, type CharacterDetails } from '../src/gen/promenade/v1/wire_pb';
import { GaitCycles } from '../src/state/gait/gait_cycle';
import {
  GaitSampler,
  kSignals,
  parabola_weights,
  type GaitSample,
  type Signal,
} from '../src/state/gait/gait_sample';
import { leg_length_of, legs_of } from '../src/state/figure/legs';
import { make_skeleton, type Skeleton } from '../src/state/figure/skeleton';
import { small_body } from './body';

const kTick_s = 1 / 60;
const kGravity = 9.8;

type Values = Record<Signal, number>;

/** A walk of even steps: each foot is down for a share of the cycle, the right one half a cycle later. */
function sample_at(time_s: number, cycle_s: number, stance: number, speed = 1.2): GaitSample {
  const values = (side: 0 | 1): Values => {
    const phase = (((time_s / cycle_s - side / 2) % 1) + 1) % 1;
    const zeros = Object.fromEntries(kSignals.map((signal) => [signal, 0])) as Values;
    return {
      ...zeros,
      hip: 30 * Math.cos(2 * Math.PI * phase),
      vertical_force: phase < stance ? 0.8 : 0,
    };
  };
  const phase = (time_s / cycle_s) % 1;
  return {
    time_s,
    com: [speed * time_s, 0, 0.9],
    asked: speed,
    heading: 0,
    straight: true,
    apart: 0.6 * Math.cos(2 * Math.PI * phase),
    values: [values(0), values(1)],
  };
}

/** Ticks as they come in whole numbers, so that no foot comes down between two of them by rounding. */
function walk(
  cycles: GaitCycles,
  from: number,
  to: number,
  change: (sample: GaitSample, tick: number) => GaitSample = (sample) => sample,
): void {
  for (let tick = from; tick < to; ++tick)
    cycles.add(change(sample_at(tick * kTick_s + 1e-6, 1, 0.6), tick));
}

describe('gait cycles', () => {
  test('are cut from strike to strike, and tell speed, cadence, step length and double support', () => {
    const cycles = new GaitCycles();
    walk(cycles, 10, 400);
    const figures = cycles.figures();
    expect(figures?.speed).toBeCloseTo(1.2, 3);
    expect(figures?.cadence).toBeCloseTo(120, 1);
    expect(figures?.step_length).toBeCloseTo(0.6, 2);
    expect(Math.abs((figures?.double_support ?? 0) - 20)).toBeLessThan(2); // of 60 samples a cycle
    expect(cycles.foot_off(0)).toBeCloseTo(0.6, 1);
    expect(cycles.count).toBe(10);
  });

  test('of each leg begin at its own strike', () => {
    const cycles = new GaitCycles();
    walk(cycles, 10, 400);
    for (const side of [0, 1] as const) {
      const hip = cycles.mean(side)?.hip ?? [];
      expect(hip).toHaveLength(51);
      expect(hip[0]).toBeCloseTo(30, 0);
      expect(hip[25]).toBeCloseTo(-30, 0);
      expect(hip[50]).toBeCloseTo(30, 0);
    }
  });

  test('are not counted where frames are missing, while turning, or where somebody was moved by hand', () => {
    const whole = new GaitCycles();
    walk(whole, 10, 130); // strikes at 60 and 120, of the right foot at 30 and 90
    expect(whole.count).toBe(2);

    const gap = new GaitCycles();
    walk(gap, 10, 80);
    walk(gap, 95, 130);
    expect(gap.count).toBe(0);

    const turning = new GaitCycles();
    walk(turning, 10, 130, (sample, tick) => ({ ...sample, straight: tick !== 85 }));
    expect(turning.count).toBe(0);

    const curve = new GaitCycles();
    walk(curve, 10, 130, (sample) => ({ ...sample, heading: 0.3 * sample.time_s }));
    expect(curve.count).toBe(0);

    const moved = new GaitCycles();
    walk(moved, 10, 130, (sample, tick) => (tick < 85 ? sample : { ...sample, com: [90, 5, 0.9] }));
    expect(moved.count).toBe(0);
  });

  test('at another speed that is asked for make means of their own', () => {
    const cycles = new GaitCycles();
    const slower = (sample: GaitSample, tick: number): GaitSample =>
      tick < 310 ? sample : { ...sample, asked: 0.8, com: [0.8 * sample.time_s, 0, 0.9] };
    walk(cycles, 10, 359, slower); // the left leg's cycle from 300 to 360 is of both speeds
    expect(cycles.figures()?.speed).toBeCloseTo(1.2, 3);
    walk(cycles, 359, 482, slower);
    expect(cycles.figures()?.speed).toBeCloseTo(0.8, 3);
    expect(cycles.count).toBeLessThan(6);
  });

  test('that bounce at a strike count once', () => {
    const cycles = new GaitCycles();
    const bounce = (sample: GaitSample, tick: number): GaitSample => {
      const [left, right] = sample.values;
      return tick % 60 === 2
        ? { ...sample, values: [{ ...left, vertical_force: 0 }, right] }
        : sample;
    };
    walk(cycles, 10, 200, bounce);
    expect(cycles.figures()?.cadence).toBeCloseTo(120, 0);
  });

  test('under way are told as far as they have come', () => {
    const cycles = new GaitCycles();
    walk(cycles, 10, 60 * 3 + 16); // a quarter of the left leg's cycle
    const live = cycles.live(0);
    expect(live?.phase[0]).toBe(0);
    expect(live?.phase[live.phase.length - 1]).toBeCloseTo(0.25, 1);
    expect(live?.curves.hip).toHaveLength(live?.phase.length ?? -1);
  });

  test('start afresh when time steps back', () => {
    const cycles = new GaitCycles();
    walk(cycles, 10, 200);
    walk(cycles, 0, 5);
    expect(cycles.count).toBe(0);
    expect(cycles.figures()).toBeUndefined();
  });
});

/** A pelvis without weight to speak of, with two straight legs. Lengths in m, masses in kg. */
function walker(): Skeleton {
  const capsule = { capsule: { fromM: [0, 0, 0.1], toM: [0, 0, -0.1], radiusM: 0.05 } };
  const leg = (side: string, y: number) => ({
    links: [
      { name: `${side}_thigh`, massKg: 8, inertiaKgm2: [0.1, 0.12, 0.02], shapes: [capsule] },
      { name: `${side}_shank`, massKg: 4, inertiaKgm2: [0.05, 0.06, 0.01], shapes: [capsule] },
      { name: `${side}_foot`, massKg: 1, inertiaKgm2: [0.01, 0.01, 0.01], shapes: [capsule] },
    ],
    joints: [
      {
        ...{ name: `${side}_hip`, parent: 'pelvis', child: `${side}_thigh`, kind: 'BALL' },
        ...{ atParentM: [0, y, 0], atChildM: [0, 0, 0.2] },
      },
      {
        ...{ name: `${side}_knee`, parent: `${side}_thigh`, child: `${side}_shank` },
        ...{ kind: 'HINGE', axis: [0, 1, 0], atParentM: [0, 0, -0.2], atChildM: [0, 0, 0.2] },
      },
      {
        ...{ name: `${side}_ankle`, parent: `${side}_shank`, child: `${side}_foot` },
        ...{ kind: 'UNIVERSAL', atParentM: [0, 0, -0.2], atChildM: [0, 0, 0.05] },
      },
    ],
  });
  const [left, right] = [leg('left', 0.1), leg('right', -0.1)];
  const limb = (side: string) => ({
    ...{ name: `${side}_leg`, kind: 'LEG', soleLinks: 1 },
    links: ['thigh', 'shank', 'foot'].map((part) => `${side}_${part}`),
  });
  return make_skeleton(
    fromJson(CreatureSchema, {
      ...{ name: 'walker', title: 'Walker', color: '#336699' },
      links: [{ name: 'pelvis', massKg: 14, shapes: [capsule] }, ...left.links, ...right.links],
      joints: [...left.joints, ...right.joints],
      limbs: [limb('right'), limb('left')],
    }),
  );
}

// Coordinates of a leg, in the order of links: hip 3, knee 1, ankle 2; the left one first.
const kLegCoordinates = 6;
const kHip = 1,
  kKnee = 3,
  kAnkle = 4;

/** Samples of a walker whose pelvis stays where it is. @param pose sets coordinates at a time */
function samples_of(
  skeleton: Skeleton,
  pose: (time_s: number, coordinates: number[]) => void,
  details: Omit<Partial<CharacterDetails>, '$typeName' | '$unknown'> = {},
  ticks: readonly number[] = [0, 1, 2, 3, 4],
): GaitSample[] {
  const sampler = new GaitSampler(skeleton);
  return ticks.flatMap((tick) => {
    const coordinates = new Array<number>(2 * kLegCoordinates).fill(0);
    pose(tick * kTick_s, coordinates);
    const told = create(CharacterDetailsSchema, { state: 'walking', ...details });
    const root = [0, 0, 1, 0, 0, 0, 1];
    return sampler.push(tick * kTick_s, root, 0, coordinates, 0, told) ?? [];
  });
}

describe('a sample of a walk', () => {
  test('finds the legs by their sides and measures them', () => {
    const skeleton = walker();
    const [left, right] = legs_of(skeleton) ?? [];
    expect(skeleton.links[left?.thigh ?? 0]?.name).toBe('left_thigh');
    expect(skeleton.links[right?.foot ?? 0]?.name).toBe('right_foot');
    expect(leg_length_of(skeleton)).toBeCloseTo(0.8, 6);
    expect(legs_of(small_body())).toBeUndefined();
  });

  test('has angles as the server defines them: flexed and toes up are positive', () => {
    const [sample] = samples_of(walker(), (_, coordinates) => {
      coordinates[kHip] = -0.3; // about the left: the thigh comes forward
      coordinates[kKnee] = 0.5;
      coordinates[kAnkle] = -0.1;
    });
    expect(sample?.values[0].hip).toBeCloseTo((0.3 * 180) / Math.PI, 4);
    expect(sample?.values[0].knee).toBeCloseTo((0.5 * 180) / Math.PI, 4);
    expect(sample?.values[0].ankle).toBeCloseTo((0.1 * 180) / Math.PI, 4);
    expect(sample?.values[1].hip).toBeCloseTo(0, 4);
    expect(sample?.apart).toBeCloseTo(0.4 * Math.sin(0.3) + 0.4 * Math.sin(0.3 - 0.5), 4);
  });

  test('has forces in body weights, of each foot', () => {
    const skeleton = walker();
    const weight = kGravity * skeleton.mass;
    const [sample] = samples_of(skeleton, () => {}, {
      footForceN: [0, 0, 0.75 * weight, 0, 0, 0.25 * weight],
    });
    expect(sample?.values[0].vertical_force).toBeCloseTo(0.75, 5);
    expect(sample?.values[1].vertical_force).toBeCloseTo(0.25, 5);
  });

  test('has the power that swings a straight leg as one pendulum', () => {
    const skeleton = walker();
    // Both legs swing alike, so that nothing but the hips does work.
    const angle = (t: number) => 0.2 + 1.5 * t - 4 * t * t;
    const [sample] = samples_of(skeleton, (t, coordinates) => {
      coordinates[kHip] = coordinates[kHip + kLegCoordinates] = -angle(t);
    });
    // The page takes the place of the links from their centre of mass, which is not told here: the pelvis stays.
    const t = 2 * kTick_s;
    const parts = [
      { mass: 8, inertia: 0.12, below: 0.2 },
      { mass: 4, inertia: 0.06, below: 0.6 },
      { mass: 1, inertia: 0.01, below: 0.85 },
    ];
    const inertia = parts.reduce(
      (sum, { mass, inertia: own, below }) => sum + own + mass * below ** 2,
      0,
    );
    const pull = parts.reduce((sum, { mass, below }) => sum + mass * kGravity * below, 0);
    const torque = inertia * -8 + pull * Math.sin(angle(t));
    const expected = (torque * (1.5 - 8 * t)) / skeleton.mass;
    for (const side of [0, 1] as const) {
      expect(sample?.values[side].hip_power).toBeCloseTo(expected, 1);
      expect(sample?.values[side].knee_power).toBeCloseTo(0, 6);
      expect(sample?.values[side].ankle_power).toBeCloseTo(0, 6);
    }
  });

  test('has the power of a foot that pushes off: the ground’s moment about the ankle times its speed', () => {
    const skeleton = walker();
    const force = 500;
    const ahead = 0.12; // m, of the ankle
    const [sample] = samples_of(
      skeleton,
      (t, coordinates) => {
        coordinates[kAnkle] = 3 * t; // the toes go down
      },
      {
        footForceN: [0, 0, force, 0, 0, 0],
        contactsMN: [ahead, 0.1, 0.1, 0, 0, force],
      },
    );
    // Beside it the foot's own weight and inertia are small.
    const expected = (force * ahead * 3) / skeleton.mass;
    expect(sample?.values[0].ankle_power).toBeCloseTo(expected, 0);
    expect(sample?.values[0].ankle_power).toBeGreaterThan(0.9 * expected);
    expect(sample?.values[1].ankle_power).toBeCloseTo(0, 6);
  });

  test('has no power where frames are too far apart', () => {
    const [sample] = samples_of(walker(), () => {}, {}, [0, 10, 20, 30, 40]);
    expect(sample?.values[0].hip_power).toBeNaN();
    expect(sample?.values[0].hip).toBeCloseTo(0, 6);
  });

  test('is not of a straight walk while it turns or stands', () => {
    const turned = { headingRad: 0.6, desiredHeadingRad: 0 };
    expect(samples_of(walker(), () => {}, turned)[0]?.straight).toBe(false);
    expect(samples_of(walker(), () => {}, { state: 'standing' })[0]?.straight).toBe(false);
    expect(samples_of(walker(), () => {})[0]?.straight).toBe(true);
  });
});

test('a parabola through uneven times gives its derivatives exactly', () => {
  const times = [-0.05, -0.016, 0, 0.017, 0.051];
  const { first, second } = parabola_weights(times);
  const values = times.map((t) => 3 - 2 * t + 7 * t * t);
  const fit = (weights: readonly number[]) =>
    weights.reduce((sum, weight, i) => sum + weight * (values[i] ?? 0), 0);
  expect(fit(first)).toBeCloseTo(-2, 8);
  expect(fit(second)).toBeCloseTo(14, 6);
});
