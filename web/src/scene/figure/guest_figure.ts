import type * as THREE from 'three';
import type { Guest } from '../../state/recording/compare';
import { StillFigure } from './still_figure';

/** A body that is drawn beside the ones that are there. */
export class GuestFigure {
  private drawn_: { key: string; skeleton: Guest['skeleton']; figure: StillFigure } | undefined;

  constructor(private readonly parent_: THREE.Object3D) {}

  /** @param guest undefined: nobody */
  show(guest: (Guest & { readonly opacity: number }) | undefined): void {
    if (!guest) {
      this.dispose();
      return;
    }
    const key = `${guest.color} ${guest.opacity}`;
    if (this.drawn_?.skeleton !== guest.skeleton || this.drawn_.key !== key) {
      this.dispose();
      const { skeleton, color, opacity } = guest;
      const figure = new StillFigure(this.parent_, skeleton, color, opacity);
      this.drawn_ = { key, skeleton, figure };
    }
    this.drawn_.figure.place(guest.poses);
  }

  dispose(): void {
    this.drawn_?.figure.dispose();
    this.drawn_ = undefined;
  }
}
