// The tool in hand while building: none, a body to put down, or a tie of which one end may be chosen.
import type { Vec3 } from '../values/quaternion';
import type { HeldPoint } from '../room/roster';
import { Signal } from '../values/signal';
import type { Skeleton } from '../figure/skeleton';

/** The effect of a drag on characters: push them, or move them. Things are moved in both modes. */
export type DragMode = 'push' | 'grab';

export type TieChoice = 'grip' | 'ball' | 'hinge' | 'weld' | 'spring';

export const kTieChoices: readonly {
  readonly key: TieChoice;
  readonly title: string;
  readonly hint: string;
}[] = [
  { key: 'ball', title: 'Ball', hint: 'The points stay together; both sides turn freely' },
  {
    key: 'hinge',
    title: 'Hinge',
    hint: 'The points stay together; both sides turn about the vertical axis',
  },
  { key: 'weld', title: 'Weld', hint: 'The two sides stay fixed to each other as they are now' },
  {
    key: 'spring',
    title: 'Spring',
    hint: 'A spring that pulls and pushes back to the present distance',
  },
  { key: 'grip', title: 'Grip', hint: 'Holds like a hand and lets go above 2000 N' },
];

/** A thing or creature that can be put down. */
export interface Kit {
  readonly name: string;
  readonly title: string;
  readonly thing: boolean;
  readonly skeleton: Skeleton | undefined; // undefined: the page does not know its shape
}

/** A place on the ground or on a thing, m, world frame. */
export interface Spot {
  readonly point: Vec3;
  readonly on_ground: boolean;
}

export type BuildTool =
  | { readonly kind: 'none' }
  | { readonly kind: 'place'; readonly kit: Kit }
  | { readonly kind: 'tie'; readonly choice: TieChoice; readonly first: HeldPoint | undefined };

const kNone: BuildTool = { kind: 'none' };
const kTurn_rad = Math.PI / 12;

export class Build {
  readonly mode = new Signal<DragMode>('push');
  readonly tool = new Signal<BuildTool>(kNone);
  readonly dragging = new Signal(false); // whether a body is being moved by the pointer
  readonly pushing = new Signal(false); // whether the arrow of a push is being drawn
  /** Controller of the creatures that are put down; '' leaves the choice to the room. */
  readonly controller = new Signal('');
  yaw_rad = 0; // of the body that is put down next
  /** Where the next body is put down when the keyboard chooses the place; undefined while the pointer does. */
  readonly keyboard_spot = new Signal<Spot | undefined>(undefined);

  toggle_mode(): void {
    this.mode.set(this.mode.value === 'push' ? 'grab' : 'push');
  }

  /** Chooses a body to put down. @param at first place for the keyboard; undefined: the pointer chooses */
  take(kit: Kit, at?: Spot): void {
    this.yaw_rad = 0;
    this.keyboard_spot.set(at);
    this.tool.set({ kind: 'place', kit });
  }

  take_tie(choice: TieChoice): void {
    this.tool.set({ kind: 'tie', choice, first: undefined });
  }

  /** @return both points once there are two of different bodies; undefined before that */
  tie_point(point: HeldPoint): readonly [HeldPoint, HeldPoint, TieChoice] | undefined {
    const tool = this.tool.value;
    if (tool.kind !== 'tie') return undefined;
    const { choice, first } = tool;
    if (!first) {
      this.tool.set({ ...tool, first: point });
      return undefined;
    }
    if (first.id === point.id && first.link === point.link) return undefined;
    this.tool.set({ ...tool, first: undefined });
    return [first, point, choice];
  }

  /** @param steps of 15 degrees, counter-clockwise from above */
  turn(steps: number): void {
    this.yaw_rad = (this.yaw_rad + steps * kTurn_rad) % (2 * Math.PI);
  }

  /**
   * Puts the tool away; of a tie with one end chosen, only that end.
   * @return whether there was something to put away
   */
  end(): boolean {
    const tool = this.tool.value;
    if (tool.kind === 'none') return false;
    if (tool.kind === 'tie' && tool.first) this.tool.set({ ...tool, first: undefined });
    else this.tool.set(kNone);
    this.keyboard_spot.set(undefined);
    return true;
  }
}
