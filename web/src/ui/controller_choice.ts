// Selects of controllers: who moves what is added, and who moves the selected.
import { controller_words, controllers_for } from '../state/controllers';
import type { Skeleton } from '../state/skeleton';
import type { World } from '../state/world';
import { field, fill_select, h } from './dom';

export interface ControllerChoice {
  readonly row: HTMLElement;
  readonly select: HTMLSelectElement;
  /** Leaves those out that can not move a body. @param skeleton undefined: of which nothing is known */
  offer(skeleton: Skeleton | undefined): void;
}

/**
 * A row to choose a controller in, hidden where the scene has one only.
 * @param own text of the choice that leaves it to the room; undefined: there is none
 */
export function controller_choice(world: World, test: string, own?: string): ControllerChoice {
  const select = h('select', { attributes: { 'data-test': test } });
  const row = field('Controller', select);
  let of: Skeleton | undefined;
  const refresh = () => {
    const names = controllers_for(of, world.controllers);
    fill_select(select, [
      ...(own === undefined ? [] : [{ value: '', text: own }]),
      ...names.map((name) => ({ value: name, text: controller_words(name).title })),
    ]);
    [...select.options].forEach((option) => {
      if (option.value) option.title = controller_words(option.value).hint;
    });
    row.hidden = world.controllers.length < 2;
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

/**
 * Lets a select show what the room says, and go back to it when the room refuses a choice.
 * @param choose tells the room. @return whether it has taken all of it
 */
export function told_select(
  select: HTMLSelectElement,
  choose: (value: string) => Promise<boolean>,
): { show(value: string): void } {
  let told = '';
  select.addEventListener('change', () => {
    void choose(select.value).then((taken) => {
      if (!taken) select.value = told;
    });
  });
  return {
    show(value) {
      // One that is being chosen from is left alone while there is nothing new.
      if (value === told && document.activeElement === select) return;
      told = value;
      if (select.value !== value) select.value = value;
    },
  };
}
