// What the browser tests see of the page: plain data, nothing that acts.
import { kPoseSize } from '../state/kinematics';
import type { Viewport } from '../scene/viewport';
import type { Context } from './context';
import type { Editors } from './editor/editors';
import { role_name } from './connection_panel';

export interface PageState {
  readonly connection: string;
  readonly role: string;
  readonly scene: string | undefined;
  readonly tick: number;
  readonly paused: boolean;
  readonly time_scale: number;
  readonly characters: number;
  readonly fps: number;
  readonly draw_calls: number;
  readonly triangles: number;
  readonly selected: readonly number[];
  readonly positions: readonly {
    readonly id: number;
    readonly x: number;
    readonly y: number;
    readonly z: number;
  }[];
  readonly latency_ms: number | undefined;
  readonly delay_ms: number;
  readonly details: readonly {
    readonly id: number;
    readonly desired_velocity: readonly number[];
    readonly com_velocity: readonly number[];
    readonly pushed: boolean;
    readonly received_ms: number;
    readonly path: number;
    readonly state: string;
    readonly asked_step_time: number;
    readonly phase: number;
  }[];
}

export interface Hook {
  state(): PageState;
  /** Where a character is on the picture, in page pixels: its chest. */
  locate(id: number): { x: number; y: number } | undefined;
  /** When the last message came in which the desired velocity of the watched differed from the one before. */
  intent_changed_ms(): number;
  /** When the room last said that an edit of a style or a body was in effect. */
  edit_acknowledged_ms(): number;
}

declare global {
  interface Window {
    __promenade?: Hook;
  }
}

export function install_hook(
  { world, selection }: Context,
  viewport: Viewport,
  host: HTMLElement,
  editors: Editors,
): void {
  let intent = '';
  let intent_changed_ms = 0;
  world.details.watch((all) => {
    const now = [...all.values()]
      .map(({ details }) => Math.hypot(...details.desiredVelocityMps).toFixed(2))
      .join();
    if (now === intent) return;
    intent = now;
    intent_changed_ms = [...all.values()][0]?.received_ms ?? 0;
  });
  window.__promenade = {
    intent_changed_ms: () => intent_changed_ms,
    edit_acknowledged_ms: () => editors.acknowledged_ms,
    state: () => ({
      connection: world.status.value.kind,
      role: role_name(world.hello.value?.role),
      scene: world.scene.value?.scene?.name,
      tick: world.frame.value?.tick ?? 0,
      paused: world.frame.value?.paused ?? false,
      time_scale: world.frame.value?.time_scale ?? 1,
      characters: world.pose.cast.members.length,
      fps: viewport.fps,
      draw_calls: viewport.stage.draw_calls,
      triangles: viewport.stage.renderer.info.render.triangles,
      selected: selection.ids.value,
      positions: world.pose.cast.members.map(({ id, pose }) => {
        const [x = 0, y = 0, z = 0] = world.pose.poses.subarray(pose, pose + 3);
        return { id, x, y, z };
      }),
      latency_ms: world.stats.value?.latency_ms,
      delay_ms: world.delay_ms,
      details: [...world.details.value.values()].map(({ details, received_ms }) => ({
        id: details.id,
        desired_velocity: details.desiredVelocityMps,
        com_velocity: details.comVelocityMps,
        pushed: details.pushN.length > 0,
        received_ms,
        path: details.path.length,
        state: details.state,
        asked_step_time: details.askedStepTimeS,
        phase: details.phase,
      })),
    }),
    locate(id) {
      const member = world.pose.cast.by_id.get(id);
      if (!member) return undefined;
      const torso = Math.max(
        0,
        member.skeleton.links.findIndex(({ name }) => name === 'torso'),
      );
      const p = member.pose + torso * kPoseSize;
      const [x = 0, y = 0, z = 0] = world.pose.poses.subarray(p, p + 3);
      const spot = viewport.rig.project([x, y, z], host.clientWidth, host.clientHeight);
      if (!spot) return undefined;
      const box = host.getBoundingClientRect();
      return { x: box.left + spot.x, y: box.top + spot.y };
    },
  };
}
