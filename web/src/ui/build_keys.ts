// Keys and words of building.
import type { Build } from '../state/build';
import type { Viewport } from '../scene/viewport';
import type { Builder } from './builder';
import type { Context } from './context';
import type { KeyActions } from './keyboard';

const kStep = 0.02; // of the distance to the camera: how far an arrow moves what is put down

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
    shift: (right, away) => {
      if (!placing()) return false;
      const spot = build.keyboard_spot.value ?? viewport.middle();
      if (!spot) return true;
      const { from, at } = viewport.rig.view;
      const [x, y] = [at[0] - from[0], at[1] - from[1]];
      const level = Math.hypot(x, y) || 1;
      const step = kStep * Math.hypot(level, at[2] - from[2]);
      const [fx, fy] = [(x / level) * step, (y / level) * step];
      const moved = [
        spot.point[0] + fx * away + fy * right,
        spot.point[1] + fy * away - fx * right,
      ] as const;
      build.keyboard_spot.set(viewport.ground_below(...moved) ?? spot);
      return true;
    },
  };
}

/** What the pointer does just now, in a line. */
export function hint_of(build: Build, characters: number, selected: number): string {
  const tool = build.tool.value;
  switch (tool.kind) {
    case 'place':
      return `Click to put down: ${tool.kit.title} · R or wheel turns it · Esc ends`;
    case 'tie':
      return tool.first
        ? 'Click the other point, on another body or on the ground · Esc takes the first back'
        : 'Click a point of a body or of the ground, then the other · Esc ends';
    case 'none':
      break;
  }
  const drag = build.mode.value === 'grab' ? 'drag to take hold' : 'drag to push; things are moved';
  if (characters > 0)
    return `Click the ground to send it there · W A S D to steer · Space to stop · ${drag}`;
  if (selected > 0) return 'Drag to move it, let go to throw · Shift over the ground · Delete';
  return build.mode.value === 'grab'
    ? 'Drag a character or thing to take hold of it · click to select it · G to push again'
    : 'Drag a character to push it, a thing to move it · click to select, then the ground to send it there';
}
