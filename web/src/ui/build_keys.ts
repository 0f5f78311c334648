// The keys of building, and the hint about what the pointer does.
import type { Build } from '../state/build';
import type { Viewport } from '../scene/viewport';
import type { Builder } from './builder';
import type { Context } from './context';
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
    shift: (right, away) => {
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

/**
 * The hint above the clock: what the pointer does just now, in a line.
 * @param keys whether the device seems to have a keyboard
 */
export function hint_of(build: Build, characters: number, selected: number, keys = true): string {
  const tool = build.tool.value;
  const press = keys ? 'Click' : 'Tap';
  switch (tool.kind) {
    case 'place':
      return keys
        ? `Click to put down: ${tool.kit.title} · R or wheel turns it · Esc ends`
        : `Tap where to put it down: ${tool.kit.title}`;
    case 'tie':
      return tool.first
        ? `${press} the other point, on another body or on the ground${keys ? ' · Esc takes the first back' : ''}`
        : `${press} a point of a body or of the ground, then the other${keys ? ' · Esc ends' : ''}`;
    case 'none':
      break;
  }
  const drag = build.mode.value === 'grab' ? 'drag to take hold' : 'drag to push; things are moved';
  if (characters > 0)
    return `${press} the ground to send it there${keys ? ' · W A S D to steer · Space to stop' : ''} · ${drag}`;
  if (selected > 0)
    return `Drag to move it, let go to throw${keys ? ' · Shift over the ground · Delete' : ''}`;
  return build.mode.value === 'grab'
    ? `Drag a character or thing to take hold of it · ${press.toLowerCase()} to select it${keys ? ' · G to push again' : ''}`
    : `Drag a character to push it, a thing to move it · ${press.toLowerCase()} to select, then the ground to send it there`;
}
