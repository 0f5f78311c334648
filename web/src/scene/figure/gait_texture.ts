// The tables of strides in a texture, as PoseTexture has poses.
import type { GaitTable, GaitTables } from '../../state/gait/gait_table';
import { kRowSize, kTexels, PoseTexture } from './pose_texture';

const kRow = 4 * kTexels; // numbers

export class GaitTexture {
  private readonly texture_ = new PoseTexture();

  get uniform(): PoseTexture['uniform'] {
    return this.texture_.uniform;
  }

  /** Sends what has changed of the tables, and no more. */
  update(tables: GaitTables): void {
    const before = this.texture_.uniform.value;
    this.texture_.reserve(tables.links);
    const whole = this.texture_.uniform.value !== before;
    tables.take_changes((table) => this.write(table, whole));
  }

  dispose(): void {
    this.texture_.dispose();
  }

  private write({ first, poses }: GaitTable, whole: boolean): void {
    const texture = this.texture_.uniform.value;
    this.texture_.numbers.set(poses, first * kRowSize);
    texture.needsUpdate = true;
    if (whole) return; // it is new, and is sent as it is
    const end = first * kRowSize + poses.length;
    for (let from = first * kRowSize; from < end;) {
      const to = Math.min(end, (Math.floor(from / kRow) + 1) * kRow);
      texture.addUpdateRange(from, to - from);
      from = to;
    }
  }
}
