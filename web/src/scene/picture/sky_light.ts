import * as THREE from 'three';

const kSide_px = 64; // of a side of the cube; with at least 16 three's filter works

/**
 * Light from all sides, filtered for surfaces of every roughness. Of any scene three makes a cube of 256 pixels a side, and of
 * 30 million samples: half the time to the first picture on a machine without a graphics card. A sky is smooth: one of 64 is
 * lit alike. Made for three 0.187, whose size has no other way in.
 */
class SmallFilter extends THREE.PMREMGenerator {
  protected _cubeSize = kSide_px;

  protected _setSize(): void {
    this._cubeSize = kSide_px;
  }
}

/** @param sky all that gives light, around the origin */
export function light_of(
  renderer: THREE.WebGLRenderer,
  sky: THREE.Scene,
): THREE.WebGLCubeRenderTarget {
  const filter = new SmallFilter(renderer);
  const light = filter.fromScene(sky, 0, 0.1, 1000);
  filter.dispose();
  return light;
}
