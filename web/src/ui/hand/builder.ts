// The commands of building: put down, drag, tie, release, remove, move.
import { create } from '@bufbuild/protobuf';
import { Tie_Kind, TieSchema } from '../../gen/promenade/v1/creature_pb';
import type { Build, Spot, TieChoice } from '../../state/hand/build';
import { link_at } from '../../state/frames/interpolate';
import type { Hit } from '../../state/hand/picking';
import { at, rotate, rotate_inverse, type Vec3 } from '../../state/values/quaternion';
import { origin_on } from '../../state/figure/rest_pose';
import type { HeldPoint, Member } from '../../state/room/roster';
import type { Selection } from '../../state/room/selection';
import type { World } from '../../state/room/world';
import { type Actions, explain } from '../room/actions';
import type { Toasts } from '../parts/toasts';

const kDragEvery_ms = 34; // no more than 30 a second
const kAbove = 0.004; // of the body's reach: a body that is put on a thing starts this much above it
const kStiffness_npkg = 400; // N/m for each kg of the lighter body: a spring that swings about 3 times a second

interface Drag {
  readonly hit: Hit;
  sent_ms: number;
  waiting: Vec3 | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  refused: boolean;
}

export class Builder {
  /** Told the body whose drag has ended without being let go: it was refused, or another body was taken hold of. */
  on_lost: (id: number) => void = () => {};
  private drag_: Drag | undefined;

  constructor(
    private readonly world_: World,
    private readonly selection_: Selection,
    private readonly build_: Build,
    private readonly actions_: Actions,
    private readonly toasts_: Toasts,
  ) {}

  /** Puts down the chosen body; it stays chosen, so that more can be put down. */
  async place({ point, on_ground }: Spot): Promise<void> {
    const tool = this.build_.tool.value;
    if (tool.kind !== 'place') return;
    const { name, thing, skeleton } = tool.kit;
    const [x, y] = point;
    const yaw = this.build_.yaw_rad;
    const lifted = (body: NonNullable<typeof skeleton>): Vec3 =>
      origin_on(body, [x, y, point[2] + kAbove * body.reach]);
    const outcome = await this.actions_.send(
      thing
        ? {
            case: 'spawnThing',
            value: {
              thing: name,
              positionM: on_ground || !skeleton ? [x, y] : [...lifted(skeleton)],
              yawRad: yaw,
            },
          }
        : {
            case: 'spawn',
            value: {
              body: name,
              positionM: [x, y],
              headingRad: yaw,
              controller: this.build_.controller.value,
            },
          },
    );
    if (outcome.kind === 'done' && outcome.character) this.selection_.choose(outcome.character);
  }

  /**
   * Pulls a body to a target.
   * @param target m, world frame; undefined ends the drag, and the body keeps its velocity
   */
  drag(hit: Hit, target: Vec3 | undefined): void {
    const held = this.drag_?.hit.member.id;
    const other = held !== undefined && held !== hit.member.id; // one by keys, one by the mouse
    if (!target) {
      if (!other) this.end_drag();
      return;
    }
    if (other) {
      this.end_drag();
      this.on_lost(held);
    }
    const drag = (this.drag_ ??= {
      hit,
      sent_ms: -Infinity,
      waiting: undefined,
      timer: undefined,
      refused: false,
    });
    if (drag.refused) return;
    drag.waiting = target;
    if (drag.timer !== undefined) return;
    const wait_ms = drag.sent_ms + kDragEvery_ms - performance.now();
    drag.timer = setTimeout(
      () => {
        drag.timer = undefined;
        drag.sent_ms = performance.now();
        if (drag.waiting) this.send_drag(drag, drag.waiting);
      },
      Math.max(0, wait_ms),
    );
  }

  private end_drag(): void {
    const drag = this.drag_;
    this.drag_ = undefined;
    if (!drag) return;
    clearTimeout(drag.timer);
    if (!drag.refused) this.send_drag(drag, []);
  }

  private send_drag(drag: Drag, target: readonly number[]): void {
    const { member, link, point } = drag.hit;
    const value = {
      character: member.id,
      link: member.skeleton.links[link]?.name ?? '',
      pointM: [...point],
      targetM: [...target],
    };
    void this.actions_.ask({ case: 'drag', value }).then((outcome) => {
      if (outcome.kind === 'done' || drag.refused) return;
      // A refusal is shown once a drag, not for each of its commands.
      drag.refused = true;
      const text = outcome.kind === 'refused' ? explain(outcome.error) : outcome.reason;
      this.toasts_.show(text, 'error');
      if (this.drag_ === drag) this.on_lost(member.id);
    });
  }

  /** Notes the first end of a tie; with the second end, ties the two. */
  tie_point(point: HeldPoint): void {
    const ends = this.build_.tie_point(point);
    if (ends) this.tie(...ends);
  }

  /** Ties two bodies where they are now: the first body's point to the same place on the second. */
  tie_members(a: Member, b: Member, choice: TieChoice): void {
    const { poses } = this.world_.pose;
    const root: Vec3 = [0, 1, 2].map((k) => at(poses, a.pose + k)) as unknown as Vec3;
    const away = [0, 1, 2].map((k) => (root[k] as number) - at(poses, b.pose + k));
    const local = [0, 0, 0];
    rotate_inverse(poses, b.pose + 3, ...(away as [number, number, number]), local, 0);
    const on_b = choice === 'spring' ? ([0, 0, 0] as const) : (local as unknown as Vec3);
    this.tie({ id: a.id, link: 0, point: [0, 0, 0] }, { id: b.id, link: 0, point: on_b }, choice);
  }

  private tie(a: HeldPoint, b: HeldPoint, choice: TieChoice): void {
    // A weld keeps the bodies' present places; the other kinds bring the two points together.
    const [from, to] = [this.anchor(a), this.anchor(choice === 'weld' ? this.same_place(a, b) : b)];
    if (choice === 'grip') {
      void this.actions_.send({ case: 'grip', value: { a: from, b: to } });
      return;
    }
    const kind = {
      ball: Tie_Kind.BALL,
      hinge: Tie_Kind.HINGE,
      weld: Tie_Kind.WELD,
      spring: Tie_Kind.SPRING,
    }[choice];
    const mass = Math.min(...[a, b].flatMap(({ id }) => this.member(id)?.skeleton.mass ?? []));
    const spring = choice === 'spring';
    const tie = create(TieSchema, {
      a: from,
      b: to,
      kind,
      axis: choice === 'hinge' ? [...this.up_in(a)] : [],
      lengthM: spring ? this.distance(a, b) : 0,
      stiffnessNpm: spring ? kStiffness_npkg * mass : 0,
    });
    void this.actions_.send({ case: 'tie', value: { tie } });
  }

  release(tie: number): void {
    void this.actions_.send({ case: 'release', value: { id: tie } });
  }

  /** Ends all ties and grips of the selected bodies. */
  release_selected(): void {
    for (const character of this.selection_.ids.value)
      void this.actions_.send({ case: 'release', value: { character } });
  }

  remove_selected(): void {
    for (const character of this.selection_.ids.value)
      void this.actions_.send({ case: 'remove', value: { character } });
  }

  /** Moves a thing by an offset, m in the world frame, and turns it about the vertical. */
  nudge(member: Member, dx: number, dy: number, dz: number, turn_rad: number): void {
    const { poses } = this.world_.pose;
    const p = member.pose;
    const forward = [0, 0, 0];
    rotate(poses, p + 3, 1, 0, 0, forward, 0);
    void this.actions_.send({
      case: 'place',
      value: {
        character: member.id,
        positionM: [at(poses, p) + dx, at(poses, p + 1) + dy, at(poses, p + 2) + dz],
        headingRad: Math.atan2(forward[1] as number, forward[0] as number) + turn_rad,
      },
    });
  }

  private member(id: number): Member | undefined {
    return this.world_.cast.value.by_id.get(id);
  }

  private anchor({ id, link, point }: HeldPoint) {
    return { id, link: this.member(id)?.skeleton.links[link]?.name ?? '', pointM: [...point] };
  }

  private place_of({ id, link, point }: HeldPoint): Vec3 {
    const member = this.member(id);
    if (!member) return point;
    const { pose } = this.world_;
    const { poses } = pose;
    const p = link_at(pose, member, link);
    const out = [0, 0, 0];
    rotate(poses, p + 3, ...point, out, 0);
    return [0, 1, 2].map((k) => at(poses, p + k) + (out[k] as number)) as unknown as Vec3;
  }

  /** The place of one point, as a point of the link that another point is on. */
  private same_place(point: HeldPoint, on: HeldPoint): HeldPoint {
    const place = this.place_of(point);
    const member = this.member(on.id);
    if (!member) return { ...on, point: place };
    const { pose } = this.world_;
    const { poses } = pose;
    const p = link_at(pose, member, on.link);
    const away = [0, 1, 2].map((k) => (place[k] as number) - at(poses, p + k));
    const local = [0, 0, 0];
    rotate_inverse(poses, p + 3, ...(away as [number, number, number]), local, 0);
    return { ...on, point: local as unknown as Vec3 };
  }

  private distance(a: HeldPoint, b: HeldPoint): number {
    const [p, q] = [this.place_of(a), this.place_of(b)];
    return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  }

  /** The upward vertical in the frame of a link. */
  private up_in({ id, link }: HeldPoint): Vec3 {
    const member = this.member(id);
    if (!member) return [0, 0, 1];
    const out = [0, 0, 0];
    const { pose } = this.world_;
    rotate_inverse(pose.poses, link_at(pose, member, link) + 3, 0, 0, 1, out, 0);
    const length = Math.hypot(...out);
    return out.map((x) => x / length) as unknown as Vec3;
  }
}
