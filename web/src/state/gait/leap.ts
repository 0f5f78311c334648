// The leaps that a gait knows, by their size (control/posegraph on the server).
import { type Gait, type GaitVariant, GaitVariant_Use } from '../../gen/promenade/v1/gait_pb';

export const is_leap = ({ use }: GaitVariant): boolean => use === GaitVariant_Use.LEAP;

/** Sizes of the leaps, over the longest one, from small to great; none where a gait has no chain to leap by. */
export function leap_sizes({ chain, variants }: Gait): number[] {
  if (chain.length === 0) return [];
  // A size that is left out is 1, as in the server.
  const sizes = variants.filter(is_leap).map(({ size }) => (size === 0 ? 1 : size));
  return sizes.sort((a, b) => a - b);
}
