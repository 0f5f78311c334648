// The tools of the pointer in the picture: select, push, drag, send, draw a path, place, tie. Orbit and pan are in
// camera_rig.ts.
import { link_at, type WorldPose } from '../../state/frames/interpolate';
import type { BuildTool, DragMode, Spot } from '../../state/hand/build';
import { drag_target } from '../../state/hand/drag';
import { pick, type Hit, type Ray } from '../../state/hand/picking';
import { push_force, type PushPlane } from '../../state/hand/push';
import { at, rotate, type Vec3 } from '../../state/values/quaternion';
import type { HeldPoint } from '../../state/room/roster';
import type { CameraRig } from '../camera/camera_rig';

export interface PointerActions {
  select(id: number, add: boolean): void;
  hover(id: number | undefined): void;
  push(id: number, link: string, point: Vec3, force: Vec3): void;
  /** The strongest push that this viewer may give, N. */
  most_push_n(): number;
  /** Told when a push begins to be drawn, and when that ends. */
  pushing(on: boolean): void;
  send(to: Vec3): void;
  /** Says what can be done with a thing, for somebody or, where `wanted`, with the ground. @return whether it does */
  offer(event: MouseEvent, hit: number | undefined, wanted: boolean): boolean;
  walk(points: readonly Vec3[]): void;
  has_selection(): boolean;
  draws_path(): boolean;
  path_done(): void;
  mode(): DragMode;
  build_tool(): BuildTool;
  /** @param target m, world frame; undefined ends the drag */
  drag(hit: Hit, target: Vec3 | undefined): void;
  place(spot: Spot): void;
  /** Turns the body that is about to be put down. */
  turn(steps: number): void;
  tie(point: HeldPoint): void;
  /** Where a ray meets the ground. */
  ground(ray: Ray): { readonly point: Vec3; readonly distance: number } | undefined;
}

type Tool =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'pressed';
      readonly hit: Hit | undefined;
      readonly x: number;
      readonly y: number;
      readonly button: number;
    }
  | { readonly kind: 'push'; readonly hit: Hit; plane: PushPlane; force: Vec3 }
  | { readonly kind: 'drag'; readonly hit: Hit; held: Vec3; level: boolean }
  | { readonly kind: 'path'; readonly points: Vec3[] };

/** The marks of the tool in use in the picture. */
export type ToolSketch =
  | {
      readonly kind: 'push';
      readonly from: Vec3; // m, world frame
      readonly to: Vec3;
      readonly level: boolean; // along the ground, and not in the plane of the picture
      readonly drawn: Vec3; // under the pointer, in the plane of the picture
      readonly force: Vec3; // N, world frame
      readonly label: { readonly x: number; readonly y: number }; // px on the picture: where the pointer is
    }
  | { readonly kind: 'path'; readonly points: readonly Vec3[] }
  | { readonly kind: 'spot'; readonly point: Vec3 }
  | { readonly kind: 'drag'; readonly from: Vec3; readonly to: Vec3; readonly level: boolean }
  | { readonly kind: 'place'; readonly spot: Spot }
  | { readonly kind: 'tie'; readonly from: Vec3 | undefined; readonly to: Vec3 | undefined };

const kNearer = 0.9; // factor on the distance to a dragged body for each notch of the wheel

const kClick_px = 8; // a press that moves less is a click, of a mouse and of a finger
const kLongPress_ms = 500; // as the right button
const kLeastPush_n = 1e-3;
const kPathStep_m = 0.35;
const kFinger_m = 0.05;

export class PointerTools {
  private tool_: Tool = { kind: 'idle' };
  private pointer_: { x: number; y: number; touch: boolean } | undefined;
  private readonly pressed_ = new Set<number>(); // ids of pointers
  private first_: PointerEvent | undefined; // the press of the pointer that the tool follows
  private handed_: PointerEvent | undefined;
  private readonly abort_ = new AbortController();

  constructor(
    private readonly element_: HTMLElement,
    private readonly rig_: CameraRig,
    private readonly pose_: WorldPose,
    private readonly actions_: PointerActions,
  ) {
    const options = { signal: this.abort_.signal, capture: true };
    const host = element_.parentElement ?? element_;
    host.addEventListener('pointerdown', (event) => this.press(event), options);
    window.addEventListener('pointermove', (event) => this.move(event), options);
    window.addEventListener('pointerup', (event) => this.release(event), options);
    window.addEventListener('pointercancel', (event) => this.lose(event), options);
    element_.addEventListener('pointerleave', () => (this.pointer_ = undefined), options);
    host.addEventListener('wheel', (event) => this.wheel(event), { ...options, passive: false });
    element_.addEventListener('contextmenu', (event) => event.preventDefault(), options);
    for (const kind of ['keydown', 'keyup'] as const)
      window.addEventListener(kind, (event) => this.shift(event), options);
  }

  /** Whether something is being pushed, dragged or drawn. */
  get busy(): boolean {
    const { kind } = this.tool_;
    return kind === 'push' || kind === 'path' || kind === 'drag';
  }

  /** The ground under the pointer, m, world frame; undefined where there is none, or no pointer. */
  get pointed(): Vec3 | undefined {
    return this.pointer_ && this.actions_.ground(this.ray(this.pointer_))?.point;
  }

  /** Cancels a push, a drag or a path. @return whether there was one */
  cancel(): boolean {
    const { busy, tool_: tool } = this;
    if (tool.kind === 'drag') this.actions_.drag(tool.hit, undefined);
    if (tool.kind === 'push') this.actions_.pushing(false);
    this.tool_ = { kind: 'idle' };
    this.first_ = undefined;
    this.rig_.controls.enabled = true;
    return busy;
  }

  /** Called once a picture: finds what is under the pointer. @return the arrow, path or drag to show */
  update(): ToolSketch | undefined {
    const tool = this.tool_;
    switch (tool.kind) {
      case 'idle':
        return this.hover();
      case 'pressed':
        return this.actions_.build_tool().kind === 'none' ? undefined : this.hover();
      case 'drag': {
        const from = this.anchor(tool.hit);
        if (!from || !this.pointer_) return undefined;
        const to = drag_target(this.ray(this.pointer_), tool.held, this.look, tool.level);
        if (!to) return undefined;
        tool.held = to;
        this.actions_.drag(tool.hit, to);
        return { kind: 'drag', from, to, level: tool.level };
      }
      case 'path':
        return { kind: 'path', points: tool.points };
      case 'push': {
        const from = this.anchor(tool.hit);
        return from && this.pointer_ ? this.draw_push(tool, from, this.pointer_) : undefined;
      }
    }
  }

  dispose(): void {
    this.abort_.abort();
  }

  /** The mark of the chosen tool under the pointer. */
  private hover(): ToolSketch | undefined {
    const { pointer_: pointer } = this;
    const ray = pointer && this.ray(pointer);
    const tool = this.actions_.build_tool();
    const hit = ray && !pointer.touch ? pick(this.pose_, ray, 0) : undefined;
    this.actions_.hover(tool.kind === 'place' ? undefined : hit?.member.id);
    switch (tool.kind) {
      case 'none':
        return undefined;
      case 'place': {
        const spot = ray && this.spot(ray);
        return spot && { kind: 'place', spot };
      }
      case 'tie': {
        const to = ray && (this.tie_end(ray)?.world ?? undefined);
        return { kind: 'tie', from: tool.first && this.world_of(tool.first), to };
      }
    }
  }

  /** Where a body would be put down: on the thing or the ground under the pointer. */
  private spot(ray: Ray): Spot | undefined {
    const ground = this.actions_.ground(ray);
    const hit = pick(this.pose_, ray, 0, ({ thing }) => thing);
    if (hit && (!ground || hit.distance < ground.distance)) {
      const { origin: o, direction: d } = ray;
      const along = (k: 0 | 1 | 2) => o[k] + d[k] * hit.distance;
      return { point: [along(0), along(1), along(2)], on_ground: false };
    }
    return ground && { point: ground.point, on_ground: true };
  }

  private tie_end(ray: Ray): { readonly point: HeldPoint; readonly world: Vec3 } | undefined {
    const ground = this.actions_.ground(ray);
    const hit = pick(this.pose_, ray, this.pointer_?.touch ? kFinger_m : 0);
    if (hit && (!ground || hit.distance < ground.distance)) {
      const point = { id: hit.member.id, link: hit.link, point: hit.point };
      const world = this.world_of(point);
      return world && { point, world };
    }
    return ground && { point: { id: 0, link: 0, point: ground.point }, world: ground.point };
  }

  /** Where a held point is now. */
  private world_of({ id, link, point }: HeldPoint): Vec3 | undefined {
    if (id === 0) return point;
    const member = this.pose_.cast.by_id.get(id);
    return member && point_on(this.pose_, link_at(this.pose_, member, link), point);
  }

  private wheel(event: WheelEvent): void {
    if (event.target !== this.element_) return;
    const { tool_: tool } = this;
    if (tool.kind === 'drag' && this.pointer_) {
      // Along the ray: nearer or further.
      const { origin } = this.ray(this.pointer_);
      const k = event.deltaY < 0 ? 1 / kNearer : kNearer;
      tool.held = [0, 1, 2].map(
        (i) => (origin[i] as number) + ((tool.held[i] as number) - (origin[i] as number)) * k,
      ) as unknown as Vec3;
    } else if (this.actions_.build_tool().kind === 'place') {
      this.actions_.turn(event.deltaY < 0 ? 1 : -1);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private get look(): Vec3 {
    const { from: eye, at: target } = this.rig_.view;
    return [target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]];
  }

  private press(event: PointerEvent): void {
    if (event.target !== this.element_ || event === this.handed_) return;
    if (event.isPrimary) this.pressed_.clear(); // the ends of these presses were not reported
    this.pressed_.add(event.pointerId);
    if (this.pressed_.size > 1) {
      this.give_to_camera();
      return;
    }
    this.first_ = event;
    this.pointer_ = { x: event.clientX, y: event.clientY, touch: event.pointerType === 'touch' };
    const ray = this.ray(this.pointer_);
    const building = this.actions_.build_tool().kind !== 'none';
    const ground = this.actions_.ground(ray)?.point;
    const draws =
      !building &&
      event.button === 0 &&
      ground &&
      (this.actions_.draws_path() || (event.shiftKey && this.actions_.has_selection()));
    const hit =
      event.button === 0 && !building
        ? pick(this.pose_, ray, this.pointer_.touch ? kFinger_m : 0)
        : undefined;
    if (draws && !(hit && event.shiftKey)) {
      this.tool_ = { kind: 'path', points: [ground] };
      this.rig_.controls.enabled = false;
      return;
    }
    this.tool_ = { kind: 'pressed', hit, x: event.clientX, y: event.clientY, button: event.button };
    if (hit) this.rig_.controls.enabled = false;
  }

  /** Two fingers move the camera; a push, drag or path that the first finger had begun is cancelled. */
  private give_to_camera(): void {
    const { first_: first, pointer_: spot } = this;
    const unseen = !this.rig_.controls.enabled; // the camera's controls have not seen the first finger
    this.cancel();
    if (!first || !spot || !unseen) return;
    const { pointerId, pointerType, isPrimary, button } = first;
    this.handed_ = new PointerEvent('pointerdown', {
      ...{ pointerId, pointerType, isPrimary, button },
      ...{ clientX: spot.x, clientY: spot.y },
    });
    this.element_.dispatchEvent(this.handed_);
  }

  private move(event: PointerEvent): void {
    const heeded =
      this.tool_.kind === 'idle'
        ? event.target === this.element_
        : event.pointerId === this.first_?.pointerId;
    if (!heeded) return;
    this.pointer_ = { x: event.clientX, y: event.clientY, touch: event.pointerType === 'touch' };
    const tool = this.tool_;
    if (
      tool.kind === 'pressed' &&
      Math.hypot(event.clientX - tool.x, event.clientY - tool.y) > kClick_px
    ) {
      this.tool_ = this.tool_for(tool.hit, event.shiftKey);
    } else if (tool.kind === 'drag') {
      tool.level = event.shiftKey;
    } else if (tool.kind === 'path') {
      const point = this.actions_.ground(this.ray(this.pointer_))?.point;
      const last = tool.points[tool.points.length - 1];
      if (point && last && Math.hypot(point[0] - last[0], point[1] - last[1]) > kPathStep_m)
        tool.points.push(point);
    }
  }

  /** Starts what a drag from here does: a push, a drag, a path, or nothing. */
  private tool_for(hit: Hit | undefined, shift: boolean): Tool {
    if (!hit) return { kind: 'idle' };
    if (!hit.member.thing && this.actions_.mode() === 'push') {
      this.actions_.pushing(true);
      return { kind: 'push', hit, plane: push_plane(shift), force: [0, 0, 0] };
    }
    const held = this.anchor(hit);
    return held ? { kind: 'drag', hit, held, level: shift } : { kind: 'idle' };
  }

  private lose(event: PointerEvent): void {
    this.pressed_.delete(event.pointerId);
    if (event.pointerId === this.first_?.pointerId) this.cancel();
  }

  private release(event: PointerEvent): void {
    this.pressed_.delete(event.pointerId);
    if (event.pointerId !== this.first_?.pointerId) return;
    const tool = this.tool_;
    const pressed_ms = this.first_.timeStamp;
    this.cancel();
    if (event.pointerType === 'touch') this.pointer_ = undefined;
    switch (tool.kind) {
      case 'idle':
      case 'drag': // let go of by cancel()
        return;
      case 'pressed':
        this.click(tool.hit, tool.button, event, pressed_ms);
        return;
      case 'path':
        if (tool.points.length > 1) this.actions_.walk(tool.points);
        this.actions_.path_done();
        return;
      case 'push': {
        if (Math.hypot(...tool.force) < kLeastPush_n) return;
        const { member, link, point } = tool.hit;
        this.actions_.push(member.id, member.skeleton.links[link]?.name ?? '', point, tool.force);
        return;
      }
    }
  }

  private click(
    hit: Hit | undefined,
    button: number,
    event: PointerEvent,
    pressed_ms: number,
  ): void {
    const ray = this.ray({ x: event.clientX, y: event.clientY });
    const building = this.actions_.build_tool();
    if (building.kind !== 'none' && button === 0) {
      if (building.kind === 'place') {
        const spot = this.spot(ray);
        if (spot) this.actions_.place(spot);
      } else {
        const end = this.tie_end(ray);
        if (end) this.actions_.tie(end.point);
      }
      return;
    }
    const wanted = button === 2 || event.timeStamp - pressed_ms > kLongPress_ms;
    if (!event.shiftKey && this.actions_.offer(event, hit?.member.id, wanted)) return;
    if (hit) {
      this.actions_.select(hit.member.id, event.shiftKey);
      return;
    }
    const ground = this.actions_.ground(ray)?.point;
    if (ground && (button === 2 || button === 0) && this.actions_.has_selection())
      this.actions_.send(ground);
  }

  private ray({ x, y }: { x: number; y: number }): Ray {
    const box = this.element_.getBoundingClientRect();
    return this.rig_.ray(
      ((x - box.left) / box.width) * 2 - 1,
      1 - ((y - box.top) / box.height) * 2,
    );
  }

  /** Present place of the point at which the body was taken hold of. */
  private anchor({ member, link, point }: Hit): Vec3 | undefined {
    return this.world_of({ id: member.id, link, point });
  }

  /**
   * The arrow of a push. In the plane of the picture its head is under the pointer; on the ground it is as long, and
   * what leads up on the screen leads away.
   */
  private draw_push(
    tool: Extract<Tool, { kind: 'push' }>,
    from: Vec3,
    pointer: { readonly x: number; readonly y: number },
  ): ToolSketch | undefined {
    const box = this.element_.getBoundingClientRect();
    const held = this.rig_.project(from, box.width, box.height);
    const head = drag_target(this.ray(pointer), from, this.look, false);
    if (!held || !head) return undefined;
    const label = { x: pointer.x - box.left, y: pointer.y - box.top };
    tool.force = push_force(
      [label.x - held.x, held.y - label.y],
      this.rig_.axes,
      tool.plane,
      tool.hit.member.skeleton.mass,
      this.actions_.most_push_n(),
    );
    const length = Math.hypot(head[0] - from[0], head[1] - from[1], head[2] - from[2]);
    const k = length / (Math.hypot(...tool.force) || 1);
    const [x, y, z] = tool.force;
    const to: Vec3 = [from[0] + k * x, from[1] + k * y, from[2] + k * z];
    const level = tool.plane === 'ground';
    return { kind: 'push', from, to, level, drawn: head, force: tool.force, label };
  }

  /** Shift chooses the other plane, at once and not only when the pointer moves again. */
  private shift(event: KeyboardEvent): void {
    if (event.key !== 'Shift') return;
    const { tool_: tool } = this;
    const held = event.type === 'keydown';
    if (tool.kind === 'push') tool.plane = push_plane(held);
    else if (tool.kind === 'drag') tool.level = held;
  }
}

function push_plane(shift: boolean): PushPlane {
  return shift ? 'screen' : 'ground';
}

/** A point of the link whose pose starts at p, m, world frame. */
export function point_on({ poses }: Pick<WorldPose, 'poses'>, p: number, point: Vec3): Vec3 {
  const turned = [0, 0, 0];
  rotate(poses, p + 3, ...point, turned, 0);
  return [0, 1, 2].map((k) => at(poses, p + k) + at(turned, k)) as unknown as Vec3;
}
