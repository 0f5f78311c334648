// What a pointer does in the picture: select, push, send, draw a way. Orbit and pan are the camera's.
import { kPoseSize } from '../state/kinematics';
import type { WorldPose } from '../state/interpolate';
import { meet_plane, pick, type Hit, type Ray } from '../state/picking';
import { at, rotate, type Vec3 } from '../state/quaternion';
import type { CameraRig } from './camera_rig';

export interface PointerActions {
  select(id: number, add: boolean): void;
  hover(id: number | undefined): void;
  push(id: number, link: string, point: Vec3, force: Vec3): void;
  send(to: Vec3): void;
  walk(points: readonly Vec3[]): void;
  has_selection(): boolean;
  draws_path(): boolean;
  path_done(): void;
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
  | { readonly kind: 'push'; readonly hit: Hit; drag: Vec3 }
  | { readonly kind: 'path'; readonly points: Vec3[] };

/** What the scene draws of the tool in hand. */
export type ToolSketch =
  | { readonly kind: 'push'; readonly from: Vec3; readonly to: Vec3; readonly force_n: number }
  | { readonly kind: 'path'; readonly points: readonly Vec3[] };

const kNewtonPerMetre = 300;
const kMost_n = 2000;
const kClick_px = 6;
const kPathStep_m = 0.35;
const kFinger_m = 0.05;

export class PointerTools {
  private tool_: Tool = { kind: 'idle' };
  private pointer_: { x: number; y: number; touch: boolean } | undefined;
  private readonly pressed_ = new Set<number>(); // ids of pointers
  private first_: PointerEvent | undefined; // of the pointer that has the tool
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
    element_.addEventListener('contextmenu', (event) => event.preventDefault(), options);
  }

  /** Lets go of what is being dragged, without doing it. @return whether there was something */
  cancel(): boolean {
    const busy = this.tool_.kind === 'push' || this.tool_.kind === 'path';
    this.tool_ = { kind: 'idle' };
    this.first_ = undefined;
    this.rig_.controls.enabled = true;
    return busy;
  }

  /** Once a picture: what is under the pointer, and the arrow or way in hand. */
  update(): ToolSketch | undefined {
    const tool = this.tool_;
    switch (tool.kind) {
      case 'idle':
        this.actions_.hover(
          this.pointer_ && !this.pointer_.touch
            ? pick(this.pose_, this.ray(this.pointer_), 0)?.member.id
            : undefined,
        );
        return undefined;
      case 'pressed':
        return undefined;
      case 'path':
        return { kind: 'path', points: tool.points };
      case 'push': {
        const from = this.anchor(tool.hit);
        if (!from || !this.pointer_) return undefined;
        tool.drag = this.drag(from, this.ray(this.pointer_));
        const to: Vec3 = [from[0] + tool.drag[0], from[1] + tool.drag[1], from[2] + tool.drag[2]];
        return { kind: 'push', from, to, force_n: Math.hypot(...tool.drag) * kNewtonPerMetre };
      }
    }
  }

  dispose(): void {
    this.abort_.abort();
  }

  private press(event: PointerEvent): void {
    if (event.target !== this.element_ || event === this.handed_) return;
    if (event.isPrimary) this.pressed_.clear(); // nobody told how those ended
    this.pressed_.add(event.pointerId);
    if (this.pressed_.size > 1) {
      this.give_to_camera();
      return;
    }
    this.first_ = event;
    this.pointer_ = { x: event.clientX, y: event.clientY, touch: event.pointerType === 'touch' };
    const ray = this.ray(this.pointer_);
    const ground = meet_plane(ray, 0);
    const draws =
      event.button === 0 &&
      ground &&
      (this.actions_.draws_path() || (event.shiftKey && this.actions_.has_selection()));
    const hit =
      event.button === 0 ? pick(this.pose_, ray, this.pointer_.touch ? kFinger_m : 0) : undefined;
    if (draws && !(hit && event.shiftKey)) {
      this.tool_ = { kind: 'path', points: [ground] };
      this.rig_.controls.enabled = false;
      return;
    }
    this.tool_ = { kind: 'pressed', hit, x: event.clientX, y: event.clientY, button: event.button };
    if (hit) this.rig_.controls.enabled = false;
  }

  /** Two fingers are the camera's, and nothing comes of what the first of them was at. */
  private give_to_camera(): void {
    const { first_: first, pointer_: spot } = this;
    const unseen = !this.rig_.controls.enabled; // the camera was not told of the first
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
      this.tool_ = tool.hit ? { kind: 'push', hit: tool.hit, drag: [0, 0, 0] } : { kind: 'idle' };
    } else if (tool.kind === 'path') {
      const point = meet_plane(this.ray(this.pointer_), 0);
      const last = tool.points[tool.points.length - 1];
      if (point && last && Math.hypot(point[0] - last[0], point[1] - last[1]) > kPathStep_m)
        tool.points.push(point);
    }
  }

  private lose(event: PointerEvent): void {
    this.pressed_.delete(event.pointerId);
    if (event.pointerId === this.first_?.pointerId) this.cancel();
  }

  private release(event: PointerEvent): void {
    this.pressed_.delete(event.pointerId);
    if (event.pointerId !== this.first_?.pointerId) return;
    const tool = this.tool_;
    this.cancel();
    if (event.pointerType === 'touch') this.pointer_ = undefined;
    switch (tool.kind) {
      case 'idle':
        return;
      case 'pressed':
        this.click(tool.hit, tool.button, event);
        return;
      case 'path':
        if (tool.points.length > 1) this.actions_.walk(tool.points);
        this.actions_.path_done();
        return;
      case 'push': {
        const force = tool.drag.map((metres) => metres * kNewtonPerMetre) as unknown as Vec3;
        if (Math.hypot(...force) > 1) {
          const { member, link, point } = tool.hit;
          this.actions_.push(member.id, member.skeleton.links[link]?.name ?? '', point, force);
        }
        return;
      }
    }
  }

  private click(hit: Hit | undefined, button: number, event: PointerEvent): void {
    if (hit) {
      this.actions_.select(hit.member.id, event.shiftKey);
      return;
    }
    const ground = meet_plane(this.ray({ x: event.clientX, y: event.clientY }), 0);
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

  /** The point that was taken hold of, where it is now. */
  private anchor(hit: Hit): Vec3 | undefined {
    const member = this.pose_.cast.by_id.get(hit.member.id);
    if (!member) return undefined;
    const p = member.pose + hit.link * kPoseSize;
    const turned = [0, 0, 0];
    rotate(this.pose_.poses, p + 3, ...hit.point, turned, 0);
    return [0, 1, 2].map((k) => at(this.pose_.poses, p + k) + at(turned, k)) as unknown as Vec3;
  }

  /** The pull in metres: level when one looks down on it, in the plane of the picture otherwise. */
  private drag(from: Vec3, ray: Ray): Vec3 {
    const { from: eye, at: target } = this.rig_.view;
    const look: Vec3 = [target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]];
    const level = -look[2] / Math.hypot(...look) > 0.2;
    const normal: Vec3 = level ? [0, 0, 1] : look;
    const facing =
      normal[0] * ray.direction[0] + normal[1] * ray.direction[1] + normal[2] * ray.direction[2];
    const gap = [0, 1, 2].reduce(
      (sum, k) => sum + (normal[k] as number) * ((from[k] as number) - (ray.origin[k] as number)),
      0,
    );
    const t = gap / facing;
    if (!Number.isFinite(t) || t < 0) return [0, 0, 0];
    const d = [0, 1, 2].map(
      (k) => (ray.origin[k] as number) + (ray.direction[k] as number) * t - (from[k] as number),
    ) as unknown as Vec3;
    const k = Math.min(1, kMost_n / kNewtonPerMetre / (Math.hypot(...d) || 1));
    return [d[0] * k, d[1] * k, d[2] * k];
  }
}
