// The line above the clock that says what the pointer does just now.
import type { Build } from '../state/build';

/** A scene's hint, which is written for mouse and keys, for fingers. */
export function for_fingers(hint: string): string {
  return hint
    .replace(/\bsteer with W A S D\b/g, 'steer with the round pad')
    .replace(/\bClick(?= |ing)/g, 'Tap')
    .replace(/\bclick(?= )/g, 'tap');
}

/** How many of each kind are selected. */
export interface Selected {
  readonly walkers: number; // characters that can be sent somewhere
  readonly others: number; // characters that cannot: they hold a pose, or are limp
  readonly things: number;
}

/**
 * @param draws_path whether the path tool is in use
 * @param keys whether the device seems to have a keyboard
 * @param narrow whether the panels are behind a button
 */
export function hint_of(
  build: Build,
  selected: Selected,
  draws_path: boolean,
  keys: boolean,
  narrow: boolean,
): string {
  const tool = build.tool.value;
  const press = keys ? 'Click' : 'Tap';
  const with_keys = (text: string) => (keys ? ` · ${text}` : '');
  if (build.dragging.value)
    return `Let go in motion to throw${with_keys('hold Shift to move along the ground')}${with_keys('turn the wheel to bring it nearer or take it away')}`;
  if (build.pushing.value)
    return `Let go to push along the ground: the longer the arrow, the harder${with_keys('hold Shift to push up or down')}${with_keys('Esc cancels')}`;
  if (draws_path)
    return selected.walkers > 0
      ? 'Draw a path on the ground; end where you began to have it walked round and round'
      : 'Select a character that walks first, then draw its path';
  switch (tool.kind) {
    case 'place':
      return keys
        ? `Click the ground or a thing to put it there: ${tool.kit.title} · R or the wheel turns it · Esc ends`
        : `Tap the ground or a thing to put it there: ${tool.kit.title}`;
    case 'tie':
      return tool.first
        ? `${press} the second point: on another body, or on the ground${with_keys('Esc takes the first back')}`
        : `${press} the first point: on a body, or on the ground; then the second${with_keys('Esc ends')}`;
    case 'none':
      return hint_of_drag(build.mode.value === 'grab', selected, press, with_keys, narrow);
  }
}

function hint_of_drag(
  grab: boolean,
  { walkers, others, things }: Selected,
  press: string,
  with_keys: (text: string) => string,
  narrow: boolean,
): string {
  const it = walkers + others + things > 1 ? 'them' : 'it';
  if (walkers > 0)
    return `${press} the ground to send ${it} there${with_keys('W A S D to steer · Space to stop')} · drag a body to ${grab ? 'move' : 'push'} it`;
  // In both modes a drag moves things; only what it does to characters differs.
  if (others > 0 && !grab)
    return `Drag a body to push it · choose Grab to move it instead${with_keys('Delete removes ' + it)}`;
  if (others + things > 0)
    return `Drag to move, let go in motion to throw${with_keys('hold Shift to move along the ground')}${with_keys('Delete removes ' + it)}`;
  const what = grab
    ? 'Drag a character or a thing to move or throw it'
    : 'Drag a character to push it, a thing to move or throw it';
  const more = narrow ? '☰, then Build, adds and ties things' : 'Build adds and ties things';
  const camera = press === 'Tap' ? ' · two fingers move the camera' : '';
  return `${what} · ${press.toLowerCase()} one to select it · ${more}${camera}`;
}
