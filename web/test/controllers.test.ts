import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import {
  controller_words,
  controllers_for,
  is_biped,
  is_walking,
} from '../src/state/room/controllers';
import { make_skeleton } from '../src/state/figure/skeleton';

const folder = path.resolve(import.meta.dirname, '../../server/data/creatures');

/** Those of the server's creatures that are whole, not edits of another. */
const kWhole = readdirSync(folder)
  .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as JsonValue)
  .map((json) => fromJson(CreatureSchema, json))
  .filter(({ base }) => base === '')
  .map((creature) => make_skeleton(creature));
const named = (name: string) => kWhole.find((skeleton) => skeleton.name === name);

describe('controllers', () => {
  test('of the bodies that come with the server only those built as a human walk', () => {
    expect(kWhole.length).toBeGreaterThan(4);
    expect(kWhole.filter(is_biped).map(({ name }) => name)).toEqual(['human']);
  });

  test('walking and getting up are offered to bipeds only, everything else to all', () => {
    const offered = ['gbwc', 'hold', 'limp', 'rise'];
    expect(controllers_for(named('human'), offered)).toEqual(offered);
    expect(controllers_for(named('cat'), offered)).toEqual(['hold', 'limp']);
    expect(controllers_for(undefined, offered)).toEqual(offered);
  });

  test('a room that offers none walks', () => {
    expect(controllers_for(named('human'), [])).toEqual(['gbwc']);
    expect(controllers_for(named('ant'), [])).toEqual([]);
    expect(is_walking('')).toBe(true);
    expect(is_walking('pendulum')).toBe(true);
    expect(is_walking('hold')).toBe(false);
  });

  test('a controller that is not known here has its name for a title', () => {
    expect(controller_words('limp').title).toBe('Limp');
    expect(controller_words('swim').title).toBe('swim');
  });
});
