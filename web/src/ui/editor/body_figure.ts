// A body drawn from the front and from its right, with handles to select its parts and to drag their sizes.
import type { Figure } from '../../scene/figure/figure';
import type { Looks } from '../../scene/figure/looks';
import { color_of } from '../../scene/figure/tailor';
import type { Outline, OutlineLink } from '../../state/edit/body_outline';
import type { LinkNumber } from '../../state/edit/body_doc';
import { link_title, other_side } from '../../state/edit/body_doc';
import type { Vec3 } from '../../state/values/quaternion';
import { h, write } from '../parts/dom';
import { nearness, silhouette, type ViewName } from './silhouette';
import { type Spot, spread } from './spread';
import { set, svg } from './svg';

const kMargin = 22; // px
const kMeasure = 30; // px, left of the front view, for the height
const kKeyStep = 0.02;
const kReach = 13; // px: a press this near to a handle takes it
const kAcross: Readonly<Record<ViewName, 0 | 1>> = { front: 1, side: 0 };

/** A drag of a handle: it changes one factor of a link. */
interface Drag {
  readonly pointer: number;
  readonly link: string;
  readonly key: LinkNumber;
  readonly from: readonly [number, number]; // px
  readonly direction: readonly [number, number]; // px on the screen that make the part longer, unit
  readonly size: number; // m, the dragged length or width when the drag began
  readonly factor: number;
}

/** A handle: the link and the size that it changes, and where it is on the screen. */
interface Grip {
  readonly link: OutlineLink;
  readonly key: 'length' | 'width';
  readonly at: Spot;
}

/** Order of drawing: links that are further from the viewer come first. */
function depth_of(link: string, view: ViewName): number {
  const arm = link.includes('arm') ? 2 : 0;
  if (view === 'front') return arm + (link === 'head' ? 1 : 0);
  return link.startsWith('right_') ? 4 + arm : link.startsWith('left_') ? arm - 4 : 1;
}

export class BodyFigure {
  readonly element: HTMLElement;
  on_change: (link: string, key: LinkNumber, factor: number, gesture: string) => void = () => {};
  on_end: () => void = () => {};
  on_select: (link: string) => void = () => {};

  private readonly root_ = svg('svg', {
    class: 'body-svg',
    role: 'group',
    'aria-label': 'The body from the front and from the right',
    'data-test': 'body-figure',
  });
  private readonly ground_ = svg('g', { class: 'body-ground' });
  private readonly clip_ = svg('rect', { x: 0, y: 0 });
  private readonly views_: Readonly<Record<ViewName, SVGGElement>> = {
    front: svg('g', { 'clip-path': 'url(#body-clip)' }),
    side: svg('g', { 'clip-path': 'url(#body-clip)' }),
  };
  private readonly parts_ = new Map<string, SVGGElement>();
  private readonly handles_ = svg('g', {});
  private readonly handle_of_ = new Map<string, SVGGElement>();
  private readonly told_ = h('span', { class: 'unseen', attributes: { 'aria-live': 'polite' } });
  private changed_: readonly [link: string, key: LinkNumber] | undefined; // by keys, last
  private outline_: Outline | undefined;
  private figure_: Figure | undefined;
  private looks_: Looks | undefined;
  private factor_: (link: string, key: LinkNumber) => number = () => 1;
  private symmetric_ = true;
  private enabled_ = false;
  private selected_ = 'torso';
  private drag_: Drag | undefined;
  private gestures_ = 0;
  private scale_ = 150; // px / m
  private origin_: Readonly<Record<ViewName, number>> = { front: 0, side: 0 }; // px, where y or x is 0
  private held_: { link: string; z: number } | undefined; // its upper end stays at the height z, m, on the screen

  constructor() {
    // The part of the figure below the ground is clipped.
    this.root_.append(svg('defs', {}, svg('clipPath', { id: 'body-clip' }, this.clip_)));
    this.root_.append(this.ground_, this.views_.side, this.views_.front, this.handles_);
    this.element = h('div', { class: 'body-figure' }, this.root_, this.told_);
    this.root_.addEventListener('pointerdown', this.pointer_down);
    this.root_.addEventListener('pointermove', this.pointer_move);
    this.root_.addEventListener('pointerup', this.pointer_up);
    this.root_.addEventListener('pointercancel', this.pointer_up);
    this.root_.addEventListener('keydown', this.key_down);
    this.root_.addEventListener('keyup', () => this.end_gesture());
    // The listener is on the box around the SVG, because an SVG that listens for focus becomes focusable.
    this.element.addEventListener('focusin', (event) => {
      const link = this.link_of(event.target);
      if (link && link !== this.selected_) this.on_select(link);
    });
    new ResizeObserver(() => this.draw()).observe(this.root_);
  }

  show(options: {
    readonly outline: Outline;
    readonly figure: Figure;
    readonly looks: Looks;
    readonly factor: (link: string, key: LinkNumber) => number;
    readonly symmetric: boolean;
    readonly enabled: boolean;
    readonly selected: string;
  }): void {
    this.outline_ = options.outline;
    this.figure_ = options.figure;
    this.looks_ = options.looks;
    this.factor_ = options.factor;
    this.symmetric_ = options.symmetric;
    this.enabled_ = options.enabled;
    this.selected_ = options.selected;
    this.tell();
    this.draw();
  }

  /** Cancels a drag. @return whether there was one */
  cancel(): boolean {
    const drag = this.drag_;
    if (!drag) return false;
    this.on_change(drag.link, drag.key, drag.factor, this.gesture());
    this.end_drag();
    return true;
  }

  /** Tells the size that was changed last by keys. */
  private tell(): void {
    if (!this.changed_) return;
    const [link, key] = this.changed_;
    write(this.told_, `${link_title(link)}: ${key} ${this.factor_(link, key).toFixed(2)}`);
  }

  private draw(): void {
    const outline = this.outline_;
    const { clientWidth: width, clientHeight: height } = this.root_;
    if (!outline || width < 80 || height < 80) return;
    if (!this.drag_) this.arrange(outline, width, height);
    this.root_.classList.toggle('read-only', !this.enabled_);
    this.draw_ground(outline, width);
    this.draw_view('side', outline);
    this.draw_view('front', outline);
    this.draw_handles(outline);
  }

  /** Chooses the scale and the places of the two views, so that both fit beside each other. */
  private arrange({ low, high }: Outline, width: number, height: number): void {
    const [deep, wide] = [high[0] - low[0], high[1] - low[1]];
    const free = width - kMeasure - 4 * kMargin;
    this.scale_ = Math.min((height - 2 * kMargin) / high[2], free / (wide + deep));
    const gap = (width - kMeasure - (wide + deep) * this.scale_) / 3;
    this.origin_ = {
      front: kMeasure + gap - low[1] * this.scale_,
      side: kMeasure + 2 * gap + (wide - low[0]) * this.scale_,
    };
  }

  private project(view: ViewName, point: Vec3): [number, number] {
    return [
      this.origin_[view] + point[kAcross[view]] * this.scale_,
      this.root_.clientHeight - kMargin + this.sink() - point[2] * this.scale_,
    ];
  }

  /**
   * How far the figure is moved down, px: while a leg is dragged its upper end stays and the foot follows the
   * pointer.
   */
  private sink(): number {
    const held = this.held_;
    const link = held && this.outline_?.links.find(({ name }) => name === held.link);
    return held && link ? (link.near[2] - held.z) * this.scale_ : 0;
  }

  private draw_ground(outline: Outline, width: number): void {
    const [, y] = this.project('front', [0, 0, 0]);
    set(this.clip_, { width, height: Math.max(0, y + 1) });
    const [, top] = this.project('front', [0, 0, outline.high[2]]);
    const x = this.origin_.front + outline.low[1] * this.scale_ - 16;
    this.ground_.replaceChildren(
      svg('line', { x1: 10, x2: width - 10, y1: y, y2: y, class: 'floor' }),
      svg('line', { x1: x, x2: x, y1: y, y2: top, class: 'measure' }),
      svg('line', { x1: x - 4, x2: x + 4, y1: top, y2: top, class: 'measure' }),
      svg('line', { x1: x - 4, x2: x + 4, y1: y, y2: y, class: 'measure' }),
      svg(
        'text',
        {
          x: x - 7,
          y: (y + top) / 2,
          'text-anchor': 'middle',
          transform: `rotate(-90 ${(x - 7).toFixed(1)} ${((y + top) / 2).toFixed(1)})`,
        },
        `${outline.high[2].toFixed(2)} m`,
      ),
    );
  }

  private draw_view(view: ViewName, outline: Outline): void {
    const group = this.views_[view];
    const sorted = [...outline.links].sort(
      (a, b) => depth_of(a.name, view) - depth_of(b.name, view),
    );
    const order = sorted.map(({ name }) => name).join();
    if (group.dataset['order'] !== order) {
      group.dataset['order'] = order;
      group.replaceChildren(...sorted.map((link) => this.part(view, link.name)));
    }
    for (const link of sorted) {
      const part = this.parts_.get(`${view}.${link.name}`);
      if (part) this.draw_part(view, link, part);
    }
  }

  private part(view: ViewName, link: string): SVGGElement {
    const key = `${view}.${link}`;
    const part = svg('g', { class: 'body-part', 'data-link': link });
    this.parts_.set(key, part);
    return part;
  }

  private draw_part(view: ViewName, link: OutlineLink, part: SVGGElement): void {
    const twin = other_side(link.name);
    const chosen =
      link.name === this.selected_ ||
      (this.symmetric_ && twin !== undefined && twin === this.selected_);
    const [ox, oy, oz] = link.origin;
    const place = (x: number, y: number, z: number) => this.project(view, [x + ox, y + oy, z + oz]);
    const shapes = (this.figure_?.parts ?? [])
      .filter((one) => one.link === link.index)
      .sort((one, other) => nearness(one, view) - nearness(other, view))
      .map((one) => ({
        d: silhouette(one, place),
        tint: this.looks_ ? color_of(one, this.looks_).getStyle() : '',
      }));
    // The outline of the selected part: the same shapes with a thick line, drawn below all others.
    part.replaceChildren(
      ...shapes.map(({ d }) => svg('path', { d, class: 'edge' })),
      ...shapes.map(({ d, tint }) => {
        const path = svg('path', { d, class: 'skin' });
        path.style.setProperty('--tint', tint);
        return path;
      }),
    );
    part.classList.toggle('chosen', chosen);
    part.classList.toggle('far', view === 'side' && link.name.startsWith('left_'));
    if (view !== 'front') return;
    const reachable = !this.symmetric_ || !link.name.startsWith('right_');
    const factors = (['length', 'width', 'density'] as const).map((key) =>
      this.factor_(link.name, key).toFixed(2),
    );
    set(part, {
      role: 'button',
      tabindex: reachable ? '0' : '-1',
      'aria-pressed': String(chosen),
      'aria-label': `${link_title(link.name)}: length ${factors[0]}, width ${factors[1]}, density ${factors[2]}; up and down change the length, left and right the width`,
    });
  }

  private draw_handles(outline: Outline): void {
    const grips: Grip[] = [];
    for (const link of outline.links) {
      const view: ViewName = link.axis === 0 ? 'side' : 'front';
      if (!(view === 'side' && link.name.startsWith('left_') && this.symmetric_))
        grips.push({ link, key: 'length', at: this.project(view, link.far) });
      if (link.name === this.selected_) {
        const [x, y, z] = link.middle;
        const edge: Vec3 = [x, y + this.outward(link) * link.half_width, z];
        grips.push({ link, key: 'width', at: this.project('front', edge) });
      }
    }
    const spots = spread(
      grips.map(({ at }) => at),
      2 * kReach,
    );
    const seen = new Set<string>();
    grips.forEach((grip, i) => {
      seen.add(`${grip.link.name}.${grip.key}`);
      this.draw_handle(grip, spots[i] ?? grip.at);
    });
    for (const [key, element] of this.handle_of_) {
      if (seen.has(key)) continue;
      element.remove();
      this.handle_of_.delete(key);
    }
  }

  private outward(link: OutlineLink): 1 | -1 {
    return link.name.startsWith('right_') ? -1 : 1;
  }

  /**
   * @param spot place of the handle, px; a handle that had to be moved aside gets a line to the size that it
   * changes
   */
  private draw_handle({ link, key, at }: Grip, spot: Spot): void {
    const name = `${link.name}.${key}`;
    let element = this.handle_of_.get(name);
    if (!element) {
      element = svg(
        'g',
        { class: `body-handle ${key}`, 'data-handle': name },
        svg('title', {}, `${link_title(link.name)}: drag its ${key}`),
        svg('line', { class: 'leader', x1: 0, y1: 0 }),
        svg('circle', { r: kReach, class: 'reach' }),
        key === 'length'
          ? svg('circle', { r: 5, class: 'dot' })
          : svg('rect', { x: -5, y: -5, width: 10, height: 10, rx: 2, class: 'dot' }),
      );
      this.handle_of_.set(name, element);
      this.handles_.append(element);
    }
    const [x, y] = spot;
    element.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    const leader = element.querySelector('line');
    if (leader) set(leader, { x2: at[0] - x, y2: at[1] - y });
    const twin = other_side(link.name);
    element.classList.toggle(
      'chosen',
      link.name === this.selected_ || (this.symmetric_ && twin === this.selected_),
    );
  }

  private link_of(target: EventTarget | null): string | undefined {
    const part = target instanceof Element ? target.closest<SVGElement>('.body-part') : null;
    return part?.dataset['link'];
  }

  private gesture(): string {
    return `body-${this.gestures_}`;
  }
  private end_gesture(): void {
    ++this.gestures_;
    this.on_end();
  }

  private readonly pointer_down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const handle =
      event.target instanceof Element ? event.target.closest<SVGElement>('.body-handle') : null;
    const [name = '', key = ''] = handle?.dataset['handle']?.split('.') ?? [];
    const link = name || this.link_of(event.target);
    if (!link) return;
    event.preventDefault();
    this.on_select(link);
    this.parts_.get(`front.${link}`)?.focus();
    this.changed_ = undefined;
    const found = this.outline_?.links.find((one) => one.name === link);
    if (!handle || !found || !this.enabled_ || this.drag_) return;
    ++this.gestures_;
    const length = key === 'length';
    const reach = found.far[found.axis] - found.near[found.axis];
    const sign = Math.sign(reach) || 1;
    this.drag_ = {
      pointer: event.pointerId,
      link,
      key: length ? 'length' : 'width',
      from: [event.clientX, event.clientY],
      direction: length ? (found.axis === 2 ? [0, -sign] : [sign, 0]) : [this.outward(found), 0],
      size: Math.max(0.01, length ? Math.abs(reach) : found.half_width),
      factor: this.factor_(link, length ? 'length' : 'width'),
    };
    // A drag of a leg moves the foot; a drag above the hips moves the head.
    if (length && found.axis === 2 && sign < 0 && /thigh|shank|pelvis/.test(link))
      this.held_ = { link, z: found.near[2] };
    this.root_.setPointerCapture(event.pointerId);
    this.root_.classList.add('dragging');
  };

  private readonly pointer_move = (event: PointerEvent) => {
    const drag = this.drag_;
    if (!drag || event.pointerId !== drag.pointer) return;
    const moved =
      ((event.clientX - drag.from[0]) * drag.direction[0] +
        (event.clientY - drag.from[1]) * drag.direction[1]) /
      this.scale_;
    const factor = (drag.factor * (drag.size + moved)) / drag.size;
    this.on_change(drag.link, drag.key, Math.round(factor * 100) / 100, this.gesture());
  };

  private readonly pointer_up = (event: PointerEvent) => {
    if (event.pointerId === this.drag_?.pointer) this.end_drag();
  };

  private end_drag(): void {
    this.drag_ = undefined;
    this.held_ = undefined;
    this.root_.classList.remove('dragging');
    this.end_gesture();
    this.draw();
  }

  private readonly key_down = (event: KeyboardEvent) => {
    const link = this.link_of(event.target);
    if (event.key === 'Escape' && this.cancel()) {
      event.stopPropagation();
      return;
    }
    if (!link || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = kKeyStep * (event.shiftKey ? 5 : 1);
    const moves: Readonly<Record<string, readonly [LinkNumber, number]>> = {
      ArrowUp: ['length', by],
      ArrowDown: ['length', -by],
      ArrowRight: ['width', by],
      ArrowLeft: ['width', -by],
    };
    const move = moves[event.key];
    if (move && this.enabled_) {
      const [key, change] = move;
      this.on_change(link, key, this.factor_(link, key) + change, this.gesture());
      this.changed_ = [link, key];
      this.tell();
    } else if (event.key === 'Enter' || event.key === ' ') this.on_select(link);
    else if (!move) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
