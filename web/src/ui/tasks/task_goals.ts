// The goals of the selected character's errands in the picture: they are drawn, dragged elsewhere, and chosen anew by the
// pointer or by keys.
import { GoalMarks, type ShownGoal } from '../../scene/tasks/goal_marks';
import type { Viewport } from '../../scene/picture/viewport';
import type { Vec3 } from '../../state/values/quaternion';
import type { Errands } from '../../state/tasks/errands';
import { standing } from '../../state/tasks/sharing';
import {
  carried_along,
  goal_of,
  moved,
  origin_of,
  turned,
  yaw_of,
  place_of,
  put_on,
  type Goal,
  type Task,
} from '../../state/tasks/task';
import type { Context } from '../page/context';
import { h, write } from '../parts/dom';
import { GroundTool, type GroundWork } from '../hand/ground_tool';
import { GoalGround, type Point } from './goal_ground';

/** A place that is being chosen. */
export interface Choosing {
  readonly task: Task; // with a place to begin with
  readonly box: number; // the thing that comes there; 0: none
  readonly say: string; // what is chosen
  done(task: Task): void;
}

const kGrab_px = 20; // beside a goal that is dragged
const kDragFrom_px = 4;
const kTurn_rad = Math.PI / 12;
/** The keys, besides arrows, while the place of an errand is chosen. */
export const kErrandKeys = {
  Enter: 'put',
  Escape: 'cancel',
  r: 'turn what is placed',
} as const satisfies Readonly<Record<string, string>>;
const kStep = 0.02; // of the camera's distance, for each press of an arrow key
const kFar = 5; // times that with Shift
const kArrows: Readonly<Record<string, Point>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Draws the goals of errands, lets them be dragged, and has a place chosen for one. */
export class TaskGoals {
  private readonly marks_: GoalMarks;
  private readonly ground_: GoalGround;
  private readonly tool_: GroundTool;
  private readonly stop_ = new AbortController();
  private readonly bar_: HTMLElement;
  private readonly words_ = h('span', { class: 'task-hint' });
  private choosing_: (Choosing & { now: Task }) | undefined;
  private dragged_:
    | {
        readonly index: number;
        readonly box: number;
        readonly press: PointerEvent;
        task: Task;
        far: boolean; // from where it was pressed
      }
    | undefined;
  private frame_ = 0;

  /**
   * @param who_ does the errands: the goals of nobody are shown while it is undefined
   * @param click_ after a press on a goal that was not dragged, px of the page
   */
  constructor(
    private readonly context_: Context,
    private readonly viewport_: Viewport,
    private readonly errands_: Errands,
    private readonly who_: () => { readonly id: number; readonly carried: number } | undefined,
    private readonly edit_: (index: number, task: Task) => void,
    private readonly click_: (x: number, y: number) => void,
  ) {
    this.marks_ = new GoalMarks(viewport_);
    this.ground_ = new GoalGround(context_.world, viewport_);
    this.tool_ = new GroundTool(this.canvas_, (x, y) => this.place_under(x, y), this.work());
    const button = (text: string, test: string, click: () => void) =>
      h('button', { text, attributes: { 'data-test': test }, on: { click } });
    this.bar_ = h(
      'div',
      {
        class: 'hand task-hand',
        attributes: { role: 'toolbar', 'aria-label': 'Place of an errand' },
      },
      this.words_,
      button('Turn', 'task-turn', () => this.turn(1)),
      button('Here', 'task-here', () => this.put()),
      button('Cancel', 'task-cancel', () => this.cancel()),
    );
    this.bar_.hidden = true;
    document.querySelector('.bottom .hand')?.after(this.bar_);
    const { signal } = this.stop_;
    window.addEventListener('pointermove', (event) => this.hover(event), { signal, capture: true });
    window.addEventListener('keydown', (event) => this.key(event), { signal, capture: true });
    const draw = () => {
      this.draw();
      this.frame_ = requestAnimationFrame(draw);
    };
    draw();
  }

  dispose(): void {
    cancelAnimationFrame(this.frame_);
    this.stop_.abort();
    this.tool_.dispose();
    this.marks_.dispose();
    this.bar_.remove();
  }

  choose(choosing: Choosing): void {
    this.choosing_ = { ...choosing, now: choosing.task };
    this.canvas_.focus({ preventScroll: true });
    this.canvas_.classList.add('painting');
    this.bar_.hidden = false;
    write(this.words_, `${choosing.say}: click the place, or arrow keys and Enter`);
    const turn = this.bar_.querySelector<HTMLElement>('[data-test="task-turn"]');
    if (turn) turn.hidden = choosing.box === 0;
    this.context_.announcer.answer(
      `${choosing.say}. Arrows move it, Enter takes the place, Esc cancels.`,
    );
  }

  cancel(): void {
    this.choosing_ = undefined;
    this.canvas_.classList.remove('painting');
    this.bar_.hidden = true;
  }

  private get canvas_(): HTMLElement {
    return this.viewport_.stage.renderer.domElement;
  }

  private put(): void {
    const { choosing_: choosing } = this;
    this.cancel();
    if (!choosing) return;
    const [x, y] = (choosing.now.carry && place_of(choosing.now)) ?? [];
    const below =
      x === undefined || y === undefined ? 0 : this.ground_.thing_at(x, y, choosing.box);
    choosing.done(below ? put_on(choosing.now, below) : choosing.now);
  }

  private turn(by: number): void {
    const { choosing_: choosing } = this;
    const thing = choosing && this.context_.world.pose.cast.by_id.get(choosing.box);
    if (!choosing || !thing) return;
    const from = yaw_of(thing, this.context_.world.pose);
    choosing.now = turned(choosing.now, by * kTurn_rad, from);
  }

  private work(): GroundWork {
    return {
      takes: (event) => {
        if (this.choosing_) return true;
        if (this.errands_.list.value.shared_by.length > 0) return false;
        const taken = this.goal_at(event.clientX, event.clientY);
        const task = taken && this.errands_.list.value.errands[taken.index]?.task;
        if (!task || !place_of(task)) return false;
        const { goal, index } = taken;
        const held = goal.kind === 'box' ? goal.thing.id : 0;
        this.dragged_ = { index, box: held, press: event, task, far: false };
        return true;
      },
      begin: (p) => {
        if (this.choosing_) this.choosing_.now = moved(this.choosing_.now, p);
      },
      move: (p, event) => {
        const { choosing_: choosing, dragged_: dragged } = this;
        if (choosing) choosing.now = moved(choosing.now, p);
        if (choosing || !dragged) return;
        const { press } = dragged;
        const way = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY);
        dragged.far ||= way > kDragFrom_px;
        if (dragged.far) dragged.task = moved(dragged.task, p);
      },
      end: () => {
        const { dragged_: dragged } = this;
        this.dragged_ = undefined;
        if (this.choosing_) this.put();
        else if (dragged?.far) this.edit_(dragged.index, dragged.task);
        // A click reaches things below the goal, too.
        else if (dragged) this.click_(dragged.press.clientX, dragged.press.clientY);
      },
      cancel: () => (this.dragged_ = undefined),
    };
  }

  private hover(event: PointerEvent): void {
    if (!this.choosing_ || event.target !== this.canvas_ || event.buttons !== 0) return;
    const p = this.place_under(event.clientX, event.clientY);
    if (p) this.choosing_.now = moved(this.choosing_.now, p);
  }

  private key(event: KeyboardEvent): void {
    const { choosing_: choosing } = this;
    const { target } = event;
    if (!choosing || !(target === document.body || target instanceof HTMLCanvasElement)) return;
    const arrow = kArrows[event.key];
    const does =
      kErrandKeys[
        (event.key.length === 1 ? event.key.toLowerCase() : event.key) as keyof typeof kErrandKeys
      ];
    if (does === 'cancel') this.cancel();
    else if (does === 'put') this.put();
    else if (does === 'turn what is placed') this.turn(event.shiftKey ? -1 : 1);
    else if (arrow) this.step(arrow, event.shiftKey);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  private step([right, away]: Point, far: boolean): void {
    const { choosing_: choosing, viewport_: viewport } = this;
    const [x, y] = (choosing && place_of(choosing.now)) ?? [];
    if (!choosing || x === undefined || y === undefined) return;
    const { from, at } = viewport.rig.view;
    const distance = Math.hypot(at[0] - from[0], at[1] - from[1], at[2] - from[2]);
    const step = kStep * distance * (far ? kFar : 1);
    const [fx, fy] = viewport.away;
    choosing.now = moved(choosing.now, [
      x + step * (fx * away + fy * right),
      y + step * (fy * away - fx * right),
    ]);
  }

  /** The place under a pointer, px of the page, for what is being chosen or dragged. */
  private place_under(px: number, py: number): Point | undefined {
    const { choosing_: choosing, dragged_: dragged } = this;
    return this.ground_.under(
      px,
      py,
      choosing?.now ?? dragged?.task,
      (choosing ?? dragged)?.box ?? 0,
    );
  }

  private shown(): readonly (ShownGoal & { readonly index: number })[] {
    const who = this.who_();
    if (!who) return [];
    const { errands, current } = this.errands_.list.value;
    const { repeat, shared_by } = this.errands_.list.value;
    const shared = shared_by.length > 0;
    const tasks = errands.map(({ task }, i) =>
      i === this.dragged_?.index ? this.dragged_.task : task,
    );
    const { pose } = this.context_.world;
    const carried = carried_along(tasks, repeat ? 0 : current, repeat ? 0 : who.carried, pose.cast);
    if (repeat) carried[current] = who.carried || (carried[current] ?? 0);
    const put = new Map<number, Goal>();
    // In the order in which they come.
    const indices = [...tasks.keys()];
    const order = [...indices.slice(current), ...indices.slice(0, current)];
    return order.flatMap((index) => {
      const task = tasks[index];
      // A task that is over is not shown any more.
      const state_now = standing(this.errands_.list.value, index);
      const is_over = shared
        ? state_now === 'done' || state_now === 'failed'
        : index < current && !repeat;
      if (!task || is_over) return [];
      const box = carried[index] ?? 0;
      const z = (x: number, y: number) => this.ground_.height_for(task, x, y, box);
      const goal = goal_of(task, box, pose, z, put);
      if (!goal) return [];
      if (goal.kind === 'box') put.set(goal.thing.id, goal);
      const held = index === this.dragged_?.index;
      const state = held ? 'held' : state_now === 'now' ? 'now' : 'next';
      return [{ goal, index, label: String(index + 1), state } as const];
    });
  }

  private draw(): void {
    const who = this.who_();
    const { pose } = this.context_.world;
    const member = who && pose.cast.by_id.get(who.id);
    if (!member) {
      this.marks_.draw([], 0);
      return;
    }
    const [x, y] = origin_of(member, pose);
    const goals: ShownGoal[] = [...this.shown()];
    const { choosing_: choosing } = this;
    if (choosing) {
      const z = (u: number, v: number) => this.ground_.height_for(choosing.now, u, v, choosing.box);
      const goal = goal_of(choosing.now, choosing.box, pose, z, new Map());
      if (goal) goals.push({ goal, label: '+', state: 'held' });
    }
    this.marks_.draw(goals, this.ground_.height(x, y));
  }

  /** The goal nearest to a point of the page, px, that is not far from it. */
  private goal_at(
    px: number,
    py: number,
  ): { readonly goal: Goal; readonly index: number } | undefined {
    const box = this.canvas_.getBoundingClientRect();
    const [x, y] = [px - box.left, py - box.top];
    let best: { readonly goal: Goal; readonly index: number } | undefined;
    let least = kGrab_px;
    for (const { goal, index } of this.shown()) {
      const middle: Vec3 =
        goal.kind === 'box' ? over(goal.at, 0.5 * goal.thing.skeleton.reach) : goal.at;
      for (const point of [middle, GoalMarks.label_point(goal)]) {
        const spot = this.viewport_.pixel_of(point);
        const far = spot ? Math.hypot(spot.x - x, spot.y - y) : Infinity;
        if (far < least) [best, least] = [{ goal, index }, far];
      }
    }
    return best;
  }
}

function over([x, y, z]: Vec3, by: number): Vec3 {
  return [x, y, z + by];
}
