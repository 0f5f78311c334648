// The map of a search as panels of cells: pace against the lag between the legs, a panel for each span of duty factors.
// Bodies without such a lag have that between left and right instead, or a single panel of pace against the duty factor.
// Where both lags are free, a cell shows the best of all between the sides, or one span of them.
import type { RoomSearch, SearchAxis, SearchCell } from '../../gen/promenade/v1/room_search_pb';
import { score_text } from './score_scale';

export interface MapCell {
  readonly cell: number; // its number on the server
  readonly column: number;
  readonly row: number; // from the top
  readonly score: number;
  readonly heat: number; // 0 the worst gait of the map, 1 the best
  readonly kind: string; // in words
  readonly best: boolean; // of the whole map
  readonly traits: readonly number[]; // by axis
}

export interface MapPanel {
  readonly title: string;
  readonly cells: readonly MapCell[];
}

export interface GaitMap {
  readonly x: SearchAxis;
  readonly y: SearchAxis | undefined; // undefined: one row
  readonly panels: readonly MapPanel[];
  readonly kinds: readonly { readonly kind: string; readonly count: number }[]; // the most frequent first
  /** Spans of the phase between left and right, one of which can be shown. */
  readonly sides: readonly string[];
  readonly axes: readonly SearchAxis[];
}

const kTitles: Readonly<Record<string, string>> = {
  pace: 'pace',
  duty: 'duty factor',
  lag: 'lag of the fore feet',
  sides: 'lag between the sides',
};

/** An axis in words. */
export function axis_title({ name }: SearchAxis): string {
  return kTitles[name] ?? name;
}

/** A kind of gait in words. */
export function kind_title(kind: string): string {
  return kind === '' ? 'no name' : kind.replaceAll('_', ' ');
}

/** The span of an axis that one of its cells stands for, as a text. The outermost cells take what is beyond, too. */
export function span_text(axis: SearchAxis, index: number): string {
  const size = (axis.high - axis.low) / Math.max(1, axis.cells);
  const text = (value: number) => value.toFixed(2).replace(/\.?0+$/, '');
  return `${text(axis.low + index * size)}–${text(axis.low + (index + 1) * size)}`;
}

const rank = ({ score }: SearchCell) => score;

/** @param side one of `sides`; undefined: the best of all */
export function gait_map(report: RoomSearch, side?: number): GaitMap | undefined {
  const { axes } = report;
  const at = (name: string) => axes.findIndex((axis) => axis.name === name);
  const [pace, duty, lag, sides] = [at('pace'), at('duty'), at('lag'), at('sides')];
  const x = axes[pace];
  if (!x) return undefined;
  const y_at = lag >= 0 ? lag : sides >= 0 ? sides : duty;
  const other = sides >= 0 && sides !== y_at ? sides : -1;
  const y = axes[y_at];
  const duties = y_at === duty ? undefined : axes[duty];
  const rows = y?.cells ?? 1;
  const scores = report.cells.map(rank);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  // Of cells that fall together the best one is shown.
  const shown = new Map<string, SearchCell>();
  for (const cell of report.cells) {
    const place = (axis: number) => cell.place[axis] ?? 0;
    if (other >= 0 && side !== undefined && place(other) !== side) continue;
    const key = [duty, pace, y_at].map(place).join();
    const before = shown.get(key);
    if (!before || before.score < cell.score) shown.set(key, cell);
  }
  const cell_of = (cell: SearchCell): MapCell => ({
    cell: cell.cell,
    column: cell.place[pace] ?? 0,
    row: rows - 1 - (cell.place[y_at] ?? 0),
    score: cell.score,
    heat: high > low ? (cell.score - low) / (high - low) : 1,
    kind: kind_title(cell.kind),
    best: cell.score === high,
    traits: cell.traits,
  });
  const panels = Array.from({ length: duties?.cells ?? 1 }, (_, i): MapPanel => ({
    title: duties ? `duty ${span_text(duties, i)}` : '',
    cells: [...shown.values()]
      .filter(({ place }) => !duties || place[duty] === i)
      .map(cell_of)
      .sort((a, b) => a.row - b.row || a.column - b.column),
  }));
  const others = axes[other];
  return {
    ...{ x, y, panels, axes, kinds: kinds_of(panels) },
    sides: others ? Array.from({ length: others.cells }, (_, i) => span_text(others, i)) : [],
  };
}

function kinds_of(panels: readonly MapPanel[]): GaitMap['kinds'] {
  const counts = new Map<string, number>();
  for (const { kind } of panels.flatMap(({ cells }) => cells))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => ({ kind, count }))
    .sort((a, b) => b.count - a.count || a.kind.localeCompare(b.kind));
}

/** A gait of the map in words. */
export function cell_words({ kind, score, traits }: MapCell, axes: readonly SearchAxis[]): string {
  const of_axes = axes.map((axis, i) => `${axis_title(axis)} ${score_text(traits[i] ?? 0)}`);
  return `${kind}, score ${score_text(score)}: ${of_axes.join(', ')}`;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The cell that arrow keys go to: the nearest one in that direction; panels stand side by side. */
export function next_cell(
  { panels, x }: GaitMap,
  from: number,
  direction: Direction,
): number | undefined {
  const all = panels.flatMap(({ cells }, panel) =>
    cells.map(({ cell, column, row }) => ({ cell, row, column: panel * (x.cells + 1) + column })),
  );
  const here = all.find(({ cell }) => cell === from);
  if (!here) return all[0]?.cell;
  const sideways = direction === 'left' || direction === 'right';
  const sign = direction === 'left' || direction === 'up' ? -1 : 1;
  let nearest: number | undefined;
  let least = Infinity;
  for (const one of all) {
    const [dx, dy] = [one.column - here.column, one.row - here.row];
    const ahead = sign * (sideways ? dx : dy);
    if (ahead <= 0) continue;
    const far = ahead + 2 * Math.abs(sideways ? dy : dx);
    if (far < least) [nearest, least] = [one.cell, far];
  }
  return nearest;
}
