// The goals of errands in the picture: things see-through where they are to be, rings and points where somebody goes or
// reaches, each with its number. The way between them is the overlay’s of paths.
import type { Goal } from '../../state/tasks/task';
import type { Vec3 } from '../../state/values/quaternion';
import { origin_on, rest_pose } from '../../state/figure/rest_pose';
import type { Skeleton } from '../../state/figure/skeleton';
import type { Marks } from '../overlays/marks';
import type { StillFigure } from '../figure/still_figure';
import type { Viewport } from '../picture/viewport';

export interface ShownGoal {
  readonly goal: Goal;
  readonly label: string;
  readonly state: 'now' | 'next' | 'held';
}

const kColor = { now: '#ffb52e', next: '#3f9be8', held: '#ffb52e' } as const;
const kOpacity = 0.42;
const kSpot_m = 0.22;
const kPoint_m = 0.05;
const kRaise_m = 0.03;

export class GoalMarks {
  private readonly marks_: Marks;
  private readonly layer_ = document.createElement('div');
  private ghosts_: { skeleton: Skeleton; color: string; figure: StillFigure }[] = [];

  constructor(private readonly viewport_: Viewport) {
    this.marks_ = viewport_.more_marks();
    this.layer_.className = 'goal-labels';
    this.layer_.ariaHidden = 'true';
    viewport_.stage.renderer.domElement.after(this.layer_);
  }

  dispose(): void {
    this.marks_.dispose();
    this.layer_.remove();
    for (const { figure } of this.ghosts_) figure.dispose();
  }

  /** @param ground_m height of the ground where the person who does them is now */
  draw(shown: readonly ShownGoal[], ground_m: number): void {
    const { marks_: marks, viewport_: viewport } = this;
    marks.begin(viewport.rig.view.from, viewport.stage.frame.pixel_m);
    let boxes = 0;
    for (const { goal, state } of shown) {
      const color = kColor[state];
      const foot: Vec3 = [goal.at[0], goal.at[1], goal.at[2] + kRaise_m];
      switch (goal.kind) {
        case 'box': {
          const { skeleton, color: own } = goal.thing;
          const figure = this.ghost(boxes++, skeleton, own);
          figure.place(rest_pose(skeleton, origin_on(skeleton, goal.at), goal.yaw_rad));
          marks.ring(foot, 0.6 * skeleton.reach, color);
          break;
        }
        case 'spot':
          marks.ring(foot, kSpot_m, color);
          marks.disc(foot, kSpot_m / 3, color);
          break;
        case 'point':
          marks.sphere(goal.at, kPoint_m, color);
          marks.rod([goal.at[0], goal.at[1], ground_m + kRaise_m], goal.at, 0.006, color);
          break;
      }
    }
    this.ghosts_.forEach(({ figure }, i) => (figure.shown = i < boxes));
    marks.end();
    this.label(shown);
  }

  /** Where the number of a goal stands, m, world frame. */
  static label_point({ kind, at: [x, y, z], ...goal }: Goal): Vec3 {
    const thing = 'thing' in goal ? goal.thing : undefined;
    return [x, y, z + (thing ? Math.min(0.7, thing.skeleton.reach) : kind === 'point' ? 0.06 : 0)];
  }

  private ghost(index: number, skeleton: Skeleton, color: string): StillFigure {
    const old = this.ghosts_[index];
    if (old?.skeleton === skeleton && old.color === color) return old.figure;
    old?.figure.dispose();
    const figure = this.viewport_.still_figure(skeleton, color, kOpacity);
    this.ghosts_[index] = { skeleton, color, figure };
    return figure;
  }

  private label(shown: readonly ShownGoal[]): void {
    const { layer_: layer } = this;
    while (layer.childElementCount > shown.length) layer.lastElementChild?.remove();
    shown.forEach(({ goal, label, state }, i) => {
      const one = (layer.children[i] ??
        layer.appendChild(document.createElement('b'))) as HTMLElement;
      const spot = this.viewport_.pixel_of(GoalMarks.label_point(goal));
      one.hidden = !spot;
      if (one.textContent !== label) one.textContent = label;
      one.dataset['state'] = state;
      if (spot)
        one.style.transform = `translate(${spot.x.toFixed(1)}px, ${spot.y.toFixed(1)}px) translate(-50%, -50%)`;
    });
  }
}
