import * as THREE from 'three';
import type { Block, Scene } from '../../gen/promenade/v1/scene_pb';
import { kOrder } from '../picture/draw_order';
import { furnish } from '../../state/ground/furniture';
import { Blocks } from './blocks';
import { Furniture } from './furniture';
import { Patches } from './patches';
import { Relief } from './relief';

/** The parts of a scene's ground besides the plane. */
export class Terrain {
  readonly object = new THREE.Group();
  private readonly blocks_: Blocks;
  private readonly furniture_: Furniture;
  private readonly relief_: Relief;
  private readonly patches_: Patches;
  private course_ = new Blocks([]);

  constructor(scene: Scene | undefined) {
    const furnished = furnish(scene?.blocks ?? []);
    this.blocks_ = new Blocks(furnished.rest);
    this.furniture_ = new Furniture(furnished);
    this.relief_ = new Relief(scene?.heightFields ?? [], scene?.noPlane ? [] : (scene?.pits ?? []));
    this.patches_ = new Patches(scene?.noPlane ? [] : (scene?.patches ?? []));
    this.object.renderOrder = kOrder.ground;
    this.object.add(
      this.blocks_.object,
      this.furniture_.object,
      this.relief_.object,
      this.patches_.object,
    );
  }

  /** Puts other obstacles on the courses. */
  set_course(blocks: readonly Block[]): void {
    const before = this.course_;
    this.course_ = new Blocks(blocks);
    this.object.add(this.course_.object);
    before.dispose();
  }

  /** @param time_s since the scene was loaded */
  update(time_s: number): void {
    this.blocks_.update(time_s);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.blocks_.dispose();
    this.furniture_.dispose();
    this.relief_.dispose();
    this.patches_.dispose();
    this.course_.dispose();
  }
}
