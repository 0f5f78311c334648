// Coats and ornaments of the files of creatures, and what they cost to draw.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fromJson, fromJsonString } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { type Creature, CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { kFarParts, make_figure } from '../src/scene/figure/figure';
import { looks_of } from '../src/scene/figure/looks';
import { color_of } from '../src/scene/figure/tailor';
import { apply_edit } from '../src/state/edit/body_edit';
import { make_skeleton } from '../src/state/figure/skeleton';

const kFolder = path.resolve(import.meta.dirname, '../../server/data/creatures');
const shipped = readdirSync(kFolder)
  .map((file) => fromJsonString(CreatureSchema, readFileSync(path.join(kFolder, file), 'utf8')))
  .filter(({ ornaments }) => ornaments.length > 0);

function bird(): Creature {
  const shapes = [{ sphere: { centerM: [0, 0, 0], radiusM: 0.1 } }];
  const joint = (side: string) => ({
    name: `${side}_hip`,
    parent: 'body',
    child: `${side}_leg`,
    kind: 'HINGE',
    axis: [0, 1, 0],
    atParentM: [0, side === 'left' ? 0.05 : -0.05, -0.1],
    atChildM: [0, 0, 0.1],
  });
  return fromJson(CreatureSchema, {
    name: 'bird',
    color: '#336699',
    look: 'BEAST',
    links: ['body', 'left_leg', 'right_leg'].map((name) => ({ name, massKg: 1, shapes })),
    joints: [joint('left'), joint('right')],
    limbs: [
      { name: 'head', kind: 'HEAD', links: ['body'] },
      { name: 'left_leg', kind: 'LEG', links: ['left_leg'] },
      { name: 'right_leg', kind: 'LEG', links: ['right_leg'] },
    ],
    coats: [{ finish: 'FEATHERS' }, { links: ['left_leg'], color: '#ffaa00', finish: 'SMOOTH' }],
    ornaments: [
      { link: 'left_leg', fromM: [0.1, 0.03, 0], radiusM: 0.01, bothSides: true, flat: 0.5 },
      { link: 'body', fromM: [0.1, 0, 0], toM: [0.16, 0, 0], radiusM: 0.02, color: '#ff8800' },
      { link: 'body', fromM: [0, 0, 0.1], toM: [0, 0, 0.2], radiusM: 0.01, finish: 'GLOW' },
    ],
  });
}

describe('coats and ornaments', () => {
  const skeleton = make_skeleton(bird());
  const { parts } = make_figure(skeleton);

  test('one of both sides is on the other link, mirrored', () => {
    const [left, right] = skeleton.ornaments;
    expect(left).toMatchObject({ link: 1, from: [0.1, 0.03, 0] });
    expect(right).toMatchObject({ link: 2, from: [0.1, -0.03, 0] });
  });

  test('the later coat counts, and without a colour a link has the character’s', () => {
    const looks = looks_of(skeleton.color, 1, skeleton.look);
    const [body, leg] = [0, 1].map((link) => parts.find((one) => one.link === link));
    expect(body).toMatchObject({ surface: 'feathers', tint: 'shirt', paint: undefined });
    expect(leg?.surface).toBe('smooth');
    expect(leg && color_of(leg, looks).getHexString()).toBe('ffaa00');
  });

  test('an ornament has the coat of its link unless it says more', () => {
    const of_body = parts.filter(({ link, seen }) => link === 0 && seen !== undefined).slice(-2);
    expect(of_body.map(({ surface }) => surface).sort()).toEqual(['feathers', 'glow']);
    const ball = parts.filter(({ link }) => link === 2).at(-1);
    expect(ball?.scale).toEqual([0.005, 0.01, 0.01]);
  });

  test('a head with ornaments gets no face of its look', () => {
    const bare = make_figure(make_skeleton({ ...bird(), ornaments: [] }));
    expect(bare.parts.some(({ tint }) => tint === 'dark')).toBe(true);
    expect(parts.some(({ tint }) => tint === 'dark')).toBe(false);
  });

  test('ornaments grow with their link as the server lets them', () => {
    const base = bird();
    const edit = { $typeName: 'promenade.v1.BodyEdit', scale: 2, links: [], joints: [] } as const;
    const [, beak] = apply_edit(base, { ...edit, links: [], joints: [] }).ornaments;
    expect(beak?.toM).toEqual([0.32, 0, 0]);
    expect(beak?.radiusM).toBeCloseTo(0.04, 9);
  });
});

test.each(shipped.map((body) => [body.name, body] as const))(
  'the ornaments of %s cost little from afar',
  (_, body) => {
    const { counts } = make_figure(make_skeleton(body));
    expect(counts.far).toBeLessThanOrEqual(kFarParts);
    expect(counts.close).toBeLessThanOrEqual(130);
  },
);
