// Tells the room what this viewer has selected and where the pointer is on the ground, for the others to see.
import type { Viewport } from '../../scene/picture/viewport';
import type { Vec3 } from '../../state/values/quaternion';
import type { Context } from '../page/context';

const kEvery_ms = 100;
const kStep_m = 0.02; // less is not worth a message
const kMost = 32; // ids that the server takes

/** @return to be called after every picture */
export function share_attention(
  { client, selection, world }: Context,
  viewport: Pick<Viewport, 'pointed'>,
): () => void {
  let last_ms = 0;
  let told: { selected: readonly number[]; pointer: Vec3 | undefined } = {
    selected: [],
    pointer: undefined,
  };
  const selected = () => {
    const { by_id } = world.cast.value;
    return selection.ids.value.filter((id) => by_id.has(id)).slice(0, kMost);
  };
  const tell = (ids: readonly number[], pointer: Vec3 | undefined) => {
    if (same_ids(ids, told.selected) && near(pointer, told.pointer)) return;
    told = { selected: ids, pointer };
    client.attend({ selected: ids, pointer: pointer ? [...pointer] : [] });
  };
  // A visitor who is alone tells nothing, and leaves nothing behind for visitors who come later.
  world.company.visitors.watch((all) => {
    if (all.length < 2) tell([], undefined);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) tell(told.selected, undefined);
  });
  return () => {
    const now = performance.now();
    if (now - last_ms < kEvery_ms || world.company.others.length === 0) return;
    last_ms = now;
    // While the page shows the past, the pointer is not in the others' present.
    const seen = !document.hidden && !world.lookback.on.value;
    tell(selected(), seen ? viewport.pointed : undefined);
  };
}

function same_ids(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}

function near(a: Vec3 | undefined, b: Vec3 | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < kStep_m;
}
