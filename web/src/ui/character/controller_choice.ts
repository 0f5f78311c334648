// Select elements for the controller: of creatures that are added, and of the selected characters.
import type { Skeleton } from '../../state/figure/skeleton';
import type { World } from '../../state/room/world';
import { field, fill_select, h } from '../parts/dom';

export interface ControllerChoice {
  readonly row: HTMLElement;
  readonly select: HTMLSelectElement;
  /**
   * Offers only the controllers that can move a body.
   * @param skeleton undefined: a body of unknown shape, for which all are offered
   */
  offer(skeleton: Skeleton | undefined): void;
}

/**
 * A row with a choice of controllers, hidden in a room that has only one.
 * @param own text of the choice that leaves the controller to the room; undefined: no such choice
 */
export function controller_choice(world: World, test: string, own?: string): ControllerChoice {
  const select = h('select', { attributes: { 'data-test': test } });
  const row = field('Controller', select);
  let of: Skeleton | undefined;
  const refresh = () => {
    const { families } = world;
    fill_select(select, [
      ...(own === undefined ? [] : [{ value: '', text: own }]),
      ...families.that_drive(of).map(({ name, title }) => ({ value: name, text: title })),
    ]);
    [...select.options].forEach((option) => {
      if (option.value) option.title = families.get(option.value).description;
    });
    row.hidden = families.all.length < 2;
  };
  world.scene.watch(refresh);
  return {
    row,
    select,
    offer(skeleton) {
      if (skeleton === of) return;
      of = skeleton;
      refresh();
    },
  };
}

/** A select that shows what the room has, and sends what is chosen to the room. */
export interface ToldSelect {
  show(value: string): void;
}

/**
 * Keeps a select in step with the room: it shows the room's value, also after the room has refused a choice.
 * @param choose sends the choice to the room; gives whether the room accepted it
 */
export function told_select(
  select: HTMLSelectElement,
  choose: (value: string) => Promise<boolean>,
): ToldSelect {
  let told = '';
  select.addEventListener('change', () => {
    void choose(select.value).then((taken) => {
      if (!taken) select.value = told;
    });
  });
  return {
    show(value) {
      // While the list is open it is left alone unless the room's value has changed.
      if (value === told && document.activeElement === select) return;
      told = value;
      if (select.value !== value) select.value = value;
    },
  };
}
