import * as THREE from 'three';
import type { Block } from '../gen/promenade/v1/scene_pb';

const kRaise_m = 0.003;
const kStone = '#c4b294';

/** Place of a unit box. The same angles as in the scene's file: yaw about z, then pitch about y. */
function place_of(block: Block, grow_m: number): THREE.Matrix4 {
  const [x = 0, y = 0, z = 0] = block.centerM;
  const [dx = 1, dy = 1, dz = 1] = block.sizeM;
  const turn = new THREE.Euler(
    0,
    THREE.MathUtils.degToRad(block.pitchDeg),
    THREE.MathUtils.degToRad(block.yawDeg),
    'ZYX',
  );
  return new THREE.Matrix4().compose(
    new THREE.Vector3(x, y, z),
    new THREE.Quaternion().setFromEuler(turn),
    new THREE.Vector3(dx + grow_m, dy + grow_m, dz + grow_m),
  );
}

/** The scene's steps, kerbs and ramps, with a hairline along the edges so that heights read. */
export class Blocks {
  readonly object = new THREE.Group();
  private readonly boxes_: THREE.InstancedMesh<THREE.BoxGeometry, THREE.MeshStandardMaterial>;
  private readonly edges_: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;

  constructor(blocks: readonly Block[]) {
    const box = new THREE.BoxGeometry(1, 1, 1);
    this.boxes_ = new THREE.InstancedMesh(
      box,
      new THREE.MeshStandardMaterial({ roughness: 0.85 }),
      Math.max(1, blocks.length),
    );
    this.boxes_.count = blocks.length;
    this.boxes_.castShadow = this.boxes_.receiveShadow = true;
    this.boxes_.frustumCulled = false;
    const outline = new THREE.EdgesGeometry(box).getAttribute('position');
    const points: THREE.Vector3[] = [];
    blocks.forEach((block, i) => {
      this.boxes_.setMatrixAt(i, place_of(block, 0));
      this.boxes_.setColorAt(i, new THREE.Color(block.color || kStone));
      const raised = place_of(block, kRaise_m);
      for (let k = 0; k < outline.count; ++k)
        points.push(new THREE.Vector3().fromBufferAttribute(outline, k).applyMatrix4(raised));
    });
    this.edges_ = new THREE.LineSegments(
      new THREE.BufferGeometry().setFromPoints(points),
      new THREE.LineBasicMaterial({ color: '#4a4036', transparent: true, opacity: 0.4 }),
    );
    this.object.add(this.boxes_, this.edges_);
    this.object.visible = blocks.length > 0;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.boxes_.geometry.dispose();
    this.boxes_.material.dispose();
    this.boxes_.dispose();
    this.edges_.geometry.dispose();
    this.edges_.material.dispose();
  }
}
