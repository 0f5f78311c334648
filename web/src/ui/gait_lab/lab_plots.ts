// The plots of the gait lab: curves of the selected character's legs over the gait cycle, with people's bands behind them.
import type { GaitCycles, Side } from '../../state/gait/gait_cycle';
import type { Signal } from '../../state/gait/gait_sample';
import { type Band, type People, share_within } from '../../state/gait/walk_reference';
import { CyclePlot, type CyclePlotOptions } from './cycle_plot';

type Plotted = CyclePlotOptions & { readonly key: Signal };

const kInverse =
  'Calculated from poses and ground forces, by inverse dynamics in the plane of the walk. Above 0 the muscles ' +
  'drive the joint, below they brake it. Per kg of the body; cut off beyond 6.';

const kPlots: readonly Plotted[] = [
  {
    key: 'hip',
    title: 'Hip',
    unit: '°, flexed is up',
    digits: 0,
    range: [-30, 50],
    tick: 20,
    hint: 'Angle of the thigh, forward of the vertical',
  },
  {
    key: 'knee',
    title: 'Knee',
    unit: '°, flexed is up',
    digits: 0,
    range: [0, 80],
    tick: 20,
    hint: 'Angle between shank and thigh; 0 is straight',
  },
  {
    key: 'ankle',
    title: 'Ankle',
    unit: '°, toes up is up',
    digits: 0,
    range: [-40, 20],
    tick: 20,
    hint: 'Angle between foot and shank; 0 is a right angle',
  },
  {
    key: 'vertical_force',
    title: 'Ground force',
    unit: 'body weights',
    digits: 2,
    range: [0, 1.5],
    limit: [0, 2],
    tick: 0.5,
    hint: 'Upward force of the ground on each foot, in body weights; cut off above 2',
  },
  {
    key: 'hip_power',
    title: 'Hip power',
    unit: 'W/kg',
    digits: 1,
    range: [-2, 2],
    limit: [-6, 6],
    tick: 1,
    hint: kInverse,
  },
  {
    key: 'knee_power',
    title: 'Knee power',
    unit: 'W/kg',
    digits: 1,
    range: [-2, 2],
    limit: [-6, 6],
    tick: 1,
    hint: kInverse,
  },
  {
    key: 'ankle_power',
    title: 'Ankle power',
    unit: 'W/kg',
    digits: 1,
    range: [-2, 4],
    limit: [-6, 6],
    tick: 1,
    hint: kInverse,
  },
];

/** All plots, with one cursor. */
export class LabPlots {
  private readonly plots_ = kPlots.map((options) => ({
    key: options.key,
    plot: new CyclePlot(options),
  }));
  readonly elements: readonly HTMLElement[] = this.plots_.map(({ plot }) => plot.element);
  private cursor_: number | undefined; // share of the cycle at which values are told

  constructor() {
    for (const { plot } of this.plots_) plot.on_cursor = (share) => (this.cursor_ = share);
  }

  /** @param people real people at that speed; undefined while no speed is known */
  draw(cycles: GaitCycles, people: People | undefined): void {
    const live = [cycles.live(0), cycles.live(1)] as const;
    for (const { key, plot } of this.plots_) {
      const band = people?.bands.get(key);
      const leg = (side: Side) => ({
        mean: cycles.mean(side)?.[key],
        live: live[side]?.curves[key],
        phase: live[side]?.phase ?? [],
        foot_off: cycles.foot_off(side),
      });
      const legs = [leg(0), leg(1)] as const;
      const means = legs.flatMap(({ mean }) => (mean ? [mean] : []));
      plot.draw({
        legs,
        band,
        people_foot_off: people?.foot_off,
        cursor: this.cursor_,
        note: band && means.length > 0 ? `${inside(means, band)} % in the band` : '',
      });
    }
  }
}

/** % of the cycle that the curves are inside people's band, mean of the curves. */
function inside(curves: readonly (readonly number[])[], band: Band): string {
  const sum = curves.reduce((total, curve) => total + share_within(curve, band), 0);
  return (sum / curves.length).toFixed(0);
}
