import * as THREE from 'three';
import type { Block } from '../../gen/promenade/v1/scene_pb';
import { BlockTrack, moves } from '../../state/ground/block_motion';

const kRaise_m = 0.003;
const kStone = '#c4b294';
const kIce = '#cfe4ee';
const kSlippery = 0.2; // friction from which down a block looks like ice
const kUp = new THREE.Vector3(0, 0, 1);

export function color_of(color: string, friction: number | undefined): THREE.Color {
  const ice = friction !== undefined && friction > 0 && friction < kSlippery;
  return new THREE.Color(color || (ice ? kIce : kStone));
}

export function roughness_of(friction: number | undefined): number {
  return friction !== undefined && friction > 0 && friction < kSlippery ? 0.12 : 0.85;
}

/** The same angles as in the scene's file: yaw about z, then pitch about y. */
function turn_of(block: Block): THREE.Quaternion {
  return new THREE.Quaternion().setFromEuler(
    new THREE.Euler(
      0,
      THREE.MathUtils.degToRad(block.pitchDeg),
      THREE.MathUtils.degToRad(block.yawDeg),
      'ZYX',
    ),
  );
}

/** Place of a unit box. */
function place_of(block: Block, grow_m: number): THREE.Matrix4 {
  const [x = 0, y = 0, z = 0] = block.centerM;
  const [dx = 1, dy = 1, dz = 1] = block.sizeM;
  return new THREE.Matrix4().compose(
    new THREE.Vector3(x, y, z),
    turn_of(block),
    new THREE.Vector3(dx + grow_m, dy + grow_m, dz + grow_m),
  );
}

/** Arrows on a belt, that run as its surface does. */
function belt_material(block: Block, shift: { value: THREE.Vector2 }): THREE.MeshStandardMaterial {
  const [dx = 1, dy = 1] = block.sizeM;
  const [vx = 0, vy = 0] = block.motion?.surfaceMps ?? [];
  const speed = Math.hypot(vx, vy) || 1;
  const material = new THREE.MeshStandardMaterial({ roughness: 0.8 });
  material.onBeforeCompile = (shader) => {
    shader.uniforms['beltShift'] = shift;
    shader.uniforms['beltAlong'] = { value: new THREE.Vector2(vx / speed, vy / speed) };
    shader.uniforms['beltSize'] = { value: new THREE.Vector2(dx, dy) };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vBelt; varying float vTop;')
      .replace(
        '#include <begin_vertex>',
        '#include <begin_vertex>\nvBelt = position; vTop = normal.z;',
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        '#include <common>\nvarying vec3 vBelt; varying float vTop; uniform vec2 beltShift, beltAlong, beltSize;',
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        if (vTop > 0.5) {
          vec2 p = vBelt.xy * beltSize - beltShift;
          vec2 across = vec2(-beltAlong.y, beltAlong.x);
          float v = abs(dot(vBelt.xy * beltSize, across));
          float u = fract((dot(p, beltAlong) + v) / 0.8);
          float w = fwidth(u) + 1e-4;
          float arrow = smoothstep(0.5 - w, 0.5, u) * (1.0 - smoothstep(0.68 - w, 0.68, u));
          diffuseColor.rgb = mix(diffuseColor.rgb * 0.45, vec3(0.95, 0.82, 0.45), arrow * 0.75);
        }`,
      );
  };
  material.customProgramCacheKey = () => 'belt';
  return material;
}

interface Moving {
  readonly object: THREE.Object3D;
  readonly track: BlockTrack;
  readonly turn: THREE.Quaternion;
  readonly shift: { value: THREE.Vector2 };
  readonly surface: THREE.Vector2; // m/s
}

/** The scene's steps, kerbs, ramps, lifts and belts, with a hairline along the edges so that heights read. */
export class Blocks {
  readonly object = new THREE.Group();
  private readonly still_: THREE.InstancedMesh<THREE.BoxGeometry, THREE.MeshStandardMaterial>[] =
    [];
  private readonly box_ = new THREE.BoxGeometry(1, 1, 1);
  private readonly outline_ = new THREE.EdgesGeometry(this.box_);
  private readonly line_ = new THREE.LineBasicMaterial({
    color: '#4a4036',
    transparent: true,
    opacity: 0.4,
  });
  private readonly edges_: THREE.LineSegments;
  private readonly moving_: Moving[] = [];
  private readonly materials_: THREE.Material[] = [];

  constructor(blocks: readonly Block[]) {
    const is_still = (block: Block) =>
      !moves(block) && !block.motion?.surfaceMps.some((speed) => speed !== 0);
    const still = blocks.filter(is_still);
    for (const rough of [0.85, 0.12])
      this.add_still(
        still.filter(({ material }) => roughness_of(material?.friction) === rough),
        rough,
      );
    const points: THREE.Vector3[] = [];
    const corners = this.outline_.getAttribute('position');
    for (const block of still) {
      const raised = place_of(block, kRaise_m);
      for (let k = 0; k < corners.count; ++k)
        points.push(new THREE.Vector3().fromBufferAttribute(corners, k).applyMatrix4(raised));
    }
    this.edges_ = new THREE.LineSegments(
      new THREE.BufferGeometry().setFromPoints(points),
      this.line_,
    );
    this.edges_.visible = points.length > 0;
    this.object.add(this.edges_);
    for (const block of blocks) if (!is_still(block)) this.add_moving(block);
    this.update(0);
  }

  /** @param time_s since the scene was loaded */
  update(time_s: number): void {
    for (const { object, track, turn, shift, surface } of this.moving_) {
      const { center, turn_rad } = track.at(time_s);
      object.position.set(...center);
      object.quaternion.setFromAxisAngle(kUp, turn_rad).multiply(turn);
      // Arrows repeat; small numbers keep the shader exact.
      shift.value.copy(surface).multiplyScalar(time_s % (0.8 / (surface.length() || 1)));
    }
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const mesh of this.still_) mesh.dispose();
    for (const material of this.materials_) material.dispose();
    this.box_.dispose();
    this.outline_.dispose();
    this.edges_.geometry.dispose();
    this.line_.dispose();
  }

  private add_still(blocks: readonly Block[], roughness: number): void {
    if (blocks.length === 0) return;
    const material = new THREE.MeshStandardMaterial({ roughness });
    const mesh = new THREE.InstancedMesh(this.box_, material, blocks.length);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    blocks.forEach((block, i) => {
      mesh.setMatrixAt(i, place_of(block, 0));
      mesh.setColorAt(i, color_of(block.color, block.material?.friction));
    });
    this.materials_.push(material);
    this.still_.push(mesh);
    this.object.add(mesh);
  }

  private add_moving(block: Block): void {
    const shift = { value: new THREE.Vector2() };
    const [vx = 0, vy = 0] = block.motion?.surfaceMps ?? [];
    const belt = vx !== 0 || vy !== 0;
    const material = belt
      ? belt_material(block, shift)
      : new THREE.MeshStandardMaterial({ roughness: roughness_of(block.material?.friction) });
    material.color = color_of(block.color, block.material?.friction);
    this.materials_.push(material);
    const mesh = new THREE.Mesh(this.box_, material);
    mesh.castShadow = mesh.receiveShadow = true;
    const edges = new THREE.LineSegments(this.outline_, this.line_);
    const [dx = 1, dy = 1, dz = 1] = block.sizeM;
    mesh.scale.set(dx, dy, dz);
    edges.scale.set(dx + kRaise_m, dy + kRaise_m, dz + kRaise_m);
    const object = new THREE.Group().add(mesh, edges);
    this.object.add(object);
    const surface = new THREE.Vector2(vx, vy);
    this.moving_.push({
      object,
      track: new BlockTrack(block),
      turn: turn_of(block),
      shift,
      surface,
    });
  }
}
