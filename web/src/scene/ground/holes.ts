// Holes in the ground where pits are: the pixels over them are not drawn.
import * as THREE from 'three';
import type { Pit } from '../../gen/promenade/v1/scene_pb';

const kMost = 64; // of one scene; more are not cut out

/**
 * The uniforms and the shader text of holes. Their number is no part of the program, and their objects stay the same:
 * three.js takes over uniforms only when it compiles, so others would leave the holes of the scene before.
 */
export class Holes {
  private readonly edges_ = Array.from({ length: kMost }, () => new THREE.Vector4());
  readonly uniforms = { holes: { value: this.edges_ }, holeCount: { value: 0 } };

  /** Declarations of a fragment shader. */
  readonly declared = `uniform vec4 holes[${kMost}];\nuniform int holeCount;`; // least x, y, greatest x, y

  /** Statements of a fragment shader. @param place name of a vec2, m, world frame */
  discard(place: string): string {
    return `for (int i = 0; i < holeCount; ++i)
      if (all(greaterThan(${place}, holes[i].xy)) && all(lessThan(${place}, holes[i].zw))) discard;`;
  }

  set(pits: readonly Pit[]): void {
    const shown = pits.slice(0, kMost);
    this.uniforms.holeCount.value = shown.length;
    shown.forEach(({ centerM: [x = 0, y = 0], sizeM: [dx = 0, dy = 0] }, i) =>
      this.edges_[i]?.set(x - dx / 2, y - dy / 2, x + dx / 2, y + dy / 2),
    );
  }
}
