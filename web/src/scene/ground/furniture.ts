import * as THREE from 'three';
import type { Block } from '../../gen/promenade/v1/scene_pb';
import type { Furnished, Planter } from '../../state/ground/furniture';
import type { Vec3 } from '../../state/values/quaternion';
import type { Coat, RoundedShape } from '../figure/rounded';
import { StillParts } from '../figure/still_parts';
import type { Surface } from '../figure/surfaces';

const kSlats = 4;
const kSlat_m = 0.045; // thickness
const kGap = 0.12; // of a slat's width
const kLip_m = 0.07; // height of a trough's rim
const kBushes = 9;
const kBlossoms = 7;
const kIron = '#3d4247';
const kPetals = ['#e8b04a', '#d86f6a', '#f0e3d2', '#b98ad0'];
const kOne: Vec3 = [1, 1, 1];

interface Piece {
  readonly position: Vec3; // m, world frame
  readonly yaw: number; // rad
  readonly shape: RoundedShape;
  readonly scale: Vec3;
  readonly coat: Coat;
}

/** Numbers that look random and are the same for the same place. */
function scatter(seed: number): () => number {
  let state = Math.imul(Math.round(seed * 1000) | 1, 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** Makes pieces in the frame of a block: x along its longer side, z up from the ground. */
class Joiner {
  readonly pieces: Piece[] = [];
  private readonly yaw_: number;
  readonly long: number;
  readonly wide: number;
  readonly high: number;

  constructor(private readonly block_: Block) {
    const [dx = 1, dy = 1, dz = 1] = block_.sizeM;
    this.yaw_ = THREE.MathUtils.degToRad(block_.yawDeg) + (dy > dx ? Math.PI / 2 : 0);
    [this.long, this.wide, this.high] = [Math.max(dx, dy), Math.min(dx, dy), dz];
  }

  box(at: Vec3, size: Vec3, edge: number, color: string, surface: Surface, seed: number): void {
    const half: Vec3 = [size[0] / 2 - edge, size[1] / 2 - edge, size[2] / 2 - edge];
    this.add(at, { half, top: edge, bottom: edge, taper: 1 }, kOne, color, surface, seed);
  }

  ball(at: Vec3, radii: Vec3, color: string, surface: Surface, seed: number): void {
    this.add(at, { half: [0, 0, 0], top: 1, bottom: 1, taper: 1 }, radii, color, surface, seed);
  }

  private add(
    [x, y, z]: Vec3,
    shape: RoundedShape,
    scale: Vec3,
    color: string,
    surface: Surface,
    seed: number,
  ): void {
    const [cx = 0, cy = 0, cz = 0] = this.block_.centerM;
    const [c, s] = [Math.cos(this.yaw_), Math.sin(this.yaw_)];
    this.pieces.push({
      position: [cx + c * x - s * y, cy + s * x + c * y, cz - this.high / 2 + z],
      yaw: this.yaw_,
      shape,
      scale,
      coat: { color: new THREE.Color(color), surface, seed },
    });
  }
}

/** Slats on two frames of iron. */
function bench(block: Block): readonly Piece[] {
  const joiner = new Joiner(block);
  const { long, wide, high } = joiner;
  const random = scatter((block.centerM[0] ?? 0) * 3 + (block.centerM[1] ?? 0));
  const pitch = wide / kSlats;
  for (let k = 0; k < kSlats; ++k) {
    const y = (k + 0.5) * pitch - wide / 2;
    const size: Vec3 = [long, pitch * (1 - kGap), kSlat_m];
    joiner.box([0, y, high - kSlat_m / 2], size, 0.008, block.color, 'wood', random());
  }
  for (const side of [-1, 1]) {
    const x = side * long * 0.36;
    const leg = 0.05;
    joiner.box([x, 0, high - kSlat_m - 0.025], [leg, wide * 0.92, 0.05], 0.008, kIron, 'metal', 0);
    for (const end of [-1, 1])
      joiner.box(
        [x, end * wide * 0.36, (high - kSlat_m) / 2],
        [leg, leg, high - kSlat_m],
        0.008,
        kIron,
        'metal',
        0,
      );
    joiner.box([x, 0, 0.015], [leg * 1.6, wide * 0.95, 0.03], 0.008, kIron, 'metal', 0);
  }
  return joiner.pieces;
}

/** A stone trough with a rim, earth, bushes and a few blossoms. */
function planter({ trough, plants }: Planter): readonly Piece[] {
  const stone = new Joiner(trough);
  const { long, wide, high } = stone;
  const random = scatter((trough.centerM[0] ?? 0) * 3 + (trough.centerM[1] ?? 0));
  const body = high - kLip_m;
  stone.box([0, 0, 0.03], [long * 0.97, wide * 0.97, 0.06], 0.012, trough.color, 'stone', random());
  stone.box(
    [0, 0, body / 2],
    [long * 0.92, wide * 0.92, body],
    0.02,
    trough.color,
    'stone',
    random(),
  );
  stone.box(
    [0, 0, high - kLip_m / 2],
    [long, wide, kLip_m],
    0.015,
    trough.color,
    'stone',
    random(),
  );
  stone.box([0, 0, high], [long * 0.84, wide * 0.84, 0.03], 0.01, '#4a3a2c', 'stone', random());
  const green = new Joiner(plants);
  const base = new THREE.Color(plants.color);
  const [a, b, tall] = [green.long / 2, green.wide / 2, green.high];
  for (let k = 0; k < kBushes; ++k) {
    const turn = (k / (kBushes - 1)) * 2 * Math.PI + random();
    const out = k === 0 ? 0 : 0.62;
    const r = tall * (k === 0 ? 0.62 : 0.42 + 0.16 * random());
    const at: Vec3 = [
      out * a * Math.cos(turn),
      out * b * Math.sin(turn),
      k === 0 ? tall * 0.5 : r * 0.72,
    ];
    const shade = base.clone().offsetHSL(0.02 * (random() - 0.5), 0, 0.09 * (random() - 0.5));
    green.ball(at, [r, r, r * 0.9], `#${shade.getHexString()}`, 'leaves', random());
  }
  const petals = kPetals[Math.floor(random() * kPetals.length)] as string;
  for (let k = 0; k < kBlossoms; ++k) {
    const turn = 2 * Math.PI * random();
    const out = 0.85 * Math.sqrt(random());
    const up = tall * (0.98 - 0.3 * out * out) + 0.02;
    const r = 0.035 + 0.02 * random();
    green.ball(
      [out * a * Math.cos(turn), out * b * Math.sin(turn), up],
      [r, r, r * 0.7],
      petals,
      'smooth',
      0,
    );
  }
  return green.pieces.concat(stone.pieces);
}

/** Benches and planters of a scene: a draw call, and one for their shadows. */
export class Furniture {
  readonly object = new THREE.Group();
  private readonly parts_: StillParts | undefined;

  constructor({ benches, planters }: Furnished) {
    const pieces = [...benches.flatMap(bench), ...planters.flatMap(planter)];
    if (pieces.length === 0) return;
    this.parts_ = new StillParts(2, pieces.length);
    pieces.forEach(({ position, yaw, scale, shape, coat }, i) => {
      const rotation = [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)] as const;
      this.parts_?.set(i, { position, rotation, scale }, shape, coat);
    });
    this.parts_.commit(pieces.length);
    this.object.add(this.parts_.mesh);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.parts_?.dispose();
  }
}
