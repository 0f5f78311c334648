// The picture in the page: what the pointer does in it, the label at a push, and how it makes way for panels.
import { type PointerActions } from '../../scene/hand/pointer_tools';
import { Viewport } from '../../scene/picture/viewport';
import type { CharacterPanel } from '../character/character_panel';
import type { Builder } from '../hand/builder';
import { name_picture } from '../keys/room_teller';
import { h, write } from '../parts/dom';
import type { Sheet } from '../parts/later';
import type { Place } from './address';
import type { Context } from './context';

const kHighSheets = 0.72; // of the height: sheets that begin above this cover much of the picture
const kBar_px = 52; // of the picture, that the bar with the clock covers above the gait lab

/** The parts of the page that hear of the pointer. */
export interface Hearers {
  /** Told that the visitor has pushed somebody. */
  readonly pushed: () => void;
  /** Says what can be done with a thing, as in PointerActions. */
  readonly offer: PointerActions['offer'];
}

/** Effects of the pointer in the room and in the page. */
function pointer_actions(
  { actions, build, selection, settings }: Context,
  builder: Builder,
  { offer, pushed }: Hearers,
): Omit<PointerActions, 'ground'> {
  return {
    select: (id, add) => (add ? selection.toggle(id) : selection.choose(id)),
    hover: (id) => selection.hovered.set(id),
    push: (id, link, point, force) => {
      void actions.push(id, link, point, force);
      pushed();
    },
    most_push_n: () => actions.most_push_n,
    pushing: (on) => build.pushing.set(on),
    send: ([x, y]) => void actions.go_to(x, y),
    walk: (points) => void actions.walk(points),
    offer,
    has_selection: () => actions.walkers.length > 0,
    draws_path: () => settings.path_tool.value && actions.walkers.length > 0,
    path_done: () => settings.path_tool.set(false),
    mode: () => build.mode.value,
    build_tool: () => build.tool.value,
    drag: (hit, target) => {
      build.dragging.set(target !== undefined);
      builder.drag(hit, target);
    },
    place: (spot) => {
      build.keyboard_spot.set(undefined);
      void builder.place(spot);
    },
    turn: (steps) => build.turn(steps),
    tie: (point) => builder.tie_point(point),
  };
}

/** The element of the picture, with all that is drawn in it. */
export class Picture {
  readonly element = h('main', { class: 'viewport' });
  readonly viewport: Viewport;

  /** @param host of the page, to which the picture is added */
  constructor(
    context: Context,
    builder: Builder,
    host: HTMLElement,
    place: Place,
    hearers: Hearers,
  ) {
    const { build, selection, settings, world } = context;
    host.append(this.element);
    const does = pointer_actions(context, builder, hearers);
    this.viewport = new Viewport(this.element, world, selection, settings, build, does, place);
    this.show_hand(context);
    name_picture(context, this.canvas);
    build.tool.watch(({ kind }) => kind !== 'none' && settings.path_tool.set(false));
  }

  get canvas(): HTMLCanvasElement {
    return this.viewport.stage.renderer.domElement;
  }

  /** Gives the keys to the picture. */
  focus(): void {
    this.canvas.focus();
  }

  /** The pointer looks as what it would do: the style goes by what is under it, and by the tool in hand. */
  private show_hand({ build, selection, settings }: Context): void {
    const { dataset } = this.element;
    selection.hovered.watch((id) => (dataset['hover'] = id === undefined ? 'no' : 'yes'));
    const show_tool = () => {
      const { kind } = build.tool.value;
      dataset['tool'] = settings.path_tool.value ? 'path' : kind;
    };
    settings.path_tool.watch(show_tool);
    build.tool.watch(show_tool);
    settings.path_tool.watch((on) => on && build.end());
  }
}

/** Parts that lie over the picture, and move its middle. */
export interface OverPicture {
  readonly left: HTMLElement;
  readonly character: CharacterPanel;
  readonly lab: Sheet;
  readonly docks: readonly HTMLElement[]; // above the bar with the clock
  readonly told: HTMLElement; // the sentence of what is shown
}

type Shift = readonly [x: number, y: number, shrink?: number]; // px to the right and down

/** Panels cover much of the page: moves the picture's centre to the middle of the part that is left free. */
export class MakesWay {
  /** @param host_ of the page */
  constructor(
    private readonly host_: HTMLElement,
    private readonly over_: OverPicture,
    private readonly viewport_: Viewport,
  ) {}

  /** Makes way from now on, whenever something opens, closes or changes its size. */
  begin(): void {
    const { left, character, lab, docks, told } = this.over_;
    const refresh = () => this.refresh();
    character.tab.watch(refresh);
    lab.open.watch(refresh);
    const observer = new ResizeObserver(refresh);
    observer.observe(this.host_);
    observer.observe(left);
    observer.observe(character.element);
    observer.observe(lab.element);
    for (const one of [...docks, told]) observer.observe(one);
  }

  /** The order counts: each class moves what is measured after it. */
  private refresh(): void {
    const { character, lab } = this.over_;
    this.host_.classList.toggle('lab-open', lab.open.value);
    const dock = lab.element.getBoundingClientRect();
    const sheets = this.top_of_docks();
    this.host_.style.setProperty('--lab-height', `${dock.height.toFixed(0)}px`);
    const shown = character.element.offsetParent !== null && !character.element.hidden;
    const editing = shown && character.tab.value !== 'walk';
    this.host_.classList.toggle('editing', editing);
    this.viewport_.under_panels.set_shift(...this.shift(dock, sheets, shown, editing));
  }

  /** Where the highest open dock begins, px from the top of the page. */
  private top_of_docks(): number {
    const open = this.over_.docks.filter((one) => !one.hidden);
    const tops = open.map((one) => one.getBoundingClientRect().top);
    return Math.min(this.host_.clientHeight, ...tops);
  }

  /**
   * How far the picture's centre goes, and how much smaller the picture becomes.
   * @param dock of the gait lab, without height while it is closed
   * @param sheets where open docks begin, px from the top
   * @param shown whether the character's panel is
   * @param editing whether one of its editors is open
   */
  private shift(dock: DOMRect, sheets: number, shown: boolean, editing: boolean): Shift {
    const { character, left, told } = this.over_;
    const { clientWidth: width, clientHeight: height } = this.host_;
    const docked = dock.height > 0;
    const box = docked ? dock : character.element.getBoundingClientRect();
    if ((docked || shown) && box.width > 0.75 * width) {
      // The lab, and on a narrow page the panel, cover the lower part.
      const free = box.top - (docked ? kBar_px : 0);
      const shrink = Math.min(2.2, 0.75 / Math.max(0.2, free / height));
      return [0, (free - height) / 2, Math.max(1, shrink)];
    }
    if (!told.hidden) {
      // The subject stands above the sentence about it.
      const { top } = told.getBoundingClientRect();
      return [0, (top - height) / 2, Math.min(1.6, height / top)];
    }
    // Plots cover the lower part, too.
    if (sheets < kHighSheets * height)
      return [0, (sheets - height) / 2, Math.min(2.2, height / (sheets + kBar_px))];
    const { right, width: wide } = left.getBoundingClientRect();
    if (docked || editing) return [(right + box.left - width) / 2, 0];
    const from = left.offsetParent !== null && wide < 0.5 * width ? Math.max(0, right) : 0;
    const to = shown && box.width > 0 ? box.left : width;
    // The panel on the right moves the picture only where it has to: the next click would miss what has moved.
    const middle = Math.min((from + width) / 2, to - 0.25 * (to - from));
    return [middle - width / 2, 0];
  }
}

/** While an editor or the gait lab is open the camera follows their character, so that the effect of a change is seen. */
export function follow_edited(
  { selection, settings }: Context,
  { character, lab }: Pick<OverPicture, 'character' | 'lab'>,
  viewport: Viewport,
): void {
  let shown: number | undefined;
  let ours = false; // following was switched on here, not by the user
  const refresh = () => {
    const busy = lab.open.value || character.tab.value !== 'walk';
    const edited = busy ? selection.first : undefined;
    if (edited === shown) return;
    const before = shown;
    shown = edited;
    if (edited !== undefined) {
      // The scene of the lab has a view of its own, and a visitor who follows somebody has chosen one.
      const lab_only = lab.open.value && character.tab.value === 'walk';
      if (lab_only && (viewport.cameraman.shows_given || viewport.cameraman.directed)) return;
      if (!lab.open.value || !settings.follow.value) viewport.show(edited);
      if (before !== undefined || settings.follow.value) return;
      settings.follow.set(true);
      ours = true;
    } else if (ours) {
      settings.follow.set(false);
    }
  };
  settings.follow.watch((on) => {
    if (!on) ours = false;
  });
  character.tab.watch(refresh);
  lab.open.watch(refresh);
  selection.ids.watch(refresh);
}

/** The label beside the arrow of a push, with its force in newtons. */
export function push_label(viewport: Viewport): HTMLElement {
  const label = h('output', { class: 'push-label' });
  viewport.on_push = (spot) => {
    label.hidden = !spot;
    if (!spot) return;
    label.style.transform = `translate(${spot.x.toFixed(0)}px, ${spot.y.toFixed(0)}px)`;
    write(label, `${Math.hypot(...spot.force).toFixed(0)} N`);
    label.dataset['force'] = spot.force.map((part) => part.toFixed(1)).join(' '); // N, world frame
  };
  return label;
}
