// Where a ray from the eye meets the ground: the plane with its pits, blocks, height fields.
import type { Block, HeightField, Scene } from '../../gen/promenade/v1/scene_pb';
import { BlockTrack } from './block_motion';
import { heights_of } from './ground_shape';
import { meet_box, meet_plane, type Ray } from '../hand/picking';
import type { Vec3 } from '../values/quaternion';

const kFurthest_m = 300;
const kMarch_m = 0.25; // steps along the ray over a height field

interface Field {
  readonly field: HeightField;
  readonly heights: Float32Array;
}

/** The ground of a scene, to be asked where the pointer is. */
export class GroundPicker {
  private readonly tracks_: readonly { block: Block; track: BlockTrack }[];
  private readonly fields_: readonly Field[];

  /** @param course blocks besides those of the scene */
  constructor(
    private readonly scene_: Scene | undefined,
    course: readonly Block[] = [],
  ) {
    const blocks = [...(scene_?.blocks ?? []), ...course];
    this.tracks_ = blocks.map((block) => ({ block, track: new BlockTrack(block) }));
    this.fields_ = (scene_?.heightFields ?? []).map((field) => ({
      field,
      heights: heights_of(field),
    }));
  }

  /** The nearest point. @param time_s since the scene was loaded */
  meet(ray: Ray, time_s: number): { readonly point: Vec3; readonly distance: number } | undefined {
    const found = [
      this.meet_floor(ray),
      ...this.tracks_.map(({ block, track }) => meet_block(ray, block, track, time_s)),
      ...this.fields_.map((field) => meet_field(ray, field)),
    ].filter((t) => t !== undefined);
    if (found.length === 0) return undefined;
    const distance = Math.min(...found);
    return { point: along(ray, distance), distance };
  }

  private meet_floor(ray: Ray): number | undefined {
    if (this.scene_?.noPlane) return undefined;
    const point = meet_plane(ray, 0);
    if (!point) return undefined;
    const inside = (this.scene_?.pits ?? []).filter(
      ({ centerM: [x = 0, y = 0], sizeM: [dx = 0, dy = 0] }) =>
        Math.abs(point[0] - x) < dx / 2 && Math.abs(point[1] - y) < dy / 2,
    );
    if (inside.length === 0) return distance_to(ray, point);
    const depths = inside.map(({ depthM }) => depthM || Infinity);
    const floor = meet_plane(ray, -Math.max(...depths));
    return floor && Number.isFinite(floor[2]) ? distance_to(ray, floor) : undefined;
  }
}

function along({ origin: o, direction: d }: Ray, t: number): Vec3 {
  return [o[0] + d[0] * t, o[1] + d[1] * t, o[2] + d[2] * t];
}

function distance_to({ origin: o }: Ray, p: Vec3): number {
  return Math.hypot(p[0] - o[0], p[1] - o[1], p[2] - o[2]);
}

function turned([x, y, z]: Vec3, yaw: number, pitch: number): Vec3 {
  // The inverse of yaw about z, then pitch about y.
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const [u, v] = [c * x + s * y, -s * x + c * y];
  const [cp, sp] = [Math.cos(pitch), Math.sin(pitch)];
  return [cp * u - sp * z, v, sp * u + cp * z];
}

function meet_block(ray: Ray, block: Block, track: BlockTrack, time_s: number): number | undefined {
  const { center, turn_rad } = track.at(time_s);
  const [dx = 0, dy = 0, dz = 0] = block.sizeM;
  const yaw = (block.yawDeg * Math.PI) / 180 + turn_rad;
  const pitch = (block.pitchDeg * Math.PI) / 180;
  const { origin: o } = ray;
  const from: Vec3 = [o[0] - center[0], o[1] - center[1], o[2] - center[2]];
  return meet_box(
    turned(from, yaw, pitch),
    turned(ray.direction, yaw, pitch),
    [0, 0, 0],
    [dx / 2, dy / 2, dz / 2],
    0,
  );
}

/** Height of a field over a point, as the server's: bilinear. Undefined beside it. */
export function field_height({ field, heights }: Field, x: number, y: number): number | undefined {
  const [cx = 0, cy = 0, cz = 0] = field.centerM;
  const [size_x = 1, size_y = 1] = field.sizeM;
  const [u, v] = turned([x - cx, y - cy, 0], (field.yawDeg * Math.PI) / 180, 0);
  const column = (u / size_x + 0.5) * (field.columns - 1);
  const row = (v / size_y + 0.5) * (field.rows - 1);
  if (!(column >= 0 && row >= 0 && column <= field.columns - 1 && row <= field.rows - 1))
    return undefined;
  const [i, j] = [
    Math.min(Math.floor(column), field.columns - 2),
    Math.min(Math.floor(row), field.rows - 2),
  ];
  const [a, b] = [column - i, row - j];
  const h = (di: number, dj: number) => heights[(j + dj) * field.columns + i + di] ?? 0;
  return (
    cz + (1 - b) * (h(0, 0) + a * (h(1, 0) - h(0, 0))) + b * (h(0, 1) + a * (h(1, 1) - h(0, 1)))
  );
}

function meet_field(ray: Ray, field: Field): number | undefined {
  const above = (t: number): number | undefined => {
    const [x, y, z] = along(ray, t);
    const height = field_height(field, x, y);
    return height === undefined ? undefined : z - height;
  };
  let before: number | undefined;
  for (let t = 0; t < kFurthest_m; t += kMarch_m) {
    const now = above(t);
    if (before !== undefined && before >= 0 && now !== undefined && now < 0) {
      let [low, high] = [t - kMarch_m, t];
      for (let k = 0; k < 20; ++k) {
        const middle = (low + high) / 2;
        if ((above(middle) ?? 0) < 0) high = middle;
        else low = middle;
      }
      return low;
    }
    before = now;
  }
  return undefined;
}
