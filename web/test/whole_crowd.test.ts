import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { create, fromJsonString } from '@bufbuild/protobuf';
import * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import { CreatureSchema } from '../src/gen/promenade/v1/creature_pb';
import { RosterSchema } from '../src/gen/promenade/v1/wire_pb';
import { Crowd } from '../src/scene/crowd/crowd';
import { WholeCrowd } from '../src/scene/crowd/whole_crowd';
import { kWholeParts, whole_parts } from '../src/scene/figure/body_texture';
import { make_figure } from '../src/scene/figure/figure';
import { PaletteTexture } from '../src/scene/figure/palette_texture';
import { looks_of } from '../src/scene/figure/looks';
import { PoseRows } from '../src/scene/figure/pose_rows';
import { block_primitive, plain_primitive } from '../src/scene/figure/rounded_geometry';
import { whole_primitive } from '../src/scene/figure/whole';
import { Sunlight } from '../src/scene/picture/sunlight';
import { make_world_pose } from '../src/state/frames/interpolate';
import { make_cast } from '../src/state/room/roster';
import { make_skeleton } from '../src/state/figure/skeleton';
import { numbered } from './body';
import { human } from './room';

const skeleton = make_skeleton(human);

describe('rows of poses', () => {
  test('stay with a body while it is drawn, and are used again after it', () => {
    const rows = new PoseRows();
    rows.begin();
    const [one, two] = [rows.take(1, 16), rows.take(2, 16)];
    expect(Math.abs(one - two)).toBe(16);
    rows.end();
    rows.begin();
    expect(rows.take(2, 16)).toBe(two);
    rows.end();
    expect(rows.row_of(1)).toBeUndefined();
    rows.begin();
    expect(rows.take(3, 16)).toBe(one);
    expect(rows.take(2, 16)).toBe(two);
    rows.end();
  });

  test('keep what was written when they become more', () => {
    const rows = new PoseRows();
    rows.begin();
    const row = rows.take(1, 2);
    rows.texture.write(
      row,
      Float32Array.from({ length: 14 }, (_, i) => i),
      0,
      2,
      0.5,
    );
    for (let id = 2; id < 200; ++id) rows.take(id, 20);
    const o = 8 * row;
    expect([...rows.texture.numbers.subarray(o, o + 16)]).toEqual([
      ...[0, 1, 2, 0.5, 3, 4, 5, 6],
      ...[7, 8, 9, 0.5, 10, 11, 12, 13],
    ]);
  });
});

describe('figures that are one instance each', () => {
  const folder = path.resolve(import.meta.dirname, '../../server/data/creatures');
  const built_in = readdirSync(folder)
    .map((file) => fromJsonString(CreatureSchema, readFileSync(path.join(folder, file), 'utf8')))
    .filter(({ links }) => links.length > 0)
    .map((body) => make_skeleton(body));

  test('have all the parts that are seen from far', () => {
    for (const body of built_in.filter(({ limbs }) => limbs.some(({ kind }) => kind === 'leg'))) {
      const figure = make_figure(body);
      expect(whole_parts(figure), body.name).toHaveLength(Math.min(kWholeParts, figure.counts.far));
      expect(figure.counts.far, body.name).toBeLessThanOrEqual(kWholeParts);
    }
  });

  test('begin with the largest parts, so that a tiny figure has trunk, legs, head and arms', () => {
    const parts = whole_parts(make_figure(skeleton)).slice(0, 11);
    const names = new Set(parts.map(({ link }) => skeleton.links[link]?.name ?? ''));
    for (const name of ['torso', 'pelvis', 'head', 'left_thigh', 'right_shank', 'left_upper_arm'])
      expect(names, name).toContain(name);
  });

  test('are built of the primitive, once for each part', () => {
    const { geometry: one } = block_primitive();
    const [vertices, indices] = [one.getAttribute('position').count, one.getIndex()?.count ?? 0];
    const { geometry } = whole_primitive(block_primitive(), 11);
    expect(geometry.getAttribute('position').count).toBe(11 * vertices);
    expect(geometry.getIndex()?.count).toBe(11 * indices);
    const part = geometry.getAttribute('part');
    const last = geometry.getIndex()?.getX(11 * indices - 1) ?? 0;
    expect([part.getX(0), part.getX(last)]).toEqual([0, 10]);
    expect(plain_primitive().geometry.getIndex()?.count).toBeGreaterThan(indices);
  });

  test('have colours of their own, which go with them', () => {
    const palettes = new PaletteTexture();
    const [red, blue] = [looks_of('#c03020', 1, 'person'), looks_of('#2040c0', 2, 'person')];
    const [one, two] = [palettes.slot_of(1, red), palettes.slot_of(2, blue)];
    expect(one).not.toBe(two);
    const numbers = palettes.uniform.value.image.data as Uint8Array;
    const shirt = (slot: number) => [
      ...numbers.subarray(4 * (12 * slot + 2), 4 * (12 * slot + 2) + 3),
    ];
    const wanted = (looks: typeof red) =>
      looks.shirt
        .clone()
        .convertLinearToSRGB()
        .toArray()
        .map((v) => Math.round(255 * (v as number)));
    expect(shirt(one)).toEqual(wanted(red));
    expect(shirt(two)).toEqual(wanted(blue));
    palettes.keep((id) => id === 2);
    expect(palettes.slot_of(3, red)).toBe(one);
    expect(palettes.slot_of(2, blue)).toBe(two);
  });
});

describe('a crowd in the picture', () => {
  const draw = (count: number) => {
    const entries = Array.from({ length: count }, (_, i) => ({
      ...{ id: i + 1, body: 0n, dof: skeleton.coordinates, color: '#336699' },
    }));
    const cast = make_cast(create(RosterSchema, { version: 1n, entries }), numbered(skeleton));
    const pose = make_world_pose(cast);
    // The first from two metres away to half a kilometre, so that each way of drawing has somebody; the others far.
    cast.members.forEach(({ pose: p }, i) => {
      pose.poses.set(
        [i < 40 ? 2 * 250 ** (i / 40) : 60 + 400 * (i / count), (i % 7) - 3, 1, 0, 0, 0, 1],
        p,
      );
      pose.partial[i] = 1;
    });
    const root = new THREE.Group();
    const crowd = new Crowd(root);
    crowd.add_whole(WholeCrowd, new THREE.Fog(0)).ready = true;
    const sight = { eye: [0, 0, 1.6], pixel_m: 0.0006, planes: new Float64Array(0) } as const;
    const sun = new Sunlight();
    sun.aim(0, 0, 40);
    crowd.update(pose, sight, { elapsed_s: 1 / 60, sun });
    const shown = root.children.filter((child) => child.visible) as THREE.Mesh[];
    const instances = shown.map(
      ({ geometry }) => (geometry as THREE.InstancedBufferGeometry).instanceCount,
    );
    crowd.dispose();
    return { meshes: shown.length, instances, crowd };
  };

  test('takes as many meshes of 5,000 as of 40, and everybody is in one of them', () => {
    const [few, many] = [draw(40), draw(5000)];
    expect(many.meshes).toBe(few.meshes);
    expect(many.meshes).toBeLessThan(15);
    const { by_parts, as_one } = many.crowd.detail;
    expect(by_parts.length + as_one.length).toBe(5000);
    expect(many.instances.reduce((a, b) => a + b, 0)).toBeGreaterThan(as_one.length);
  });

  test('computes the links only of characters that are drawn by parts', () => {
    const { crowd } = draw(5000);
    expect(crowd.detail.by_parts.length).toBeLessThanOrEqual(360);
  });
});
