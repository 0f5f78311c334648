import { fromJson } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { BlockSchema, HeightFieldSchema, PitSchema } from '../src/gen/promenade/v1/scene_pb';
import { Holes } from '../src/scene/ground/holes';
import { BlockTrack, moves } from '../src/state/ground/block_motion';
import { heights_of, pit_quads } from '../src/state/ground/ground_shape';

describe('a moving block', () => {
  const lift = (motion: object) =>
    new BlockTrack(
      fromJson(BlockSchema, { centerM: [1, 0, 0.5], sizeM: [1, 1, 1], motion: { ...motion } }),
    );

  test('waits at each centre, goes there and back, and starts and stops without a jolt', () => {
    const track = lift({ pathM: [1, 0, 2.5], speedMps: 0.5, pauseS: 3 }); // 4 s each way
    const z = (s: number) => track.at(s).center[2];
    for (const s of [0, 2.99, 14, 16.9]) expect(z(s)).toBe(0.5);
    expect(z(5)).toBeCloseTo(0.5 + 2 * 0.5, 9); // half way in half of the time
    expect(z(4)).toBeCloseTo(0.5 + 2 * (0.25 - 1 / (2 * Math.PI)), 9);
    for (const s of [7, 8.5, 10]) expect(z(s)).toBeCloseTo(2.5, 9);
    expect(z(12)).toBeCloseTo(1.5, 9);
    expect((z(3.01) - z(3)) / 0.01).toBeLessThan(0.001);
    expect(z(14 * 1000 + 5)).toBeCloseTo(z(5), 6);
  });

  test('goes back the way that it came, or round where the path is closed', () => {
    const motion = { pathM: [3, 0, 0.5, 3, 4, 0.5], speedMps: 1 };
    const there = lift(motion);
    expect(there.at(4).center).toEqual([3, 2, 0.5]);
    expect(there.at(8).center[0]).toBeCloseTo(3, 9); // half way back to the first corner
    expect(there.at(8).center[1]).toBeCloseTo(2, 9);
    const round = lift({ ...motion, closed: true });
    const home_s = 2 + 4 + Math.hypot(2, 4) / 2;
    expect(round.at(home_s).center[0]).toBeCloseTo(2, 9);
    expect(round.at(home_s).center[1]).toBeCloseTo(2, 9);
  });

  test('turns about the vertical, and needs no path for it', () => {
    const block = fromJson(BlockSchema, { centerM: [0, 0, 0], motion: { spinDps: 90 } });
    expect(new BlockTrack(block).at(1).turn_rad).toBeCloseTo(Math.PI / 2, 9);
    expect(new BlockTrack(block).at(1).center).toEqual([0, 0, 0]);
    expect(moves(block)).toBe(true);
    const belt = fromJson(BlockSchema, { centerM: [0, 0, 0], motion: { surfaceMps: [1, 0] } });
    expect(moves(belt)).toBe(false);
  });
});

describe('a height field', () => {
  test('has the heights of the file, row by row', () => {
    const field = fromJson(HeightFieldSchema, {
      sizeM: [2, 1],
      columns: 3,
      rows: 2,
      heightM: [0, 1, 2, 3, 4, 5],
    });
    expect([...heights_of(field)]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('has the sum of its waves; a length of 0 leaves out its sine', () => {
    const field = fromJson(HeightFieldSchema, {
      sizeM: [2, 2],
      columns: 5,
      rows: 3,
      waves: [
        { amplitudeM: 0.3, lengthXM: 4, phaseDeg: 90 },
        { amplitudeM: 0.1, lengthXM: 4, lengthYM: 4 },
      ],
    });
    const heights = heights_of(field);
    expect(heights[7]).toBeCloseTo(0.3, 6); // the middle
    const corner = 0.3 * Math.sin(Math.PI / 2 + Math.PI / 2) + 0.1 * 1;
    expect(heights[14]).toBeCloseTo(corner, 6);
  });
});

describe('pits', () => {
  const pit = (x: number, y: number, size: number, depth: number) =>
    fromJson(PitSchema, { centerM: [x, y], sizeM: [size, size], depthM: depth });

  test('have a floor and four walls that face inwards', () => {
    const quads = pit_quads([pit(0, 0, 2, 1)]);
    expect(quads.filter(({ kind }) => kind === 'floor')).toHaveLength(1);
    const walls = quads.filter(({ kind }) => kind === 'wall');
    expect(walls).toHaveLength(4);
    for (const { corners } of walls) {
      const [a, b, c] = corners;
      const [u, v] = [0, 1].map((n) => {
        const [p, q] = n === 0 ? [a, b] : [b, c];
        return q.map((x, k) => x - (p[k] as number));
      }) as [number[], number[]];
      const normal = [0, 1, 2].map((k) => {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        return (u[i] as number) * (v[j] as number) - (u[j] as number) * (v[i] as number);
      });
      const middle = [0, 1].map((k) => corners.reduce((sum, p) => sum + (p[k] as number) / 4, 0));
      const outward =
        (normal[0] as number) * (middle[0] as number) +
        (normal[1] as number) * (middle[1] as number);
      expect(outward).toBeLessThan(0);
    }
  });

  test('that overlap are one with a step in it', () => {
    const quads = pit_quads([pit(0, 0, 2, 1), pit(1, 0, 2, 3)]);
    const area = quads
      .filter(({ kind }) => kind === 'floor')
      .reduce((sum, { corners: [a, , c] }) => sum + (c[0] - a[0]) * (c[1] - a[1]), 0);
    expect(area).toBeCloseTo(4 + 4 - 2, 9); // no floor lies over another
    const steps = quads.filter(({ corners: [, , c] }) => c[2] === -1);
    expect(steps.length).toBeGreaterThan(0);
  });

  test('without a floor have none', () => {
    expect(pit_quads([pit(0, 0, 1, 0)]).every(({ kind }) => kind === 'wall')).toBe(true);
  });
});

describe('holes in the plane', () => {
  const pits = (...centers: [number, number][]) =>
    centers.map((centerM) => fromJson(PitSchema, { centerM, sizeM: [2, 4] }));

  test('are those of the scene that is shown, in what the shader took over at first', () => {
    const holes = new Holes();
    const { holes: edges, holeCount: count } = holes.uniforms;
    const taken = edges.value;
    holes.set(pits([6, -3], [6, -8]));
    holes.set(pits([4, 0], [4, -5]));
    expect(count.value).toBe(2);
    expect(taken.slice(0, 2).map((one) => one.toArray())).toEqual([
      [3, -2, 5, 2],
      [3, -7, 5, -3],
    ]);
    holes.set([]);
    expect([count.value, edges.value]).toEqual([0, taken]);
  });
});
