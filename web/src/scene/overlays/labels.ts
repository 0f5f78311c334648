import type { Vec3 } from '../../state/values/quaternion';
import type { CameraRig } from '../camera/camera_rig';
import { without_overlap } from './label_layout';

const kMost = 48; // labels at once
export const kFar_m = 40; // from where no name can be read

export interface Label {
  readonly key: string; // the same from picture to picture
  readonly text: string;
  readonly point: Vec3; // m, world frame: the label stands above it
  readonly first: boolean; // comes before others that it would lie over
  readonly kind: 'name' | 'value' | 'visitor';
  readonly color?: string; // of its ground, "#rrggbb"
  readonly presence?: number; // 0 to 1, of what it names; left out: all of it is there
}

/** Names over heads and values at arrows: plain elements, so that they stay sharp and can be read out. */
export class Labels {
  private readonly pool_: HTMLElement[] = [];
  private shown_: ReadonlySet<string> = new Set();

  constructor(private readonly host_: HTMLElement) {}

  /** @param size of the picture, px */
  update(
    labels: readonly Label[],
    rig: CameraRig,
    { width, height }: { readonly width: number; readonly height: number },
  ): void {
    if (labels.length === 0 && this.shown_.size === 0) return;
    const wanted = labels.flatMap((label) => {
      const spot = rig.project(label.point, width, height);
      return spot && (spot.depth <= kFar_m || label.first) ? [{ ...label, ...spot }] : [];
    });
    const placed = without_overlap(wanted, this.shown_, kMost);
    this.shown_ = new Set(placed.map(({ key }) => key));
    placed.forEach(({ text, x, y, depth, first, kind, color = '', presence = 1 }, i) => {
      const label = this.pool_[i] ?? this.make();
      if (label.textContent !== text) label.textContent = text;
      label.dataset['kind'] = kind;
      label.style.background = color;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`;
      const near = first ? 1 : Math.min(1, 1.4 - depth / kFar_m);
      label.style.opacity = String(near * presence);
      label.hidden = false;
    });
    for (let i = placed.length; i < this.pool_.length; ++i)
      (this.pool_[i] as HTMLElement).hidden = true;
  }

  dispose(): void {
    for (const label of this.pool_) label.remove();
  }

  private make(): HTMLElement {
    const label = document.createElement('span');
    label.className = 'name-label';
    this.host_.append(label);
    this.pool_.push(label);
    return label;
  }
}
