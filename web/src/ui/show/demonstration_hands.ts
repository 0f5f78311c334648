// The effects of a demonstration in the page and in the room, and how they are taken back.
import type {
  DemonstrationStep_Overlay,
  Look,
  Pull,
  Shove,
  Throw,
} from '../../gen/promenade/v1/demonstration_pb';
import { type Command, ReferenceFrame } from '../../gen/promenade/v1/command_pb';
import type { Viewport } from '../../scene/picture/viewport';
import type { Side } from '../../state/picture/camera_views';
import type { Act, Hands } from '../../state/show/demonstration';
import { link_at } from '../../state/frames/interpolate';
import type { Span } from '../../state/recording/lookback';
import { at, heading_of, type Vec3 } from '../../state/values/quaternion';
import { rules_of, wire_name } from '../../state/room/command_rules';
import type { Member } from '../../state/room/roster';
import { torso_of } from '../../state/figure/skeleton';
import { find_subject, observed, own_task } from '../../state/show/subjects';
import type { CommandKind } from '../room/actions';
import type { Context } from '../page/context';
import { kGravity_mps2 } from '../../state/values/gravity';

const kUsualLook_m = 4.5;
const kPullEvery_ms = 60;
const kShove_s = 0.1;

/** Whether a command sends somebody elsewhere: it has to be taken back by what the scene told them to do. */
function sends_elsewhere(kind: CommandKind['case']): boolean {
  return kind === 'place' || rules_of(wire_name(kind)).steers === true;
}

interface Pulling {
  readonly id: number;
  readonly link: string;
  readonly from: Vec3; // m, world frame
  readonly by: Vec3;
  readonly pull: Pull;
  readonly begun_s: number; // of the room's clock
  sent_ms: number;
}

/** A part of the recording that is shown. */
interface Past extends Span {
  readonly speed: number;
  readonly begun_ms: number;
}

/** The moment of it that is due now, on the recording's clock. */
function shown_of({ from_ms, speed, begun_ms }: Past): number {
  return from_ms + speed * (performance.now() - begun_ms);
}

/** The state to go back to: of the page at once, of the room by commands. */
export class DemonstrationHands implements Hands {
  private readonly undo_ = new Map<string, readonly CommandKind[]>(); // by what it gives back: the first state counts
  private readonly view_;
  private readonly selected_: readonly number[];
  private readonly scene_;
  private pulling_: Pulling | undefined;
  private past_: Past | undefined;
  private speed_: number | undefined; // at which the viewer looks back; undefined: it is as it was
  private over_ = false;

  /** @param tell shows a sentence */
  constructor(
    private readonly context_: Context,
    private readonly viewport_: Viewport,
    readonly tell: (sentence: string) => void,
  ) {
    this.view_ = viewport_.cameraman.kept;
    this.selected_ = context_.selection.ids.value;
    this.scene_ = context_.world.scene.value;
  }

  find(subject: Parameters<Hands['find']>[0]): number | undefined {
    return find_subject(this.context_.world.pose, subject)?.id;
  }

  select(id: number): void {
    this.context_.selection.choose(id);
  }

  observe(id: number, link = '') {
    return observed(this.context_.world.pose, id, link);
  }

  look({ side, distanceM, part, fromM, atM }: Look, id: number | undefined): void {
    const { cameraman } = this.viewport_;
    const member = this.member(id);
    if (fromM.length === 3) cameraman.stand({ from: vec(fromM), at: vec(atM) });
    else if (member)
      cameraman.look(member, {
        side: side === '' ? undefined : (side as Side),
        part,
        distance_m: distanceM || kUsualLook_m,
      });
  }

  overlays(shown: readonly DemonstrationStep_Overlay[]): void {
    this.context_.settings.show_also(shown);
  }

  again({ from_ms, to_ms }: Span, speed: number): void {
    const { lookback } = this.context_.world;
    this.let_go(); // while looking back no command that depends on the picture can be sent
    this.past_ = { from_ms, to_ms, speed, begun_ms: performance.now() };
    if (!lookback.enter(from_ms)) return;
    lookback.playing.set(false); // it is moved on from here
    lookback.loop.set(undefined);
    this.speed_ ??= lookback.speed.value;
    lookback.speed.set(speed);
  }

  again_is_over(): boolean {
    return !this.past_ || shown_of(this.past_) >= this.past_.to_ms;
  }

  live(): void {
    const { lookback } = this.context_.world;
    this.past_ = undefined;
    lookback.live();
    if (this.speed_ !== undefined) lookback.speed.set(this.speed_);
    this.speed_ = undefined;
  }

  act(act: Exclude<Act, { case: 'again' | undefined }>, id: number | undefined): boolean {
    const member = this.member(id);
    switch (act.case) {
      case 'command':
        return this.command(act.value, member);
      case 'shove':
        return member !== undefined && this.shove(act.value, member);
      case 'throw':
        return this.throw(act.value, member);
      case 'pull':
        return member !== undefined && this.pull(act.value, member);
      default:
        return false;
    }
  }

  /** To be called with every picture. */
  update(room_s: number): void {
    const { past_: past, pulling_: pulling } = this;
    // By the clock, not by pictures: where these come slowly fewer are seen, but not for longer.
    if (past) this.context_.world.lookback.move(Math.min(past.to_ms, shown_of(past)));
    if (!pulling) return;
    const share = (room_s - pulling.begun_s) / pulling.pull.durationS;
    if (share >= 1) return this.let_go();
    if (performance.now() - pulling.sent_ms < kPullEvery_ms) return;
    pulling.sent_ms = performance.now();
    const target = pulling.from.map((x, i) => x + share * (pulling.by[i] as number));
    void this.context_.actions.ask(drag(pulling, target));
  }

  /**
   * Gives everything in the page back as it was.
   * @param keep_view where the viewer has taken the camera meanwhile
   * @return the commands that bring the room back. Characters that have left meanwhile need nothing: refusals of these
   * commands are not shown.
   */
  give_back(keep_view: boolean): readonly CommandKind[] {
    this.over_ = true;
    this.live();
    const released = this.pulling_ ? [drag(this.pulling_, [])] : [];
    this.pulling_ = undefined;
    this.give_page_back(keep_view);
    return [...released, ...[...this.undo_.values()].flat()];
  }

  private give_page_back(keep_view: boolean): void {
    const { selection, settings, world } = this.context_;
    settings.end_show();
    if (world.scene.value !== this.scene_) return; // another scene has a view and a cast of its own
    const there = this.selected_.filter((id) => world.cast.value.by_id.has(id));
    selection.ids.set(there);
    if (!keep_view) this.viewport_.cameraman.come_back(this.view_);
    else {
      settings.followed_part.set(this.view_.part);
      settings.follow.set(false);
    }
  }

  private member(id: number | undefined): Member | undefined {
    return id === undefined ? undefined : this.context_.world.pose.cast.by_id.get(id);
  }

  private send(kind: CommandKind): void {
    void this.context_.actions.send(kind);
  }

  /** Notes once how something was. */
  private keep(what: string, commands: readonly CommandKind[]): void {
    if (!this.undo_.has(what)) this.undo_.set(what, commands);
  }

  private command({ kind }: Command, member: Member | undefined): boolean {
    const { world } = this.context_;
    if (kind.case === 'setTimeScale') {
      const frame = world.frame.value;
      if (!world.can_administer || !frame || frame.viewers > 1) return false; // it is everybody's clock
      this.keep('clock', [{ case: 'setTimeScale', value: { scale: frame.time_scale } }]);
      this.send({ case: 'setTimeScale', value: { scale: kind.value.scale } });
      return true;
    }
    const scene = this.scene_?.scene;
    if (!member || !scene) return false;
    const { id, style, style_edited, controller } = member;
    if (kind.case === 'setStyle') {
      if (style_edited) return false; // it could not be given back
      this.keep(`style ${id}`, [{ case: 'setStyle', value: { character: id, style } }]);
    }
    if (kind.case === 'setController')
      this.keep(`controller ${id}`, [
        { case: 'setController', value: { character: id, controller } },
      ]);
    if (kind.case && sends_elsewhere(kind.case))
      this.keep(`task ${id}`, own_task(scene, world.cast.value, id));
    // Only commands that name a character get here: the server has checked that.
    const value = { ...kind.value, character: id };
    this.send({ case: kind.case, value } as CommandKind);
    return true;
  }

  private shove({ link, bodyWeights, towardDeg, towardM }: Shove, member: Member): boolean {
    const { actions, world } = this.context_;
    const seen = this.observe(member.id);
    if (!seen) return false;
    const { place } = seen;
    const [dx, dy] = [(towardM[0] ?? 0) - place[0], (towardM[1] ?? 0) - place[1]];
    const heading = heading_of(world.pose.poses, member.pose + 3);
    const angle = towardM.length === 2 ? Math.atan2(dy, dx) : heading + (towardDeg * Math.PI) / 180;
    const wanted_n = bodyWeights * member.skeleton.mass * kGravity_mps2;
    const force = Math.min(wanted_n, 0.999 * actions.most_push_n);
    const forceN = [force * Math.cos(angle), force * Math.sin(angle), 0];
    const torso = member.skeleton.links[torso_of(member.skeleton)]?.name ?? '';
    const value = { character: member.id, link: link || torso, forceN };
    this.send({ case: 'push', value: { ...value, durationS: kShove_s } });
    return true;
  }

  private throw({ thing, frame, positionM, velocityMps, yawDeg }: Throw, member?: Member): boolean {
    const { actions, world } = this.context_;
    let [c, s, ox, oy, oz] = [1, 0, 0, 0, 0];
    let turn = 0;
    if (frame === ReferenceFrame.CHARACTER) {
      const seen = member && this.observe(member.id);
      if (!member || !seen) return false;
      turn = heading_of(world.pose.poses, member.pose + 3);
      [c, s] = [Math.cos(turn), Math.sin(turn)];
      [ox, oy] = seen.place;
      oz = this.viewport_.ground_below(ox, oy)?.point[2] ?? 0;
    }
    const turned = ([x = 0, y = 0, z = 0]: readonly number[]) => [c * x - s * y, s * x + c * y, z];
    const [x = 0, y = 0, z = 0] = turned(positionM);
    const value = {
      thing,
      positionM: [ox + x, oy + y, oz + z],
      velocityMps: velocityMps.length === 3 ? turned(velocityMps) : [],
      yawRad: turn + (yawDeg * Math.PI) / 180,
    };
    void actions.send({ case: 'spawnThing', value }).then((outcome) => {
      if (outcome.kind !== 'done') return;
      const remove: CommandKind = { case: 'remove', value: { character: outcome.character } };
      if (this.over_) void actions.ask(remove);
      else this.undo_.set(`thing ${outcome.character}`, [remove]);
    });
    return true;
  }

  private pull(pull: Pull, member: Member): boolean {
    const { world } = this.context_;
    const { links } = member.skeleton;
    const link = Math.max(
      0,
      links.findIndex(({ name }) => name === pull.link),
    );
    const p = link_at(world.pose, member, link);
    const { poses } = world.pose;
    const heading = heading_of(poses, member.pose + 3);
    const [c, s] = [Math.cos(heading), Math.sin(heading)];
    const [x = 0, y = 0, z = 0] = pull.byM;
    this.pulling_ = {
      id: member.id,
      link: links[link]?.name ?? '',
      from: [at(poses, p), at(poses, p + 1), at(poses, p + 2)],
      by: [c * x - s * y, s * x + c * y, z],
      pull,
      begun_s: world.scene_time_s(world.frame.value?.tick ?? 0),
      sent_ms: -Infinity,
    };
    return true;
  }

  private let_go(): void {
    const { pulling_: pulling } = this;
    this.pulling_ = undefined;
    if (pulling) void this.context_.actions.ask(drag(pulling, []));
  }
}

function drag({ id, link }: Pulling, targetM: readonly number[]): CommandKind {
  return { case: 'drag', value: { character: id, link, targetM: [...targetM] } };
}

function vec([x = 0, y = 0, z = 0]: readonly number[]): Vec3 {
  return [x, y, z];
}
