import { describe, expect, test } from 'vitest';
import { DensityGrid } from '../src/state/flow/density';
import { type Flow, flow_from, item_of_field, rate_at } from '../src/state/flow/flow';
import { FlowDoc } from '../src/state/flow/flow_doc';
import { FlowRates } from '../src/state/flow/flow_rates';
import {
  add_point,
  corners,
  distance_to,
  item_of,
  simplified,
} from '../src/state/flow/flow_shapes';
import type { Entrance, Exit, Gathering, Place, Point, Queue, Wall } from '../src/state/flow/flow';
import { words_of } from '../src/ui/crowd/flow_link';

const kFlow: Partial<Flow> = {
  entrances: [
    {
      name: 'west',
      area: { center_m: [-8, 0], size_m: [2, 4] },
      rates: [
        { at_s: 0, per_minute: 10 },
        { at_s: 3600, per_minute: 70 },
      ],
    },
  ],
  exits: [{ name: 'exit_1', area: { center_m: [8, 0], size_m: [2, 4], yaw_deg: 90 } }],
  bodies: ['child'],
};

function doc_of(flow: Partial<Flow> = kFlow): FlowDoc {
  const doc = new FlowDoc();
  doc.load(flow);
  return doc;
}

describe('a flow that is edited', () => {
  test('keeps what the editor does not know, and begins with nothing to undo', () => {
    const doc = doc_of();
    expect(doc.flow.value).toMatchObject({ bodies: ['child'], walls: [], queues: [] });
    expect([doc.can_undo, doc.can_redo, doc.complete]).toEqual([false, false, true]);
    expect(flow_from(undefined).entrances).toEqual([]);
  });

  test('an item is added with a name of its own, selected, undone and redone', () => {
    const doc = doc_of();
    const stroke: Point[] = [
      [0, 0],
      [3, 2],
    ];
    expect(doc.add('exit', stroke)).toBe(true);
    expect(doc.selected.value).toEqual({ list: 'exits', index: 1 });
    const made = doc.item(doc.selected.value) as Exit;
    expect(made.name).toBe('exit_2');
    expect(made.area).toMatchObject({ center_m: [1.5, 1], size_m: [3, 2] });
    doc.undo();
    expect(doc.flow.value?.exits).toHaveLength(1);
    expect(doc.selected.value).toBeUndefined();
    doc.redo();
    expect(doc.flow.value?.exits).toHaveLength(2);
    doc.undo();
    doc.add('wall', stroke);
    expect(doc.can_redo).toBe(false);
  });

  test('what is dragged in one go is undone in one go', () => {
    const doc = doc_of();
    const id = { list: 'exits', index: 0 } as const;
    for (let i = 0; i < 10; ++i) doc.move(id, 0.1, 0);
    doc.separate();
    doc.move(id, 0, 5);
    expect((doc.item(id) as Exit).area.center_m).toEqual([9, 5]);
    doc.undo();
    expect((doc.item(id) as Exit).area.center_m).toEqual([9, 0]);
    doc.undo();
    expect((doc.item(id) as Exit).area.center_m).toEqual([8, 0]);
  });

  test('a change leaves what was there as it was', () => {
    const doc = doc_of();
    const before = doc.flow.value;
    doc.remove({ list: 'exits', index: 0 });
    expect(before?.exits).toHaveLength(1);
    expect(doc.complete).toBe(false);
  });

  test('there are no more than the server takes', () => {
    const doc = doc_of();
    for (let i = 0; i < 40; ++i) doc.add('entrance', [[i, 0]]);
    expect(doc.flow.value?.entrances).toHaveLength(32);
    expect(doc.add('entrance', [[0, 0]])).toBe(false);
  });

  test('a click finds the item under it, also one that is turned, and nothing beside them', () => {
    const doc = doc_of();
    expect(doc.item_at([-8.5, 1.5], 0.1)).toEqual({ list: 'entrances', index: 0 });
    expect(doc.item_at([9.5, 0.5], 0.1)).toEqual({ list: 'exits', index: 0 });
    expect(doc.item_at([8, 1.5], 0.1)).toBeUndefined(); // it is turned by 90 degrees
    expect(doc.item_at([8, 1.5], 0.6)).toEqual({ list: 'exits', index: 0 });
  });
});

describe('strokes', () => {
  const middle: Point = [0, 0];

  test('an entrance looks at the middle of the doors', () => {
    const made = item_of('entrance', [[0, -10]], middle) as Entrance;
    expect(made.heading_deg).toBe(90);
    expect(made.area.size_m).toEqual([2, 2]);
  });
  test('a bench is as long as it is drawn, and faces the right of the stroke', () => {
    const drawn = [
      [0, 0],
      [3, 0],
    ] as const;
    const made = item_of('bench', drawn, middle) as Place;
    expect(made).toMatchObject({ kind: 'BENCH', people: 6, facing_deg: -90, center_m: [1.5, 0] });
  });
  test('a queue begins at the counter, where the first one looks away from the line', () => {
    const made = item_of(
      'queue',
      [
        [0, 0],
        [0, 4],
        [4, 4],
      ],
      middle,
    ) as Queue;
    expect(made).toMatchObject({ counter_m: [0, 0], facing_deg: -90, people: 11 });
    expect(made.line_m).toEqual([0, 4, 4, 4]);
  });
  test('a wall of one click is a piece of wall', () => {
    const made = item_of('wall', [[1, 1]], middle) as Wall;
    expect(made.points_m).toEqual([-1, 1, 3, 1]);
    expect(distance_to(made, [0, 2])).toBeCloseTo(1);
  });
  test('people are as many as there is room for', () => {
    const drawn = [
      [0, 0],
      [3, 4],
    ] as const;
    const made = item_of('people', drawn, middle) as Gathering;
    expect(made.radius_m).toBe(5);
    expect(made.people / (Math.PI * 25)).toBeCloseTo(0.6, 1);
  });
  test('a drawn line keeps its bends and loses what lies between', () => {
    const stroke: Point[] = [];
    for (let i = 0; i <= 20; ++i) add_point(stroke, [i * 0.3, 0.02 * Math.sin(i)]);
    for (let i = 1; i <= 10; ++i) add_point(stroke, [6, i * 0.6]);
    expect(simplified(stroke)).toHaveLength(3);
  });
  test('corners of a turned area', () => {
    const [first] = corners({ center_m: [8, 0], size_m: [2, 4], yaw_deg: 90 });
    expect(first?.[0]).toBeCloseTo(10);
    expect(first?.[1]).toBeCloseTo(-1);
  });
});

test('the item of a refusal is found in its field, and the words are without its path', () => {
  expect(item_of_field('set_flow.flow.exits[3].area.center_m')).toEqual({
    list: 'exits',
    index: 3,
  });
  expect(item_of_field('set_flow.flow.most_people')).toBeUndefined();
  expect(item_of_field('set_flow.flow.panics[0].at_s')).toBeUndefined();
  const field = 'set_flow.flow.exits[0].area.center_m';
  expect(words_of(`${field}: is walled off: nobody reaches it`, field)).toBe(
    'Is walled off: nobody reaches it.',
  );
  expect(words_of(`${field} is (0, 0) m; allowed: a place`, field)).toBe(
    '(0, 0) m; allowed: a place.',
  );
});

test('the rate of an entrance is straight between the rows of its table', () => {
  const [entrance] = flow_from(kFlow).entrances;
  if (!entrance) throw new Error('no entrance');
  expect(rate_at(entrance, -1)).toBe(10);
  expect(rate_at(entrance, 1800)).toBe(40);
  expect(rate_at(entrance, 9999)).toBe(70);
});

describe('rates', () => {
  const told = (time_s: number, entered: number[], left: number[], since_tick = '0') => ({
    ...{ time_s, since_tick },
    entered: entered.map(String),
    left: left.map(String),
  });

  test('are of the last half minute, and known from the second sample on', () => {
    const rates = new FlowRates();
    rates.add(told(0, [0, 0], [0]));
    expect(rates.of('entered', 0)).toBeUndefined();
    for (let t = 1; t <= 100; ++t) rates.add(told(t, [t, 2 * Math.max(0, t - 70)], [0]));
    expect(rates.of('entered', 0)).toBeCloseTo(60);
    expect(rates.of('entered', 1)).toBeCloseTo(120); // it was 0 before
    expect(rates.all('entered')).toBeCloseTo(180);
    expect(rates.of('left', 0)).toBe(0);
    expect(rates.add(told(100, [0, 0], [0]))).toBe(false);
  });
  test('begin afresh where the flow is another one, or the clock goes back', () => {
    const rates = new FlowRates();
    rates.add(told(10, [50], [1]));
    rates.add(told(20, [60], [2]));
    expect(rates.of('entered', 0)).toBeCloseTo(60);
    rates.add(told(21, [0], [0], '1260'));
    expect(rates.of('entered', 0)).toBeUndefined();
    rates.add(told(25, [4], [0], '1260'));
    rates.add(told(3, [1], [0], '1260'));
    expect(rates.of('entered', 0)).toBeUndefined();
  });
});

describe('density', () => {
  test('sums to the number of people, wherever in a cell they stand', () => {
    const grid = new DensityGrid();
    grid.cover([-10, -10], [10, 10]);
    const places = [0, 0, 0.13, 0.31, -4.4, 3.21, 5.77, -5.02];
    grid.update(places, Infinity);
    const sum = grid.density.reduce((all, one) => all + one, 0) * grid.cell_m ** 2;
    expect(sum).toBeCloseTo(4, 1);
  });
  test('is that of a crowd of known density in its middle', () => {
    const grid = new DensityGrid();
    grid.cover([-10, -10], [10, 10]);
    const places: number[] = [];
    for (let x = -6; x < 6; x += 0.5) for (let y = -6; y < 6; y += 0.5) places.push(x, y); // 4 / m²
    grid.update(places, Infinity);
    const middle = grid.density[20 * grid.columns + 20] ?? 0;
    expect(middle).toBeGreaterThan(3.9);
    expect(middle).toBeLessThan(4.1);
    expect(grid.density[0]).toBe(0);
  });
  test('follows within some seconds, and is large where the ground is', () => {
    const grid = new DensityGrid();
    grid.cover([-10, -10], [10, 10]);
    grid.update([0, 0], Infinity);
    const peak = Math.max(...grid.density);
    grid.update([], 2);
    expect(Math.max(...grid.density)).toBeCloseTo(peak * Math.exp(-1), 4);
    grid.cover([-500, -500], [500, 500]);
    expect(grid.columns).toBeLessThanOrEqual(256);
    grid.update([0, 0], Infinity);
    expect(grid.density.reduce((all, one) => all + one, 0) * grid.cell_m ** 2).toBeGreaterThan(0.5);
  });
});
