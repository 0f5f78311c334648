// The search beside a room: what a report becomes, the scales of its curve, and the map of gaits.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { Gait_Symmetry } from '../src/gen/promenade/v1/gait_pb';
import { RoomSearch_State, RoomSearchSchema } from '../src/gen/promenade/v1/room_search_pb';
import { place_beside } from '../src/state/learn/beside';
import { cell_words, gait_map, next_cell, span_text } from '../src/state/learn/gait_map';
import {
  has_sides,
  kObjectives,
  objective_title,
  usual_symmetry,
} from '../src/state/learn/objectives';
import { floor_of, height_of, score_curve, score_text } from '../src/state/learn/score_scale';
import { is_running } from '../src/state/learn/running';
import { SearchRate, told_search } from '../src/state/learn/told_search';

const kObjectiveFiles = path.resolve(import.meta.dirname, '../../server/data/objectives/gaits');
const kPace = { name: 'pace', low: 0, high: 1.6, cells: 8 };
const kDuty = { name: 'duty', low: 0.1, high: 0.9, cells: 4 };
const kLag = { name: 'lag', low: 0, high: 1, cells: 8, round: true };
const kSides = { name: 'sides', low: 0, high: 0.5, cells: 3 };

type Init = Omit<MessageInitShape<typeof RoomSearchSchema>, '$typeName' | '$unknown'>;

function report(more: Init = {}) {
  return create(RoomSearchSchema, {
    number: 1n,
    order: { character: 1, objective: 'trot', symmetry: 2, states: 4, budget: 600n },
    numbers: 30,
    evaluations: 300n,
    scoresEvery: 1n,
    axes: [kPace, kDuty, kLag],
    ...more,
  });
}

function cell(number: number, place: number[], score: number, kind = 'trot') {
  return { cell: number, place, score, kind, traits: place.map((at) => at / 10) };
}

describe('objectives', () => {
  test.each(kObjectives.flatMap(({ objectives }) => objectives.map(({ name }) => name)))(
    '%s is a file of the server',
    (name) => {
      const file = path.join(kObjectiveFiles, `${name}.json`);
      expect(readFileSync(file, 'utf8')).toContain('"terms"');
    },
  );

  test('the symmetry suits the objective, and the body', () => {
    expect(usual_symmetry('bound', true)).toBe(Gait_Symmetry.IN_PHASE);
    expect(usual_symmetry('bound', false)).toBe(Gait_Symmetry.NONE);
    expect(usual_symmetry('one of its own', true)).toBe(Gait_Symmetry.OUT_OF_PHASE);
    expect(has_sides(['trunk', 'left_thigh'])).toBe(true);
    expect(has_sides(['base', 'arm'])).toBe(false);
    expect(objective_title('turn_left')).toBe('turn left');
  });
});

describe('the curve of scores', () => {
  const curve = score_curve(
    report({
      scores: [-9.9, 0.1, -9.2, 0.9, -20],
      scoresEvery: 2n,
      evaluations: 10n,
      curve: [
        { trial: 2n, score: 0.1 },
        { trial: 6n, score: 0.9 },
      ],
    }),
  );

  test('a score stands at its trial; the axis goes to the budget', () => {
    expect(curve.dots.map(({ trial }) => trial)).toEqual([0, 2, 4, 6, 8]);
    expect(curve.dots.map(({ fell }) => fell)).toEqual([true, false, true, false, true]);
    expect(curve.trials).toBe(600);
    expect(curve.steps).toEqual([
      { trial: 2, score: 0.1 },
      { trial: 6, score: 0.9 },
    ]);
  });

  test('falls do not stretch the axis of scores, and lie below it by how long they stood', () => {
    expect(curve.low).toBeGreaterThan(0);
    expect(curve.high).toBeLessThan(1);
    const heights = [-20, -9.9, -9.2, 0.1, 0.9].map((score) => height_of(score, curve));
    expect(heights).toEqual([...heights].sort((a, b) => a - b));
    expect(heights[2]).toBeLessThan(floor_of(curve));
    expect(heights[3]).toBeGreaterThan(floor_of(curve));
    expect(heights[0]).toBe(0);
  });

  test('without falls there is no band; a search without scores has an axis, too', () => {
    expect(floor_of(score_curve(report({ scores: [0.1, 0.2] })))).toBe(0);
    const none = score_curve(report());
    expect(none.high).toBeGreaterThan(none.low);
    expect(Number.isFinite(height_of(0, none))).toBe(true);
    const one = score_curve(report({ scores: [0.5] }));
    expect(height_of(0.5, one)).toBeCloseTo(0.5);
  });
});

test('scores as texts have a minus sign, and no 0 has one', () => {
  expect([-0.004, -0.5, 1].map(score_text)).toEqual(['0.00', '−0.50', '1.00']);
});

describe('the map', () => {
  const map = gait_map(
    report({ cells: [cell(12, [0, 1, 4], 0.9), cell(40, [2, 1, 0], 0.1, 'diagonal_walk')] }),
  );

  test('a panel for each span of duty factors; pace to the right, lag up', () => {
    expect(map?.panels.map(({ title }) => title)).toEqual([
      'duty 0.1–0.3',
      'duty 0.3–0.5',
      'duty 0.5–0.7',
      'duty 0.7–0.9',
    ]);
    expect(map?.panels.map(({ cells }) => cells.length)).toEqual([0, 2, 0, 0]);
    const [best, other] = map?.panels[1]?.cells ?? [];
    expect(best).toMatchObject({ cell: 12, column: 0, row: 3, heat: 1, best: true });
    expect(other).toMatchObject({ cell: 40, column: 2, row: 7, heat: 0, kind: 'diagonal walk' });
    expect(other && cell_words(other, map?.axes ?? [])).toBe(
      'diagonal walk, score 0.10: pace 0.20, duty factor 0.10, lag of the fore feet 0.00',
    );
  });

  test('the legend counts kinds, the most frequent first', () => {
    const cells = [cell(1, [0, 0, 0], 1, 'walk'), cell(2, [0, 0, 1], 2), cell(3, [0, 0, 2], 3)];
    expect(gait_map(report({ cells }))?.kinds).toEqual([
      { kind: 'trot', count: 2 },
      { kind: 'walk', count: 1 },
    ]);
  });

  test('with free sides a cell shows the best of them, or one span of them', () => {
    const cells = [cell(1, [0, 0, 0, 0], 1), cell(2, [0, 0, 0, 2], 2)];
    const free = report({ cells, axes: [kPace, kDuty, kLag, kSides] });
    expect(gait_map(free)?.sides).toEqual(['0–0.17', '0.17–0.33', '0.33–0.5']);
    expect(gait_map(free)?.panels[0]?.cells.map((one) => one.cell)).toEqual([2]);
    expect(gait_map(free, 0)?.panels[0]?.cells.map((one) => one.cell)).toEqual([1]);
    expect(gait_map(free, 1)?.panels[0]?.cells).toEqual([]);
  });

  test('a body of two legs has the sides as its axis, or one panel of duty factors', () => {
    const two = gait_map(report({ cells: [cell(1, [0, 0, 2], 1)], axes: [kPace, kDuty, kSides] }));
    expect(two?.y?.name).toBe('sides');
    expect(two?.sides).toEqual([]);
    expect(two?.panels[0]?.cells[0]).toMatchObject({ row: 0 });
    const one = gait_map(report({ cells: [cell(1, [3, 2], 1)], axes: [kPace, kDuty] }));
    expect(one?.y?.name).toBe('duty');
    expect(one?.panels.length).toBe(1);
    expect(one?.panels[0]?.cells[0]).toMatchObject({ column: 3, row: 1 });
    expect(gait_map(report({ axes: [] }))).toBeUndefined();
  });

  test('spans of an axis are round texts', () => {
    expect(span_text(create(RoomSearchSchema, { axes: [kLag] }).axes[0]!, 7)).toBe('0.88–1');
  });

  test('arrow keys go to the nearest cell in their direction, also of another panel', () => {
    const cells = [cell(1, [0, 0, 0], 1), cell(2, [5, 0, 1], 1), cell(3, [1, 2, 0], 1)];
    const found = gait_map(report({ cells }));
    if (!found) throw new Error('no map');
    expect(next_cell(found, 1, 'right')).toBe(2);
    expect(next_cell(found, 2, 'right')).toBe(3);
    expect(next_cell(found, 3, 'left')).toBe(2);
    expect(next_cell(found, 1, 'up')).toBe(2);
    expect(next_cell(found, 1, 'down')).toBeUndefined();
    expect(next_cell(found, 99, 'up')).toBe(2); // the first
  });
});

describe('what is told of a search', () => {
  test('a search that runs', () => {
    const told = told_search(
      report({
        best: {
          trial: 7n,
          score: 0.5,
          kind: 'diagonal_walk',
          terms: [{ figure: 'pace', value: 1 }],
        },
        ends: [
          { end: 'went on', count: 75n },
          { end: 'fell', count: 225n },
          { end: 'broke the physics', count: 0n },
        ],
      }),
    );
    expect(told).toMatchObject({ running: true, state: 'searching', tried: 300, budget: 600 });
    expect(told.best).toBe('a diagonal walk, score 0.50, candidate 7');
    expect(told.wanted).toBe('Trot, sides half a stride apart, 4 poses, 30 free numbers');
    expect(told.ends.map(({ end, count }) => [end, count])).toEqual([
      ['went on', 75],
      ['fell', 225],
    ]);
    expect(told.terms).toEqual([{ figure: 'pace', value: '1.00' }]);
  });

  test('a search that failed, and one without a best', () => {
    const failed = report({ state: RoomSearch_State.FAILED, trouble: 'It crashed' });
    expect(told_search(failed)).toMatchObject({ running: false, state: 'failed', best: '' });
    expect(told_search(failed).trouble).toBe('It crashed');
    expect(is_running(failed)).toBe(false);
    expect(is_running(undefined)).toBe(false);
    const falls = report({ best: { trial: 1n, score: -9.5 } });
    expect(told_search(falls).best).toContain('it falls');
  });

  test('the rate is that of the last seconds, and begins anew with another search', () => {
    const rate = new SearchRate();
    for (let s = 0; s <= 20; ++s)
      rate.add(report({ evaluations: BigInt(s < 10 ? 100 * s : 1000 + 10 * (s - 10)) }), s);
    expect(rate.per_s).toBeCloseTo(10);
    rate.add(report({ number: 2n, evaluations: 5n }), 21);
    expect(rate.per_s).toBeUndefined();
  });
});

test('places beside somebody are left and right, further and further', () => {
  const here = { x: 1, y: 2, heading_rad: 0 };
  const places = [0, 1, 2, 3].map((n) => place_beside(here, n, 0.5));
  expect(places.map(({ y }) => y)).toEqual([2.5, 1.5, 3, 1]);
  expect(places.every(({ x, heading_rad }) => x === 1 && heading_rad === 0)).toBe(true);
  const turned = place_beside({ ...here, heading_rad: Math.PI / 2 }, 0, 0.5);
  expect(turned.x).toBeCloseTo(0.5);
  expect(turned.y).toBeCloseTo(2);
});
