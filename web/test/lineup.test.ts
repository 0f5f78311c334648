import { create, fromJson, type JsonValue } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SceneSchema, type Scene } from '../src/gen/promenade/v1/scene_pb';
import { CatalogueEntrySchema } from '../src/gen/promenade/v1/wire_pb';
import { label_of, lineup_of } from '../src/state/room/lineup';
import type { Member } from '../src/state/room/roster';
import { Settings } from '../src/state/room/settings';
import { small_body } from './body';

const own_scene = (name: string): Scene => {
  const file = new URL(`../../server/data/scenes/${name}.json`, import.meta.url);
  return fromJson(SceneSchema, JSON.parse(readFileSync(file, 'utf8')) as JsonValue);
};

interface Round {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}
function rounds_of(scene: Scene): Round[] {
  return scene.characters.map(({ path }) => {
    const points = path?.points ?? [];
    const mean = (of: 'xM' | 'yM') => points.reduce((sum, p) => sum + p[of], 0) / points.length;
    const [x, y] = [mean('xM'), mean('yM')];
    return { x, y, radius: Math.max(...points.map(({ xM, yM }) => Math.hypot(xM - x, yM - y))) };
  });
}

describe('the scenes of all bodies and all styles', () => {
  test.each(['bodies', 'styles'])('in %s everybody keeps to a round beside the others', (name) => {
    const rounds = rounds_of(own_scene(name));
    rounds.forEach((one, i) => {
      expect(one.radius).toBeLessThan(2.5);
      const gaps = rounds.map((two, k) =>
        k === i ? Infinity : Math.hypot(one.x - two.x, one.y - two.y) - one.radius - two.radius,
      );
      expect(Math.min(...gaps)).toBeGreaterThan(1);
      expect(Math.min(...gaps)).toBeLessThan(3); // beside each other
    });
  });

  test('are told from others by what is in them', () => {
    expect(lineup_of(own_scene('bodies'))).toBe('body');
    expect(lineup_of(own_scene('styles'))).toBe('style');
    expect(lineup_of(own_scene('zoo'))).toBe('body');
    for (const name of ['square', 'one', 'hundred', 'push-lab', 'dancers'])
      expect(lineup_of(own_scene(name)), name).toBeUndefined();
    expect(lineup_of(undefined)).toBeUndefined();
  });

  test('have the name of body or style over each head', () => {
    const member = {
      id: 3,
      skeleton: { ...small_body(), title: 'Giant' },
      style: 'march',
      style_edited: false,
    } as Partial<Member> as Member;
    const styles = [create(CatalogueEntrySchema, { name: 'march', title: 'March' })];
    expect(label_of(member, 'body', styles)).toBe('Giant');
    expect(label_of(member, 'style', styles)).toBe('March');
    expect(label_of({ ...member, style_edited: true }, 'style', styles)).toBe('March, edited');
    expect(label_of(member, undefined, styles)).toBe('Giant 3');
  });

  test('show names only for as long as they are there', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    } as Storage;
    const settings = new Settings(storage);
    settings.lend_overlay('names');
    expect(settings.overlays.value.names).toBe(true);
    settings.set_overlay('com', true);
    expect(new Settings(storage).overlays.value).toMatchObject({ names: false, com: true });
    settings.lend_overlay(undefined);
    expect(settings.overlays.value).toMatchObject({ names: false, com: true });
    settings.lend_overlay('names');
    settings.set_overlay('names', false);
    settings.set_overlay('names', true); // by hand: it stays
    settings.lend_overlay(undefined);
    expect(settings.overlays.value.names).toBe(true);
  });
});
