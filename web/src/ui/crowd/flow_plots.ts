// The plots of what comes of a flow: people a minute, their mean speed, and how many there are.
import type { FigureJson, FlowRates } from '../../state/flow/flow_rates';
import { Plot } from '../parts/plot';

const kPlot_s = 120;

export class FlowPlots {
  private readonly through_ = new Plot({
    ...{ title: 'People a minute', unit: '/ min', digits: 0, least_span: 10, window_s: kPlot_s },
    hint: 'Over the last half minute; the last two minutes are shown',
    series: [
      { name: 'in', color: '--plot-1' },
      { name: 'out', color: '--plot-2' },
    ],
  });
  private readonly speed_ = new Plot({
    ...{ title: 'Mean speed', unit: 'm/s', digits: 2, least_span: 1, window_s: kPlot_s },
    hint: 'Of all people who come and go, standing ones included',
    series: [{ name: 'mean', color: '--plot-3' }],
  });
  private readonly count_ = new Plot({
    ...{ title: 'People', unit: '', digits: 0, least_span: 10, window_s: kPlot_s },
    hint: 'People in the scene, and people who wait for room at an entrance',
    series: [
      { name: 'here', color: '--plot-1' },
      { name: 'waiting', color: '--plot-4' },
    ],
  });
  private readonly all_ = [this.through_, this.speed_, this.count_] as const;
  readonly elements = this.all_.map(({ element }) => element);

  /** Adds figures that the rates have just counted. */
  add(rates: FlowRates, figures: FigureJson): void {
    const time_s = figures.time_s ?? 0;
    const [into, out] = [rates.all('entered'), rates.all('left')];
    if (into !== undefined && out !== undefined) this.through_.add(time_s, [into, out]);
    if (figures.people) this.speed_.add(time_s, [figures.mean_speed_mps ?? 0]);
    this.count_.add(time_s, [figures.people ?? 0, figures.waiting ?? 0]);
  }

  draw(): void {
    for (const plot of this.all_) plot.draw();
  }

  clear(): void {
    for (const plot of this.all_) plot.clear();
  }
}
