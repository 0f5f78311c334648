// The keys of building.
import type { Viewport } from '../../scene/picture/viewport';
import type { Builder } from '../hand/builder';
import type { Context } from '../page/context';
import type { KeyActions } from './keyboard';

const kStep = 0.02; // of the camera's distance: how far an arrow key moves the body that is to be put down

export function build_keys(
  { build, selection, world }: Context,
  builder: Builder,
  viewport: Viewport,
): Pick<KeyActions, 'mode' | 'remove' | 'turn' | 'put' | 'shift'> {
  const placing = () => build.tool.value.kind === 'place';
  return {
    mode: () => {
      if (world.can_command) build.toggle_mode();
    },
    remove: () => {
      if (selection.ids.value.length > 0) builder.remove_selected();
    },
    turn: () => {
      if (placing()) build.turn(1);
      return placing();
    },
    put: () => {
      const spot = build.keyboard_spot.value;
      if (placing() && spot) void builder.place(spot);
      return placing() && spot !== undefined;
    },
    shift: ({ right, away }) => {
      if (!placing()) return false;
      const spot = build.keyboard_spot.value ?? viewport.middle();
      if (!spot) return true;
      const { from, at } = viewport.rig.view;
      const step = kStep * Math.hypot(at[0] - from[0], at[1] - from[1], at[2] - from[2]);
      const [fx, fy] = viewport.away.map((c) => c * step) as [number, number];
      const moved = [
        spot.point[0] + fx * away + fy * right,
        spot.point[1] + fy * away - fx * right,
      ] as const;
      build.keyboard_spot.set(viewport.ground_below(...moved) ?? spot);
      return true;
    },
  };
}
