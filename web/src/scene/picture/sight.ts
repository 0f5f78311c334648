import * as THREE from 'three';
import type { Sight } from '../../state/picture/crowd_detail';
import type { Vec3 } from '../../state/values/quaternion';

/** The view of the camera, in the world frame. Filled anew for each picture. */
export class CameraSight implements Sight {
  eye: Vec3 = [0, 0, 0];
  pixel_m = 1;
  readonly planes = new Float64Array(24);
  private readonly frustum_ = new THREE.Frustum();
  private readonly matrix_ = new THREE.Matrix4();

  /** @param root whose frame is the world's */
  update(camera: THREE.Camera, root: THREE.Object3D, eye: Vec3, pixel_m: number): this {
    camera.updateMatrixWorld();
    root.updateMatrixWorld();
    this.matrix_
      .multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
      .multiply(root.matrixWorld);
    this.frustum_.setFromProjectionMatrix(this.matrix_);
    this.frustum_.planes.forEach(({ normal, constant }, i) => {
      this.planes[4 * i] = normal.x;
      this.planes[4 * i + 1] = normal.y;
      this.planes[4 * i + 2] = normal.z;
      this.planes[4 * i + 3] = constant;
    });
    this.eye = eye;
    this.pixel_m = pixel_m;
    return this;
  }
}
