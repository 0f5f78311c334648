import * as THREE from 'three';
import type { Viewpoint } from '../../net/messages';
import type { Rect } from '../../state/picture/free_part';
import { field_of_view, type Lens, lens_of } from '../../state/picture/lens';

const kNear = 0.06; // of the distance to what is looked at: what is nearer to the camera is cut off
const kNearest_m = 0.0005;
const kFurthest_m = 0.1;

/** How the camera fills a picture of some size whose middle panels may have moved. Needs neither a page nor WebGL. */
export class PictureFrame {
  readonly camera = new THREE.PerspectiveCamera(field_of_view(1), 1, kFurthest_m, 900);
  private shift_ = { x: 0, y: 0, shrink: 1 };
  private size_ = { width: 0, height: 0 };

  /** Of the picture, CSS px. Kept: asking the page after panels were written makes it lay itself out again. */
  get size(): { readonly width: number; readonly height: number } {
    return this.size_;
  }

  set_size(width: number, height: number): void {
    this.size_ = { width, height };
    this.fit();
  }

  /** How the middle of the picture is moved, as it was set. */
  get shift(): { readonly x: number; readonly y: number; readonly shrink: number } {
    return this.shift_;
  }

  /**
   * Moves the middle of the picture, for panels that hide a part of it.
   * @param x, y px to the right and down
   * @param shrink how much smaller everything is drawn; 1 for not at all
   */
  set_shift(x: number, y: number, shrink: number): void {
    this.shift_ = { x, y, shrink };
    this.fit();
  }

  /** Sets the camera's near plane by the distance of what is looked at, m. */
  look_from(distance_m: number): void {
    const near = THREE.MathUtils.clamp(distance_m * kNear, kNearest_m, kFurthest_m);
    const { camera } = this;
    // In steps: a new projection for every picture would make the depth flicker.
    if (near <= camera.near * 1.25 && near >= camera.near * 0.8) return;
    camera.near = near;
    camera.updateProjectionMatrix();
  }

  /** Size of a CSS pixel of the picture at 1 m from the eye, m. */
  get pixel_m(): number {
    const full = 2 * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    return (full * this.shift_.shrink) / Math.max(1, this.size_.height);
  }

  /** A part of the picture, CSS px, as the camera sees it. */
  lens(part: Rect): Lens {
    const { width, height } = this.size_;
    const { x, y } = this.shift_;
    return lens_of(part, { x: width / 2 + x, y: height / 2 + y }, this.pixel_m);
  }

  /** The view of the camera about its middle: panels may move the picture to a side. */
  get viewpoint(): Viewpoint {
    const { camera } = this;
    const { x, y, z } = camera.position;
    const ahead = camera.getWorldDirection(new THREE.Vector3());
    const m = camera.projectionMatrix.elements;
    const half = (scale: number, shift: number) => (1 + Math.abs(shift)) / scale;
    const [width, height] = [half(m[0], m[8]), half(m[5], m[9])];
    return {
      eye_m: [x, -z, y],
      forward: [ahead.x, -ahead.z, ahead.y],
      height_rad: 2 * Math.atan(height),
      aspect: width / height,
    };
  }

  private fit(): void {
    const { camera } = this;
    const { width, height } = this.size_;
    if (width === 0 || height === 0) return;
    camera.aspect = width / height;
    camera.fov = field_of_view(camera.aspect);
    const { x, y, shrink } = this.shift_;
    const [wide, high] = [width * shrink, height * shrink];
    if (x === 0 && y === 0 && shrink === 1) camera.clearViewOffset();
    else
      camera.setViewOffset(
        width,
        height,
        (width - wide) / 2 - x * shrink,
        (height - high) / 2 - y * shrink,
        wide,
        high,
      );
    camera.updateProjectionMatrix();
  }
}
