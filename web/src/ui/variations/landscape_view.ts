// The map of a gait: a figure over two of its free numbers as a picture of heat. A point that is pressed puts its gait onto the toy.
import type { GaitLandscape } from '../../gen/promenade/v1/gait_study_pb';
import {
  type GridPoint,
  index_of,
  kLandscapeFigures,
  number_title,
  point_of_gait,
  point_words,
  value_span,
} from '../../state/gait/landscape';
import { fill_select, h, write } from '../parts/dom';

const kPicture_px = 372; // of the picture's side, in its own pixels

const kArrows: Readonly<Partial<Record<string, readonly [number, number]>>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Asked for of a landscape. */
export interface LandscapeAsked {
  readonly axes: string[];
  readonly figure: string;
}

export class LandscapeView {
  readonly element: HTMLElement;
  on_ask: (asked: LandscapeAsked) => void = () => {};
  on_choose: (point: GridPoint) => void = () => {};
  private readonly across_ = this.choice('Across', 'landscape-across');
  private readonly up_ = this.choice('Up', 'landscape-up');
  private readonly figure_ = this.choice('Figure', 'landscape-figure');
  private readonly draw_ = h('button', {
    text: 'Draw',
    title: 'Tries the gait at 31 x 31 points',
    attributes: { type: 'button', 'data-test': 'landscape-draw' },
    on: { click: () => this.ask() },
  });
  private readonly canvas_ = h('canvas', {
    class: 'landscape',
    attributes: {
      tabindex: '0',
      role: 'img',
      'aria-describedby': 'landscape-told',
      width: String(kPicture_px),
      height: String(kPicture_px),
      'data-test': 'landscape',
    },
    on: {
      pointermove: (event) => this.look(this.point_under(event)),
      pointerleave: () => this.look(undefined),
      click: (event) => this.choose(this.point_under(event)),
      keydown: (event) => this.key(event),
      focus: () => this.look(this.looked_at_ ?? this.marked_),
      blur: () => this.look(undefined),
    },
  });
  private readonly scale_ = h('p', { class: 'landscape-scale faint' });
  private readonly told_ = h('p', {
    class: 'landscape-told',
    attributes: { id: 'landscape-told', role: 'status', 'data-test': 'landscape-told' },
  });
  private map_: GaitLandscape | undefined;
  private looked_at_: GridPoint | undefined;
  private marked_: GridPoint = { across: 0, up: 0 }; // the toy's gait
  private numbers_ = '';

  constructor() {
    const row = (title: string, control: HTMLElement) =>
      h('label', {}, h('span', { text: title }), control);
    fill_select(
      this.figure_,
      kLandscapeFigures.map(([value, text]) => ({ value, text })),
    );
    this.element = h(
      'div',
      { class: 'landscape-view' },
      h(
        'div',
        { class: 'landscape-wish' },
        row('Across', this.across_),
        row('Up', this.up_),
        row('Figure', this.figure_),
        this.draw_,
      ),
      this.canvas_,
      this.scale_,
      this.told_,
    );
    this.show(undefined);
  }

  /** @param names of the free numbers of the gait */
  set_numbers(names: readonly string[]): void {
    const key = names.join();
    if (key === this.numbers_ || names.length < 2) return;
    this.numbers_ = key;
    const entries = names.map((value) => ({ value, text: number_title(value) }));
    fill_select(this.across_, entries);
    fill_select(this.up_, entries);
    this.across_.value = names[0] as string;
    this.up_.value = names[1] as string;
  }

  set_enabled(enabled: boolean): void {
    this.draw_.disabled = !enabled;
  }

  ask(): void {
    const axes = [this.across_.value, this.up_.value];
    this.on_ask({ axes: axes.every(Boolean) ? axes : [], figure: this.figure_.value });
  }

  /** undefined: there is none of this gait yet. */
  show(map: GaitLandscape | undefined): void {
    this.map_ = map;
    this.looked_at_ = undefined;
    this.canvas_.hidden = this.scale_.hidden = this.told_.hidden = !map;
    if (!map) return;
    this.marked_ = point_of_gait(map);
    const span = value_span(map);
    const title = kLandscapeFigures.find(([name]) => name === map.figure)?.[1] ?? map.figure;
    const fell = map.ends.filter((end) => end !== 0).length;
    const share = Math.round((100 * fell) / map.ends.length);
    const from_to = span
      ? `${title} from ${signed(span.least)} to ${signed(span.most)}${map.unit && ` ${map.unit}`}, the stronger the colour the more`
      : 'No point goes on';
    write(this.scale_, `${from_to}; ${share} % fall (hatched). The ring is the gait.`);
    this.canvas_.setAttribute('aria-label', `Map of the gait: ${title}. Arrow keys go about.`);
    this.paint();
    this.tell();
  }

  /** Marks the point whose gait the toy has now. */
  mark(point: GridPoint): void {
    this.marked_ = point;
    this.paint();
  }

  private choice(label: string, test: string): HTMLSelectElement {
    return h('select', { attributes: { 'aria-label': label, 'data-test': test } });
  }

  private look(point: GridPoint | undefined): void {
    this.looked_at_ = point;
    this.paint();
    this.tell();
  }

  private choose(point: GridPoint | undefined): void {
    const { map_: map } = this;
    if (!map || !point) return;
    if (map.ends[index_of(map, point)] === 0) this.on_choose(point);
    else write(this.told_, `There it ${map.endNames[map.ends[index_of(map, point)] ?? 0]}.`);
  }

  private tell(): void {
    const { map_: map, looked_at_: point } = this;
    if (!map) return;
    const idle = 'Press a point to give the toy its gait; undo takes it back.';
    write(this.told_, point ? point_words(map, point) : idle);
  }

  private point_under(event: PointerEvent | MouseEvent): GridPoint | undefined {
    const { map_: map } = this;
    if (!map) return undefined;
    const box = this.canvas_.getBoundingClientRect();
    const place = (share: number) =>
      Math.min(map.points - 1, Math.max(0, Math.floor(share * map.points)));
    return {
      across: place((event.clientX - box.left) / box.width),
      up: place((box.bottom - event.clientY) / box.height),
    };
  }

  private key(event: KeyboardEvent): void {
    const { map_: map } = this;
    if (!map) return;
    const at = this.looked_at_ ?? this.marked_;
    const step = kArrows[event.key];
    if (step) {
      const within = (value: number) => Math.min(map.points - 1, Math.max(0, value));
      this.look({ across: within(at.across + step[0]), up: within(at.up + step[1]) });
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.choose(at);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private paint(): void {
    const { map_: map } = this;
    const pen = this.canvas_.getContext('2d');
    if (!map || !pen) return;
    const style = getComputedStyle(this.canvas_);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const [most, least, fell, ink] = ['--accent', '--raised', '--line', '--ink'].map(color);
    const span = value_span(map);
    const size = kPicture_px / map.points;
    const edge = (i: number) => Math.round(i * size);
    const box = ({ across, up }: GridPoint) => {
      const [x, y] = [edge(across), kPicture_px - edge(up + 1)];
      return [x, y, edge(across + 1) - x, kPicture_px - edge(up) - y] as const;
    };
    pen.fillStyle = fell ?? '#ccc';
    pen.fillRect(0, 0, kPicture_px, kPicture_px);
    hatch(pen, color('--faint'));
    for (let up = 0; up < map.points; ++up)
      for (let across = 0; across < map.points; ++across) {
        const i = index_of(map, { across, up });
        if (map.ends[i] !== 0 || !span) continue;
        const heat = ((map.values[i] ?? 0) - span.least) / (span.most - span.least || 1);
        const place = box({ across, up });
        pen.fillStyle = least ?? '#fff';
        pen.fillRect(...place);
        pen.globalAlpha = 0.06 + 0.94 * heat;
        pen.fillStyle = most ?? '#000';
        pen.fillRect(...place);
        pen.globalAlpha = 1;
      }
    const [x, y] = box(this.marked_);
    for (const [width, line] of [
      [5, least],
      [2.5, ink],
    ] as const) {
      pen.strokeStyle = line ?? '#000';
      pen.lineWidth = width;
      pen.beginPath();
      pen.arc(x + size / 2, y + size / 2, 0.9 * size, 0, 2 * Math.PI);
      pen.stroke();
    }
    if (!this.looked_at_) return;
    pen.strokeStyle = color('--focus');
    pen.lineWidth = 2.5;
    pen.strokeRect(...box(this.looked_at_));
  }
}

function signed(value: number): string {
  return value.toFixed(2).replace('-', '−');
}

/** Lines all over the picture, below the points that go on. */
function hatch(pen: CanvasRenderingContext2D, color: string): void {
  pen.strokeStyle = color;
  pen.globalAlpha = 0.4;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let x = -kPicture_px; x < kPicture_px; x += 7) {
    pen.moveTo(x, kPicture_px);
    pen.lineTo(x + kPicture_px, 0);
  }
  pen.stroke();
  pen.globalAlpha = 1;
}
