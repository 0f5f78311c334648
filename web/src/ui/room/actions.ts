// Sends commands to the room for all panels and tools: checks the viewer's rights first and shows refusals.
import { kPath_points, kPush_force_n } from '../../gen/commands';
import type { Client } from '../../net/client';
import type { CommandKind, CommandOutcome } from '../../net/messages';
import { ErrorCode, type Error as WireError } from '../../gen/promenade/v1/wire_pb';
import type { Vec3 } from '../../state/values/quaternion';
import { kMe } from '../../state/recording/marks';
import {
  least_role,
  mark_of,
  role_for_anybody,
  rules_of,
  wire_name,
} from '../../state/room/command_rules';
import type { Member } from '../../state/room/roster';
import { sentence } from '../../state/values/sentence';
import type { Selection } from '../../state/room/selection';
import type { World } from '../../state/room/world';
import type { Toasts } from '../parts/toasts';

export type { CommandKind };

export const kLookingBack = 'You are looking back. Press “Live” (B) first.';

/** A refusal as a sentence for the user. */
export function explain(error: WireError): string {
  if (error.message) return sentence(error.message);
  switch (error.code) {
    case ErrorCode.FORBIDDEN:
      return 'You do not have the rights for this. An access token (under Connection) can give them.';
    case ErrorCode.RATE_LIMITED:
      return 'Too many commands at once; wait a moment and try again.';
    case ErrorCode.BUSY:
      return 'The room is busy; try again in a moment.';
    default:
      return error.field
        ? `${error.field} is ${error.value}; allowed: ${error.allowed}.`
        : 'The server refused this and gave no reason. Try again.';
  }
}

/** The id of the character or thing that a command names; 0: none. */
function named_by({ value }: CommandKind): number {
  return ('character' in value && value.character) || 0;
}

export class Actions {
  constructor(
    private readonly client_: Client,
    private readonly world_: World,
    private readonly selection_: Selection,
    private readonly toasts_: Toasts,
  ) {}

  /** Sends a command. The caller shows the user how it ended. */
  async ask(kind: CommandKind): Promise<CommandOutcome> {
    const lets_go = kind.case === 'drag' && !kind.value.targetM?.length;
    const in_past = rules_of(wire_name(kind.case)).in_past || lets_go;
    if (this.world_.lookback.on.value && !in_past) return { kind: 'lost', reason: kLookingBack };
    if (this.world_.status.value.kind === 'online') {
      const reason = this.reason_not_to(kind);
      if (reason) return { kind: 'lost', reason };
    }
    const outcome = await this.client_.command({ kind });
    if (outcome.kind === 'done') this.note(kind, outcome.tick, outcome.character);
    return outcome;
  }

  /** Notes in the recording that it was this viewer. */
  private note(kind: CommandKind, tick: number, spawned: number): void {
    const mark = mark_of(wire_name(kind.case));
    if (mark) this.world_.recording.credit(mark, spawned || named_by(kind), tick, kMe);
  }

  /** Why this viewer may not send a command; empty: it may. */
  private reason_not_to(kind: CommandKind): string {
    const world = this.world_;
    const rights = world.rights.value;
    if (rights?.muted) return sentence(rights.text) || 'You may only watch for now.';
    const command = wire_name(kind.case);
    const named = named_by(kind);
    const rules = rules_of(command);
    // A player may add a character and command that one; commands about others need more.
    const role = rules.makes ? least_role(command) : role_for_anybody(command, named === 0);
    const may = rights?.commands.includes(command) ?? world.may(role);
    const of_all = rules.needs === 'ADMIN_FOR_ALL' && named === 0; // the list does not tell of this
    if (!may || (of_all && !world.may(role)))
      return `This needs the ${role} role. Enter an access token under Connection to get it.`;
    if (world.own_character === undefined || named === world.own_character) return '';
    // Of these the server tells the limits.
    if (role_for_anybody(command) === 'player' || rules.makes) return '';
    return world.own_character === 0
      ? 'You can steer and change only a character of your own. Add one under Crowd.'
      : 'As a player you can steer and change only your own character.';
  }

  async send(kind: CommandKind): Promise<CommandOutcome> {
    const outcome = await this.ask(kind);
    if (outcome.kind === 'refused') this.toasts_.show(explain(outcome.error), 'error');
    else if (outcome.kind === 'lost') this.toasts_.show(outcome.reason, 'error');
    return outcome;
  }

  /** The strongest push that this viewer may give, N. */
  get most_push_n(): number {
    return this.world_.rights.value?.pushForceN || kPush_force_n.most;
  }

  /** Pushes with a force, N, world frame; one that is stronger than this viewer may is made as strong as allowed. */
  push(character: number, link: string, point: Vec3, force: Vec3): Promise<CommandOutcome> {
    const asked = Math.hypot(...force);
    const most = 0.999 * this.most_push_n; // rounding does not take it over the limit
    const by = asked > most ? most / asked : 1;
    const forceN = force.map((part) => by * part);
    return this.send({
      case: 'push',
      value: { character, link, pointM: [...point], forceN, durationS: 0.1 },
    });
  }

  stop(): void {
    void this.each(this.walkers, (character) => ({ case: 'stop', value: { character } }));
  }

  /** Sends the selected characters to a place; several are spread around it. */
  go_to(x: number, y: number): Promise<readonly CommandOutcome[]> {
    const ids = this.walkers;
    const spread = ids.length > 1 ? 0.45 * Math.sqrt(ids.length) : 0;
    const sent = ids.map((character, i) => {
      const a = (i / ids.length) * 2 * Math.PI;
      const points = [{ xM: x + spread * Math.cos(a), yM: y + spread * Math.sin(a) }];
      return this.send({ case: 'followPath', value: { character, path: { points } } });
    });
    return Promise.all(sent);
  }

  /**
   * Sends the selected characters along a drawn path; a path that ends where it began is walked round and round.
   * @param least_round points of a path that may be one of these
   */
  walk(drawn: readonly Vec3[], least_round = 9): Promise<readonly CommandOutcome[]> {
    const { most } = kPath_points;
    const stride = Math.ceil(drawn.length / most);
    const points = drawn
      .filter((_, i) => i % stride === 0 || i === drawn.length - 1)
      .slice(-most)
      .map(([x, y]) => ({ xM: x, yM: y }));
    const first = drawn[0];
    const last = drawn[drawn.length - 1];
    const closed =
      drawn.length >= least_round &&
      first !== undefined &&
      last !== undefined &&
      Math.hypot(first[0] - last[0], first[1] - last[1]) < 0.9;
    return this.each(this.walkers, (character) => ({
      case: 'followPath',
      value: { character, path: { points, closed } },
    }));
  }

  /**
   * Ids of the selected characters, without things. A body that was just put down counts as neither until the
   * roster has it.
   */
  get characters(): readonly number[] {
    return this.those_selected(({ thing }) => !thing);
  }

  /** Ids of the selected characters that go where they are told. */
  get walkers(): readonly number[] {
    return this.those_selected(({ family }) => family.walks);
  }

  /** Ids of the selected characters that have a style. */
  get styled(): readonly number[] {
    return this.those_selected(({ family }) => family.styled);
  }

  private those_selected(fits: (member: Member) => boolean): readonly number[] {
    const { by_id } = this.world_.cast.value;
    return this.selection_.ids.value.filter((id) => {
      const member = by_id.get(id);
      return member !== undefined && fits(member);
    });
  }

  for_selected(make: (character: number) => CommandKind): void {
    void this.each(this.characters, make);
  }

  private each(
    ids: readonly number[],
    make: (character: number) => CommandKind,
  ): Promise<readonly CommandOutcome[]> {
    return Promise.all(ids.map((id) => this.send(make(id))));
  }
}
