import * as THREE from 'three';
import type { WholeTextures } from './whole';
import { whole_source } from './whole';
import { kShadowLayer, make_rounded } from './rounded';
import type { Primitive } from './rounded_geometry';

/** Numbers of an instance; in whole.ts are their meanings. */
export const kWholeSize = 16;
const kFirstCapacity = 256;

/** Figures that are one instance each, written anew for every picture. One draw call. */
export class WholeMesh {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.Material>;
  private buffer_: THREE.InstancedInterleavedBuffer;
  private capacity_ = 0;
  private count_ = 0;

  /** @param shadows draws nothing but their shadows */
  constructor(
    private readonly parent_: THREE.Object3D,
    primitive: Primitive,
    textures: WholeTextures,
    shadows: boolean,
  ) {
    const source = whole_source(textures);
    const make = <T extends THREE.Material>(material: T, use: 'coated' | 'depth') =>
      make_rounded(material, use, primitive, textures.poses, undefined, source);
    const depth = shadows
      ? make(new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking }), 'depth')
      : undefined;
    const material = depth ?? make(new THREE.MeshStandardMaterial(), 'coated');
    this.mesh = new THREE.Mesh(primitive.geometry, material);
    if (depth) {
      this.mesh.customDepthMaterial = depth;
      this.mesh.castShadow = true;
      this.mesh.layers.set(kShadowLayer);
    } else {
      this.mesh.receiveShadow = true;
    }
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.buffer_ = this.grow(kFirstCapacity);
    parent_.add(this.mesh);
  }

  begin(): void {
    this.count_ = 0;
  }

  /** Adds an instance that was written to `numbers`. */
  add(numbers: Float32Array): void {
    if (this.count_ === this.capacity_) this.buffer_ = this.grow(2 * this.capacity_);
    this.buffer_.array.set(numbers, kWholeSize * this.count_++);
  }

  /** Sends the instances to the GPU. */
  end(): void {
    this.mesh.geometry.instanceCount = this.count_;
    this.mesh.visible = this.count_ > 0;
    if (this.count_ === 0) return;
    this.buffer_.clearUpdateRanges();
    this.buffer_.addUpdateRange(0, kWholeSize * this.count_);
    this.buffer_.needsUpdate = true;
  }

  dispose(): void {
    this.parent_.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  private grow(capacity: number): THREE.InstancedInterleavedBuffer {
    const numbers = new Float32Array(kWholeSize * capacity);
    if (this.capacity_ > 0) numbers.set(this.buffer_.array);
    const buffer = new THREE.InstancedInterleavedBuffer(numbers, kWholeSize);
    buffer.setUsage(THREE.DynamicDrawUsage);
    const { geometry } = this.mesh;
    ['Place', 'Turn', 'Gait', 'Look'].forEach((name, i) =>
      geometry.setAttribute(`whole${name}`, new THREE.InterleavedBufferAttribute(buffer, 4, 4 * i)),
    );
    if (this.capacity_ > 0) geometry.dispose(); // frees what the GPU has of the smaller one
    this.capacity_ = capacity;
    return buffer;
  }
}
