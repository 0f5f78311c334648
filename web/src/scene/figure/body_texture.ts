// The parts of bodies in a texture, for figures that are one instance each: a shader reads there what its part is.
import * as THREE from 'three';
import type { Skeleton } from '../../state/figure/skeleton';
import { type Figure, kFarParts, size_of } from './figure';
import { kTints } from './looks';
import { kSurfaceCode } from './surfaces';
import type { FigurePart } from './tailor';

/** Parts of a figure that is drawn as one. */
export const kWholeParts = kFarParts;
export const kPartTexels = 6;
const kBodyTexels = kWholeParts * kPartTexels;
const kBodiesPerRow = 4;
export const kBodyRow = kBodyTexels * kBodiesPerRow; // texels

/** The parts with which a figure is drawn from far, the largest first. */
export function whole_parts({ parts, counts }: Figure): readonly FigurePart[] {
  return parts
    .slice(0, counts.far)
    .sort((a, b) => size_of(b) - size_of(a))
    .slice(0, kWholeParts);
}

export class BodyTexture {
  readonly uniform: { value: THREE.DataTexture };
  private readonly known_ = new Map<Skeleton, number>();

  constructor(private readonly figure_of_: (skeleton: Skeleton) => Figure) {
    this.uniform = { value: make(1) };
  }

  /** The number of a body. */
  index_of(skeleton: Skeleton): number {
    let index = this.known_.get(skeleton);
    if (index === undefined) {
      index = this.known_.size;
      this.known_.set(skeleton, index);
      this.write(index, skeleton);
    }
    return index;
  }

  clear(): void {
    this.known_.clear();
  }

  dispose(): void {
    this.uniform.value.dispose();
  }

  private write(index: number, skeleton: Skeleton): void {
    const old = this.uniform.value;
    const rows = Math.ceil((index + 1) / kBodiesPerRow);
    if (rows > old.image.height) {
      const grown = make(2 * old.image.height);
      (grown.image.data as Float32Array).set(old.image.data as Float32Array);
      old.dispose();
      this.uniform.value = grown;
    }
    const out = this.uniform.value.image.data as Float32Array;
    const first = 4 * kBodyTexels * index;
    out.fill(0, first, first + 4 * kBodyTexels);
    const links = skeleton.links.length;
    whole_parts(this.figure_of_(skeleton)).forEach((part, k) => {
      const { position, rotation, scale, shape } = part;
      out.set(
        [
          ...[...position, part.link],
          ...(rotation ?? [0, 0, 0, 1]),
          ...[...scale, links],
          ...[...shape.half, shape.top],
          ...[shape.bottom, shape.taper, shape.disc ?? 0, kSurfaceCode[part.surface]],
          ...[
            kTints.indexOf(part.tint),
            k / kWholeParts,
            part.paint ? 1 + part.paint.getHex() : 0,
            0,
          ],
        ],
        first + 4 * kPartTexels * k,
      );
    });
    this.uniform.value.needsUpdate = true;
  }
}

function make(rows: number): THREE.DataTexture {
  const data = new Float32Array(4 * kBodyRow * rows);
  const texture = new THREE.DataTexture(data, kBodyRow, rows, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}
