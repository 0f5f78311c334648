// The line above the clock that says what the pointer does just now.
import type { Build } from '../../state/hand/build';

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
  readonly errands: boolean; // the characters can do something with a thing that is here
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
    return `Let go while moving to throw${with_keys('hold Shift to move along the ground')}${with_keys('wheel: nearer or farther')}`;
  if (build.pushing.value)
    return `Let go to push along the ground: the longer the arrow, the harder${with_keys('hold Shift to push up or down')}${with_keys('Esc cancels')}`;
  if (draws_path)
    return selected.walkers > 0
      ? 'Draw a path on the ground. End it where it started to make a loop'
      : 'First select a character that walks, then draw a path';
  switch (tool.kind) {
    case 'place':
      return keys
        ? `Click the ground or a thing to place: ${tool.kit.title} · R or the wheel turns it · Esc finishes`
        : `Tap the ground or a thing to place: ${tool.kit.title}`;
    case 'tie':
      return tool.first
        ? `${press} the second point: on another body, or on the ground${with_keys('Esc undoes the first')}`
        : `${press} the first point: on a body, or on the ground; then the second${with_keys('Esc finishes')}`;
    case 'none':
      return hint_of_drag(build.mode.value === 'grab', selected, press, with_keys, narrow);
  }
}

function hint_of_drag(
  grab: boolean,
  { walkers, others, things, errands }: Selected,
  press: string,
  with_keys: (text: string) => string,
  narrow: boolean,
): string {
  if (walkers > 0)
    return `${press} the ground to send them there${errands ? ', a thing for errands with it' : ''}${with_keys('W A S D to steer · Space to stop')} · drag a character to ${grab ? 'move' : 'push'} them`;
  // In both modes a drag moves things; only what it does to characters differs.
  if (others > 0 && !grab)
    return `Drag to push · choose Grab to move instead${with_keys('Delete to remove')}`;
  if (others + things > 0)
    return `Drag to move, let go while moving to throw${with_keys('hold Shift to move along the ground')}${with_keys('Delete to remove')}`;
  const what = grab
    ? 'Drag a character or a thing to move or throw'
    : 'Drag a character to push them, a thing to move or throw it';
  const more = narrow ? '☰, then Build, adds and ties things' : 'Build adds and ties things';
  const camera = press === 'Tap' ? ' · two fingers move the camera' : '';
  return `${what} · ${press.toLowerCase()} one to select · ${more}${camera}`;
}
