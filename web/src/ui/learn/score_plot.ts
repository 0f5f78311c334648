// The curve of a search: a dot for each candidate, and a line for the best so far. Source: Panne1996, figure 10
import type { RoomSearch } from '../../gen/promenade/v1/room_search_pb';
import {
  floor_of,
  height_of,
  type ScoreCurve,
  score_curve,
  score_text,
} from '../../state/learn/score_scale';
import { digits_for, round_numbers, round_step } from '../../state/values/scale';
import { h } from '../parts/dom';
import { fit_canvas } from '../parts/plot';

const kMargin = { left: 38, right: 8, top: 8, bottom: 18 } as const; // px
const kFont = '11px system-ui, sans-serif';
const kDot_px = 1.6;
const kScores = 4; // numbers on the axis
const kTrials = 6;

interface Frame {
  readonly pen: CanvasRenderingContext2D;
  readonly color: (name: string) => string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly x: (trial: number) => number;
  readonly y: (score: number) => number;
  readonly at: (share: number) => number; // of the height
}

export class ScorePlot {
  readonly element: HTMLElement;
  private readonly canvas_ = h('canvas', {
    class: 'score-plot',
    attributes: { role: 'img', 'data-test': 'learn-curve', 'aria-label': 'No scores yet' },
  });
  private curve_: ScoreCurve | undefined;
  private drawn_ = '';
  private changes_ = 0;

  constructor() {
    this.element = h(
      'figure',
      { class: 'learn-curve' },
      h(
        'figcaption',
        { title: 'More is better. The line is the best so far' },
        h('strong', { text: 'Scores' }),
        h('span', { class: 'score-key score-dot', text: 'candidate' }),
        h('span', { class: 'score-key score-fall', text: 'fell' }),
        h('span', { class: 'score-key score-line', text: 'best so far' }),
      ),
      this.canvas_,
    );
  }

  show(report: RoomSearch | undefined): void {
    this.curve_ = report && score_curve(report);
    ++this.changes_;
    const { dots = [], steps = [] } = this.curve_ ?? {};
    this.canvas_.dataset['dots'] = String(dots.length);
    const last = steps.at(-1);
    const fallen = dots.filter(({ fell }) => fell).length;
    this.canvas_.setAttribute(
      'aria-label',
      last
        ? `Scores of ${dots.length} candidates, ${fallen} of which fell; the best is ${score_text(last.score)}, of candidate ${last.trial}, and the best became better ${steps.length} times`
        : 'No scores yet',
    );
  }

  /** Draws where something has changed. */
  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas_;
    const { theme } = document.documentElement.dataset;
    const key = `${this.changes_} ${width} ${height} ${theme}`;
    if (key === this.drawn_) return;
    const pen = fit_canvas(this.canvas_);
    if (!pen) return;
    this.drawn_ = key;
    pen.clearRect(0, 0, width, height);
    const curve = this.curve_;
    if (!curve) return;
    const style = getComputedStyle(this.canvas_);
    const right = width - kMargin.right;
    const bottom = height - kMargin.bottom;
    const at = (share: number) => bottom - share * (bottom - kMargin.top);
    const frame: Frame = {
      ...{ pen, right, bottom, at, left: kMargin.left },
      color: (name) => style.getPropertyValue(name),
      x: (trial) => kMargin.left + (trial / curve.trials) * (right - kMargin.left),
      y: (score) => at(height_of(score, curve)),
    };
    pen.font = kFont;
    draw_axes(frame, curve);
    draw_dots(frame, curve);
    draw_best(frame, curve);
  }
}

function draw_axes({ pen, color, left, right, bottom, x, y, at }: Frame, curve: ScoreCurve): void {
  pen.strokeStyle = color('--line');
  pen.fillStyle = color('--faint');
  pen.lineWidth = 1;
  pen.textBaseline = 'middle';
  pen.textAlign = 'right';
  const line = (height: number) => {
    pen.beginPath();
    pen.moveTo(left, Math.round(height) + 0.5);
    pen.lineTo(right, Math.round(height) + 0.5);
    pen.stroke();
  };
  const digits = digits_for(round_step(curve.high - curve.low, kScores));
  for (const score of round_numbers(curve.low, curve.high, kScores)) {
    line(y(score));
    pen.fillText(score.toFixed(digits).replace('-', '−'), left - 5, y(score));
  }
  if (curve.falls) {
    const top = at(floor_of(curve) - 0.03);
    pen.save();
    pen.globalAlpha = 0.5;
    pen.fillStyle = color('--line');
    pen.fillRect(left, top, right - left, bottom - top);
    pen.restore();
    pen.fillText('falls', left - 5, (top + bottom) / 2);
  }
  pen.textBaseline = 'alphabetic';
  line(bottom);
  for (const trial of round_numbers(0, curve.trials, kTrials)) {
    pen.textAlign = trial === 0 ? 'left' : x(trial) > right - 12 ? 'right' : 'center';
    pen.fillText(String(Math.round(trial)), x(trial), bottom + 13);
  }
}

function draw_dots({ pen, color, x, y }: Frame, { dots }: ScoreCurve): void {
  const [good, fallen] = [color('--plot-1'), color('--faint')];
  for (const { trial, score, fell } of dots) {
    pen.fillStyle = fell ? fallen : good;
    pen.globalAlpha = fell ? 0.45 : 0.75;
    pen.beginPath();
    pen.arc(x(trial), y(score), kDot_px, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.globalAlpha = 1;
}

function draw_best({ pen, color, x, y }: Frame, { steps, tried }: ScoreCurve): void {
  pen.strokeStyle = color('--plot-2');
  pen.lineWidth = 2;
  pen.lineJoin = 'round';
  pen.beginPath();
  steps.forEach(({ trial, score }, i) => {
    const before = steps[i - 1];
    if (before) pen.lineTo(x(trial), y(before.score));
    pen.lineTo(x(trial), y(score));
  });
  const last = steps.at(-1);
  if (last) pen.lineTo(x(Math.max(tried, last.trial)), y(last.score));
  pen.stroke();
}
