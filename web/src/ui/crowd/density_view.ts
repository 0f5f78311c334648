// The heat map of the crowd: its switch, and the scale beside the picture.
import { HeatMap, kHeatColors, kMostDense_pm2 } from '../../scene/flow/heat_map';
import type { Viewport } from '../../scene/picture/viewport';
import { DensityGrid } from '../../state/flow/density';
import { is_present } from '../../state/frames/interpolate';
import { at } from '../../state/values/quaternion';
import type { World } from '../../state/room/world';
import type { Context } from '../page/context';
import { h } from '../parts/dom';

const kEvery_ms = 200;
const kMargin_m = 4; // around the people who are there
const kMost_m = 200; // side of the ground that is looked at

export function density_view({ world }: Context, viewport: Viewport): HTMLElement {
  const box = h('input', { attributes: { type: 'checkbox', 'data-test': 'heat-map' } });
  const legend = scale();
  viewport.stage.renderer.domElement.parentElement?.append(legend);
  let heat: HeatMap | undefined;
  let grid = new DensityGrid();
  let timer: ReturnType<typeof setInterval> | undefined;
  let last_tick = 0;

  const update = () => {
    const { tick } = world.pose;
    const tick_s = world.hello.value?.tick_s ?? 1 / 60;
    const elapsed_s = (tick - last_tick) * tick_s;
    if (document.hidden || elapsed_s === 0 || !heat) return;
    last_tick = tick;
    const places = places_of(world);
    // Back in time, or elsewhere: only now counts.
    const fresh = elapsed_s < 0 || elapsed_s > 5 || lay_out(grid, places);
    grid.update(places, fresh ? Infinity : elapsed_s);
    const [x, y] = viewport.rig.view.at;
    heat.show(grid, viewport.ground_below(x, y)?.point[2] ?? 0);
  };
  const turn = (on: boolean) => {
    legend.hidden = !on;
    clearInterval(timer);
    heat?.dispose();
    heat = undefined;
    if (!on) return;
    heat = new HeatMap();
    heat.mesh.visible = false;
    viewport.stage.root.add(heat.mesh);
    grid = new DensityGrid();
    last_tick = -1;
    update();
    timer = setInterval(update, kEvery_ms);
  };
  box.addEventListener('change', () => turn(box.checked));
  world.shown_scene.watch(() => (grid = new DensityGrid()));
  return h(
    'label',
    { class: 'switch', title: 'Colours on the ground: people per square metre' },
    box,
    h('span', { text: 'Density on the ground' }),
  );
}

function places_of({ pose }: World): number[] {
  const places: number[] = [];
  for (const member of pose.cast.members)
    if (is_present(pose, member))
      places.push(at(pose.poses, member.pose), at(pose.poses, member.pose + 1));
  return places;
}

/** Lays the grid over all people, if it does not cover them. @return whether the grid has changed */
function lay_out(grid: DensityGrid, places: readonly number[]): boolean {
  let outside = grid.columns === 0;
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < places.length; i += 2) {
    const [x, y] = [places[i] as number, places[i + 1] as number];
    outside ||= !grid.covers(x, y);
    [left, low] = [Math.min(left, x), Math.min(low, y)];
    [right, high] = [Math.max(right, x), Math.max(high, y)];
  }
  if (!outside || places.length === 0) return false;
  // A person who fell out of the world does not make the cells large.
  const [x, y] = [(left + right) / 2, (low + high) / 2];
  const half = (a: number, b: number) => Math.min(kMost_m, b - a) / 2 + kMargin_m;
  const [w, d] = [half(left, right), half(low, high)];
  if (grid.columns > 0 && w >= kMost_m / 2) return false;
  grid.cover([x - w, y - d], [x + w, y + d]);
  return true;
}

function scale(): HTMLElement {
  const bar = h('i', { class: 'heat-bar' });
  // Not as an attribute, which the page's Content-Security-Policy forbids.
  bar.style.setProperty('background', `linear-gradient(90deg, ${kHeatColors.join(', ')})`);
  const numbers = Array.from({ length: kMostDense_pm2 + 1 }, (_, i) =>
    h('span', { text: i === kMostDense_pm2 ? `${i}+` : String(i) }),
  );
  const legend = h(
    'div',
    {
      class: 'heat-legend',
      attributes: {
        role: 'img',
        'aria-label': `Scale of the density: blue is few, yellow is ${kMostDense_pm2} people per square metre or more`,
        'data-test': 'heat-legend',
      },
    },
    h('span', { class: 'heat-title', text: 'People per m²' }),
    bar,
    h('div', { class: 'heat-numbers' }, ...numbers),
  );
  legend.hidden = true;
  return legend;
}
