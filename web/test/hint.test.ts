import { describe, expect, test } from 'vitest';
import { Build } from '../src/state/hand/build';
import { hint_of, type Selected } from '../src/ui/page/hint';

const none: Selected = { walkers: 0, others: 0, things: 0, errands: false };

function hint(
  mode: 'push' | 'grab',
  selected: Partial<Selected>,
  keys = true,
  narrow = false,
): string {
  const build = new Build();
  build.mode.set(mode);
  return hint_of(build, { ...none, ...selected }, false, keys, narrow);
}

describe('the hint', () => {
  test('says what a drag does to what is selected, in either mode', () => {
    expect(hint('push', { walkers: 1 })).toMatch(/send them there.*drag a character to push/);
    expect(hint('grab', { walkers: 2 })).toMatch(/send them there.*drag a character to move/);
    expect(hint('push', { walkers: 1, errands: true })).toMatch(/there, a thing for errands/);
    expect(hint('push', { others: 1 })).toMatch(/^Drag to push .*Grab/);
    expect(hint('grab', { others: 1 })).toMatch(/^Drag to move/);
    for (const mode of ['push', 'grab'] as const)
      expect(hint(mode, { things: 1 })).toMatch(/^Drag to move, .*throw/);
  });

  test('names the panel in which one builds while nothing is selected', () => {
    expect(hint('push', {})).toMatch(/Build/);
    expect(hint('grab', {})).toMatch(/Build/);
    expect(hint('push', {}, false, true)).toMatch(/☰.*Build/);
  });

  test('tells the ways to move a body that is being dragged', () => {
    const build = new Build();
    build.dragging.set(true);
    expect(hint_of(build, none, false, true, false)).toMatch(/throw.*Shift.*wheel/);
  });

  test('names keys only where there are some', () => {
    expect(hint('push', { walkers: 1 }, false)).not.toMatch(/W A S D|Space|Click/);
    expect(hint('grab', { things: 1 }, false)).not.toMatch(/Shift|Delete/);
  });
});
