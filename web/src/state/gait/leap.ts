// The leap of a gait: whether its size can be chosen, and which sizes pass over something (control/posegraph on the server).
import { type Gait, type GaitVariant, GaitVariant_Use } from '../../gen/promenade/v1/gait_pb';

const kFull = 0.995; // a size that is shown as 100 %

export const is_leap = ({ use }: GaitVariant): boolean => use === GaitVariant_Use.LEAP;

/** Whether leaps of the gait have sizes: else its chain is gone through as it is. */
export function leap_has_sizes({ chain, variants }: Gait): boolean {
  return chain.length > 0 && variants.some(is_leap);
}

/** The smallest size that is known to pass over something, 0 to 1; undefined: nothing is known of its leaps. */
export function least_leap({ variants }: Gait): number | undefined {
  const sizes = variants.filter(is_leap).flatMap(({ reaches }) => reaches.map(({ size }) => size));
  return sizes.length > 0 ? Math.min(...sizes) : undefined;
}

/** What there is to say about a leap of a size; '' nothing. */
export function leap_note(gait: Gait, size: number): string {
  const least = least_leap(gait);
  if (least === undefined || size >= Math.min(least, kFull)) return '';
  return least >= kFull
    ? 'Only a full leap is known to pass over something and land well. After a smaller one it may fall.'
    : `No leap below ${Math.round(100 * least)} % is known to pass over something and land well. It may fall.`;
}
