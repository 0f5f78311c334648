import * as THREE from 'three';
import type { Block } from '../gen/promenade/v1/scene_pb';

const kRaise_m = 0.003;
const kStone = '#c4b294';

/** The scene's steps, kerbs and ramps: stone with a hairline along the edges so that heights read. */
export class Blocks {
  readonly object = new THREE.Group();

  constructor(blocks: readonly Block[]) {
    const edge = new THREE.LineBasicMaterial({ color: '#5b4f40', transparent: true, opacity: 0.45 });
    for (const block of blocks) {
      const [x = 0, y = 0, z = 0] = block.centerM;
      const [dx = 1, dy = 1, dz = 1] = block.sizeM;
      const geometry = new THREE.BoxGeometry(dx, dy, dz);
      const material = new THREE.MeshStandardMaterial({ color: block.color || kStone, roughness: 0.85 });
      const mesh = new THREE.Mesh(geometry, material);
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      mesh.position.set(x, y, z);
      mesh.rotation.set(0, THREE.MathUtils.degToRad(block.pitchDeg), THREE.MathUtils.degToRad(block.yawDeg), 'ZYX');
      mesh.add(new THREE.LineSegments(new THREE.EdgesGeometry(new THREE.BoxGeometry(dx + kRaise_m, dy + kRaise_m, dz + kRaise_m)), edge));
      this.object.add(mesh);
    }
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.traverse((child) => {
      if (child instanceof THREE.Mesh || child instanceof THREE.LineSegments) {
        child.geometry.dispose();
        (child.material as THREE.Material).dispose();
      }
    });
  }
}
