// The colours of characters in a texture, for figures that are one instance each.
import * as THREE from 'three';
import { kTints, type Looks } from './looks';

export const kPaletteTints = kTints.length;
const kPerRow = 32;
export const kPaletteRow = kPaletteTints * kPerRow; // texels

interface Entry {
  readonly slot: number;
  looks: Looks;
}

/** Colours as a screen has them, 8 bits each: the shader that reads them gets linear ones. */
export class PaletteTexture {
  readonly uniform: { value: THREE.DataTexture };
  private readonly entries_ = new Map<number, Entry>(); // by character
  private readonly free_: number[] = [];
  private readonly color_ = new THREE.Color();

  constructor() {
    this.uniform = { value: make(4) };
  }

  /** The place of a character's colours. */
  slot_of(id: number, looks: Looks): number {
    let entry = this.entries_.get(id);
    if (entry?.looks === looks) return entry.slot;
    if (entry) entry.looks = looks;
    else {
      entry = { slot: this.free_.pop() ?? this.entries_.size, looks };
      this.entries_.set(id, entry);
    }
    this.write(entry);
    return entry.slot;
  }

  /** Forgets the characters that are gone. */
  keep(is_there: (id: number) => boolean): void {
    for (const [id, { slot }] of this.entries_) {
      if (is_there(id)) continue;
      this.entries_.delete(id);
      this.free_.push(slot);
    }
  }

  dispose(): void {
    this.uniform.value.dispose();
  }

  private write({ slot, looks }: Entry): void {
    const old = this.uniform.value;
    if (slot >= kPerRow * old.image.height) {
      const grown = make(2 * old.image.height);
      (grown.image.data as Uint8Array).set(old.image.data as Uint8Array);
      old.dispose();
      this.uniform.value = grown;
    }
    const out = this.uniform.value.image.data as Uint8Array;
    kTints.forEach((tint, k) => {
      const { r, g, b } = this.color_.copy(looks[tint]).convertLinearToSRGB();
      const to = 4 * (kPaletteTints * slot + k);
      [r, g, b, 1].forEach((part, i) => (out[to + i] = Math.round(255 * part)));
    });
    this.uniform.value.needsUpdate = true;
  }
}

function make(rows: number): THREE.DataTexture {
  const data = new Uint8Array(4 * kPaletteRow * rows);
  const texture = new THREE.DataTexture(data, kPaletteRow, rows, THREE.RGBAFormat);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}
