// Blocks of a scene that are benches and planters. A scene's file says only where blocks are, how large and in what
// colour; people see from these what they are, and so does the page.
import type { Block } from '../../gen/promenade/v1/scene_pb';
import { moves } from './block_motion';

export interface Planter {
  readonly trough: Block;
  readonly plants: Block;
}

export interface Furnished {
  readonly benches: readonly Block[];
  readonly planters: readonly Planter[];
  readonly rest: readonly Block[]; // blocks that are nothing but blocks
}

const kClose_m = 0.02;

/** Hue in degrees and saturation, 0 to 1, of "#rrggbb"; of no colour undefined. */
function tone(color: string): { readonly hue: number; readonly saturation: number } | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return undefined;
  const [r, g, b] = [1, 3, 5].map((k) => parseInt(color.slice(k, k + 2), 16) / 255) as [
    number,
    number,
    number,
  ];
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const span = most - least;
  if (span === 0) return { hue: 0, saturation: 0 };
  const sixth = most === r ? (g - b) / span : most === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return { hue: (60 * sixth + 360) % 360, saturation: span / most };
}

function is_tinted({ color }: Block, from: number, to: number): boolean {
  const seen = tone(color);
  return seen !== undefined && seen.saturation > 0.2 && seen.hue >= from && seen.hue <= to;
}

function is_still(block: Block): boolean {
  return block.pitchDeg === 0 && !moves(block) && !block.motion?.surfaceMps.length;
}

function size_of({ sizeM: [dx = 0, dy = 0, dz = 0] }: Block): readonly [number, number, number] {
  return [Math.min(dx, dy), Math.max(dx, dy), dz];
}

function bottom_of({ centerM: [, , z = 0], sizeM: [, , dz = 0] }: Block): number {
  return z - dz / 2;
}

function is_bench(block: Block): boolean {
  const [wide, long, high] = size_of(block);
  return (
    is_still(block) &&
    Math.abs(bottom_of(block)) < kClose_m &&
    wide >= 0.3 &&
    wide <= 0.7 &&
    long >= 1.2 &&
    long <= 4 &&
    high >= 0.35 &&
    high <= 0.55 &&
    is_tinted(block, 12, 48)
  );
}

/** The plants on a block that could be a trough. */
function plants_on(trough: Block, blocks: readonly Block[]): Block | undefined {
  const [wide, long, high] = size_of(trough);
  if (!is_still(trough) || Math.abs(bottom_of(trough)) > kClose_m) return undefined;
  if (wide < 0.4 || long > 3 || high < 0.25 || high > 1.1) return undefined;
  const [x = 0, y = 0] = trough.centerM;
  return blocks.find(
    (block) =>
      block !== trough &&
      is_still(block) &&
      is_tinted(block, 75, 165) &&
      Math.abs((block.centerM[0] ?? 0) - x) < kClose_m &&
      Math.abs((block.centerM[1] ?? 0) - y) < kClose_m &&
      Math.abs(bottom_of(block) - high) < kClose_m &&
      size_of(block)[1] <= long,
  );
}

/** Sorts the blocks of a scene. */
export function furnish(blocks: readonly Block[]): Furnished {
  const benches = blocks.filter(is_bench);
  const planters = blocks.flatMap((trough): Planter[] => {
    const plants = is_bench(trough) ? undefined : plants_on(trough, blocks);
    return plants ? [{ trough, plants }] : [];
  });
  const used = new Set([...benches, ...planters.flatMap((one) => [one.trough, one.plants])]);
  return { benches, planters, rest: blocks.filter((block) => !used.has(block)) };
}
