// The gait lab in its own scene.
import type { Context } from '../page/context';
import type { Sheet } from '../parts/later';

/** The scene in which the lab opens by itself. */
export const kLabScene = 'gait-lab';

/** The lab opens by itself in its scene, with the first character selected, and closes with it. */
export function open_in_its_scene({ selection, world }: Context, lab: Sheet): void {
  let entered = false; // whether this loading of the scene was seen to
  let ours = false; // the lab was opened here
  world.scene.watch((info) => {
    entered = false;
    if (ours && info?.scene?.name !== kLabScene) lab.open.set(false);
  });
  world.cast.watch(({ members }) => {
    const [first] = members;
    if (entered || !first || world.scene.value?.scene?.name !== kLabScene) return;
    entered = true;
    if (selection.first === undefined) selection.choose(first.id);
    ours = true;
    lab.open.set(true);
  });
  lab.open.watch((on) => {
    if (!on) ours = false;
  });
}
