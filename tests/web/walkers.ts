// Rooms full of light bipeds, which cost the server so little that there can be thousands.
import { mkdtempSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Server } from './server.ts';

const data = path.resolve(import.meta.dirname, '../../server/data');
const kInScene = 1000; // as many as a scene may have
const kSpacing_m = 1.8;
const kAtOnce = 16; // requests
const kBodies = ['human', 'athlete', 'child', 'stout'] as const;
const kStyles = ['normal', 'stroll'] as const;

export interface WalkersOptions {
  readonly spacing_m?: number;
  readonly bodies?: readonly string[];
  readonly styles?: readonly string[];
}

/** Where the walkers stand at first: a square around the origin, the i-th of them. */
function place_of(i: number, count: number, spacing_m: number): readonly [number, number] {
  const side = Math.ceil(Math.sqrt(count));
  const along = (k: number) => Number(((k - (side - 1) / 2) * spacing_m).toFixed(2));
  return [along(i % side), along(Math.floor(i / side))];
}

/**
 * Writes a data directory like the server's, with a scene `walkers` besides.
 * @return where it is, for --data
 */
export function walkers_data(count: number, options: WalkersOptions = {}): string {
  const { spacing_m = kSpacing_m, bodies = kBodies, styles = kStyles } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'promenade-walkers-'));
  const link_all = (from: string, to: string, but: string) => {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from))
      if (name !== but) symlinkSync(path.join(from, name), path.join(to, name));
  };
  link_all(data, folder, 'scenes');
  link_all(path.join(data, 'scenes'), path.join(folder, 'scenes'), '');
  const characters = Array.from({ length: Math.min(count, kInScene) }, (_, i) => ({
    body: bodies[i % bodies.length],
    style: styles[(i >> 2) % styles.length],
    controller: 'pendulum',
    position_m: place_of(i, count, spacing_m),
    heading_deg: (i * 137) % 360,
    wander: { center_m: place_of(i, count, spacing_m), radius_m: 8 },
  }));
  const scene = {
    ...{ name: 'walkers', title: 'Walkers', description: 'A crowd.', hint: 'Look.', seed: 1 },
    characters,
    camera: { from_m: [-14, -4, 3], at_m: [0, 0, 1] },
  };
  writeFileSync(path.join(folder, 'scenes', 'walkers.json'), JSON.stringify(scene));
  return folder;
}

/** Options of a server for them. */
export function walkers_options(count: number, options: WalkersOptions = {}): readonly string[] {
  return [
    ...['--scene', 'walkers', '--data', walkers_data(count, options)],
    ...['--max-characters', '10000', '--request-rate', '100000'],
  ];
}

/** Adds the people for whom the scene has no room. */
export async function add_walkers(server: Server, count: number): Promise<void> {
  for (let i = kInScene; i < count; i += kAtOnce) {
    const last = Math.min(count, i + kAtOnce);
    await Promise.all(
      Array.from({ length: last - i }, (_, k) => {
        const n = i + k;
        const spawn = {
          body: kBodies[n % kBodies.length],
          style: kStyles[(n >> 2) % kStyles.length],
          controller: 'pendulum',
          positionM: place_of(n, count, kSpacing_m),
          headingRad: (n * 2.4) % 6,
          wander: true,
        };
        return server.command({ spawn });
      }),
    );
  }
}
