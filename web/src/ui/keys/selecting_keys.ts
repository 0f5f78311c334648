// The keys that select.
import type { Viewport } from '../../scene/picture/viewport';
import type { Member } from '../../state/room/roster';
import type { Context } from '../page/context';
import type { KeyActions } from './keyboard';

export function selecting_keys(
  { announcer, selection, world }: Context,
  viewport: Viewport,
): Pick<KeyActions, 'next' | 'next_thing' | 'middle' | 'add_next'> {
  /** The one after, or before, the one that was selected last. */
  const beside = (members: readonly Member[], direction: 1 | -1): number | undefined => {
    const ids = members.map(({ id }) => id);
    const chosen = selection.ids.value;
    const last = chosen[chosen.length - 1];
    const now = last === undefined ? -1 : ids.indexOf(last);
    // Without a selection: on to the first, or back to the last.
    const from = now < 0 && direction < 0 ? 0 : now;
    return ids[(from + direction + ids.length) % ids.length];
  };
  const choose = (members: readonly Member[], direction: 1 | -1) => {
    const id = beside(members, direction);
    if (id === undefined) return;
    selection.choose(id);
    viewport.show(id);
  };
  return {
    next: (direction) => choose(world.cast.value.members, direction),
    next_thing: (direction) => choose(world.cast.value.things, direction),
    // The camera stays, so that the same key leads further outward.
    middle: (add) => {
      const ids = viewport.outward();
      const chosen = selection.ids.value;
      const now = ids.indexOf(chosen[chosen.length - 1] ?? 0);
      const free = ids.filter((id) => !chosen.includes(id));
      const id = add ? free[0] : ids[(now + 1) % ids.length];
      if (id === undefined) announcer.answer('Nobody is in the picture');
      else if (add) selection.toggle(id);
      else selection.choose(id);
    },
    add_next: (direction) => {
      const members = world.cast.value.members.filter(
        ({ id }) => !selection.has(id) || id === selection.ids.value.at(-1),
      );
      const id = beside(members, direction);
      if (id !== undefined && !selection.has(id)) selection.toggle(id);
    },
  };
}
