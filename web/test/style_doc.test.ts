import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CurveSide, StyleSchema } from '../src/gen/promenade/v1/style_pb';
import {
  curves_in,
  foot_lift,
  is_symmetric,
  kFootSlot,
  kSlots,
  make_asymmetric,
  make_symmetric,
  parse_style,
  points_of,
  print_style,
  refs_in,
  scale_foot_height,
  with_new_curve,
  with_number,
  with_points,
} from '../src/state/edit/style_doc';
import { curve_spot, link_spot, within_definition } from '../src/state/edit/field_path';

const styles = path.resolve(import.meta.dirname, '../../server/data/styles');
const read = (name: string) => parse_style(readFileSync(path.join(styles, `${name}.json`), 'utf8'));
const slot = (key: string) => {
  const found = kSlots.find((candidate) => candidate.key === key);
  if (!found) throw new Error(key);
  return found;
};

describe('styles', () => {
  test('of the server all fit the editor and come back from a file as they were', () => {
    const files = readdirSync(styles).filter((name) => name.endsWith('.json'));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const style = read(file.slice(0, -5));
      expect(parse_style(print_style(style))).toEqual(style);
      for (const { joint, axis } of style.curves)
        expect(kSlots.some((one) => one.joint === joint && one.axis === axis)).toBe(true);
    }
  });

  test('that are cut short or of another kind are refused with a reason', () => {
    expect(() => parse_style('{"name": "x"')).toThrow();
    expect(() => parse_style('{"links": []}')).toThrow(/links/);
    expect(() => parse_style('{"step_time_s": "fast"}')).toThrow(/step_time_s/);
  });

  test('without time, speed and foot height have the server defaults', () => {
    const style = parse_style('{"name": "bare"}');
    expect(style.stepTimeS).toBe(0.6);
    expect(style.speedMps).toBe(0.8);
    expect(foot_lift(style)).toBe(0.05);
  });

  test('are values: a change leaves the old one alone, and can be sent', () => {
    const old = read('normal');
    const ref = refs_in(old, slot('stance_knee.PITCH'), 'left')[0];
    if (!ref) throw new Error('no curve');
    const before = points_of(old, ref);
    const changed = with_points(with_number(old, 'leanDeg', 12), ref, [{ phase: 0.5, value: 33 }]);
    expect(points_of(old, ref)).toBe(before);
    expect(old.leanDeg).toBe(1.5);
    const sent = fromBinary(StyleSchema, toBinary(StyleSchema, changed));
    expect(sent.leanDeg).toBe(12);
    expect(points_of(sent, ref)).toMatchObject([{ phase: 0.5, value: 33 }]);
    expect(sent.curves).toHaveLength(old.curves.length);
  });

  test('two curves in one slot are both found', () => {
    expect(curves_in(read('tiptoe'), slot('stance_shoulder.PITCH'), 'left')).toHaveLength(2);
  });

  test('a curve that loses its last point goes; the foot keeps a height', () => {
    const style = read('normal');
    const [ref] = refs_in(style, slot('stance_knee.PITCH'), 'left');
    if (!ref) throw new Error('no curve');
    expect(with_points(style, ref, []).curves).toHaveLength(style.curves.length - 1);
    expect(with_points(style, { kind: 'height', step: 'left' }, [])).toBe(style);
  });

  test('a first curve comes into an empty slot', () => {
    const style = read('normal');
    const empty = slot('neck.YAW');
    expect(refs_in(style, empty, 'left')).toEqual([]);
    const changed = with_new_curve(style, empty, 'left', [{ phase: 0.5, value: 10 }]);
    expect(changed && refs_in(changed, empty, 'right')).toHaveLength(1);
  });

  test('the foot is raised as a whole', () => {
    const before = read('normal');
    const style = scale_foot_height(before, 2);
    expect(foot_lift(style)).toBeCloseTo(2 * foot_lift(before));
    const heights = (of: typeof style) => of.footHeightM?.points.map(({ value }) => value) ?? [];
    expect(heights(style)).toHaveLength(heights(before).length);
    for (const [at, height] of heights(before).entries())
      expect(heights(style)[at]).toBeCloseTo(2 * height);
  });
});

describe('sides', () => {
  test('at first both steps are alike, then each has its own', () => {
    const even = read('normal');
    const uneven = make_asymmetric(even);
    if (!uneven) throw new Error('full');
    expect(is_symmetric(even)).toBe(true);
    expect(is_symmetric(uneven)).toBe(false);
    const knee = slot('stance_knee.PITCH');
    const [left] = refs_in(uneven, knee, 'left');
    const [right] = refs_in(uneven, knee, 'right');
    if (!left || !right) throw new Error('no curves');
    expect(left).not.toEqual(right);
    expect(points_of(uneven, left)).toEqual(points_of(uneven, right));
    const limping = with_points(uneven, right, [{ phase: 0, value: 40 }]);
    expect(points_of(limping, left)).toEqual(points_of(uneven, left));
    expect(make_symmetric(limping, 'left')).toEqual(even);
    const mirrored = make_symmetric(limping, 'right');
    for (const side of ['left', 'right'] as const) {
      const [ref] = refs_in(mirrored, knee, side);
      expect(ref && points_of(mirrored, ref)).toMatchObject([{ phase: 0, value: 40 }]);
    }
  });

  test('the foot has a height in each step', () => {
    const even = read('normal');
    const uneven = make_asymmetric(even);
    if (!uneven) throw new Error('full');
    const [right] = refs_in(uneven, kFootSlot, 'right');
    if (!right) throw new Error('no curve');
    const high = with_points(uneven, right, [{ phase: 0.5, value: 0.2 }]);
    expect(foot_lift(high)).toBe(foot_lift(even));
    expect(high.rightFootHeightM?.points[0]?.value).toBe(0.2);
    expect(make_symmetric(high, 'right').footHeightM?.points[0]?.value).toBe(0.2);
  });

  test('a style without room for twice its curves stays as it is', () => {
    let style = read('normal');
    const one = style.curves[0];
    if (!one) throw new Error('no curve');
    style = { ...style, curves: Array.from({ length: 40 }, () => one) };
    expect(make_asymmetric(style)).toBeUndefined();
    expect(style.curves.every(({ side }) => side === CurveSide.BOTH)).toBe(true);
  });
});

describe('what the server finds wrong', () => {
  test('is found again at its curve and point', () => {
    const path_ = within_definition('set_style.definition.curves[2].by_speed.points[1].phase');
    expect(curve_spot(path_)).toEqual({ list: 'curves', curve: 2, by_speed: true, point: 1 });
    expect(curve_spot('right_foot_height_m.points[4].value')).toEqual({
      list: 'right_foot_height_m',
      curve: undefined,
      by_speed: false,
      point: 4,
    });
    expect(within_definition('step_time_s')).toBe('step_time_s');
    expect(curve_spot('step_time_s')).toBeUndefined();
  });

  test('and at its link', () => {
    expect(link_spot(within_definition('set_body.definition.edit.links[3].length'))).toEqual({
      index: 3,
      key: 'length',
    });
  });
});
