// The scales of the curve of scores. Scores of candidates that went on are near each other, those of falls are 10 lower:
// falls have a band of their own below, by how long they stayed up. Source: Panne1996, figure 10
import type { RoomSearch } from '../../gen/promenade/v1/room_search_pb';

/** What a fall scores at most, and at least; less is an error of the physics (study/trial/gait on the server). */
const kFell = { most: -9, least: -10 } as const;
const kFallBand = 0.17; // of the height
const kGap = 0.05;
const kLeast_span = 0.2;
const kMargin = 0.06; // of the span, above the best and below the worst

export interface Dot {
  readonly trial: number;
  readonly score: number;
  readonly fell: boolean;
}

export interface ScoreCurve {
  readonly dots: readonly Dot[];
  /** The best so far: it counts from its trial on. */
  readonly steps: readonly { readonly trial: number; readonly score: number }[];
  readonly trials: number; // on the axis
  readonly tried: number; // so far
  readonly low: number; // scores on the axis, without falls
  readonly high: number;
  readonly falls: boolean; // there is a band for them
}

export const has_fallen = (score: number): boolean => score <= kFell.most;

/** A score, or a figure of one, as a text. */
export function score_text(value: number): string {
  return value
    .toFixed(2)
    .replace(/^-0\.00$/, '0.00')
    .replace('-', '−');
}

export function score_curve(report: RoomSearch): ScoreCurve {
  const every = Math.max(1, Number(report.scoresEvery));
  const dots = report.scores.map((score, i): Dot => ({
    trial: i * every,
    score,
    fell: has_fallen(score),
  }));
  const steps = report.curve.map(({ trial, score }) => ({ trial: Number(trial), score }));
  const went_on = [...dots, ...steps].map(({ score }) => score).filter((one) => !has_fallen(one));
  const [least, most] =
    went_on.length > 0 ? [Math.min(...went_on), Math.max(...went_on)] : [0, kLeast_span];
  const span = Math.max(kLeast_span, most - least);
  const middle = (least + most) / 2;
  const tried = Number(report.evaluations);
  return {
    dots,
    steps,
    trials: Math.max(1, tried, Number(report.order?.budget ?? 0)),
    tried,
    low: middle - (0.5 + kMargin) * span,
    high: middle + (0.5 + kMargin) * span,
    falls: dots.some(({ fell }) => fell),
  };
}

/** Where the axis of scores begins above the band of falls, from the bottom, of the height. */
export function floor_of({ falls }: ScoreCurve): number {
  return falls ? kFallBand + kGap : 0;
}

/** How high a score is drawn, of the height, from the bottom. */
export function height_of(score: number, curve: ScoreCurve): number {
  if (has_fallen(score)) {
    const up = Math.min(1, Math.max(0, (score - kFell.least) / (kFell.most - kFell.least)));
    return kFallBand * up;
  }
  const floor = floor_of(curve);
  const share = (score - curve.low) / (curve.high - curve.low);
  return floor + (1 - floor) * Math.min(1, Math.max(0, share));
}
