// Tells the server where the camera is, so that frames hold of each character what can be seen of it.
import type { Viewpoint } from '../../net/messages';
import type { Context } from '../page/context';

const kEvery_ms = 100;
// Less is not worth a message: the tiers have wider margins.
const kStep_m = 0.1;
const kTurn_rad = 0.01;
const kGrowth = 0.02; // of the picture's angle and shape

/** @return to be called after every picture */
export function tell_viewpoint(
  { client }: Pick<Context, 'client'>,
  frame: { readonly viewpoint: Viewpoint },
): () => void {
  let last_ms = -Infinity;
  let told: Viewpoint | undefined;
  return () => {
    const now = performance.now();
    if (now - last_ms < kEvery_ms) return;
    const { viewpoint } = frame;
    if (told && is_near(viewpoint, told)) return;
    last_ms = now;
    told = viewpoint;
    client.look(viewpoint);
  };
}

function is_near(a: Viewpoint, b: Viewpoint): boolean {
  const same = (x: number, y: number) => Math.abs(x - y) <= kGrowth * Math.max(x, y);
  return (
    distance(a.eye_m, b.eye_m) < kStep_m &&
    distance(a.forward, b.forward) < kTurn_rad &&
    same(a.height_rad, b.height_rad) &&
    same(a.aspect, b.aspect)
  );
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
}
