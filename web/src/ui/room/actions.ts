// Sends commands to the room for all panels and tools: checks the viewer's rights first and shows refusals.
import type { Client } from '../../net/client';
import type { CommandInit, CommandOutcome } from '../../net/messages';
import { ErrorCode, type Error as WireError } from '../../gen/promenade/v1/wire_pb';
import type { Vec3 } from '../../state/values/quaternion';
import { kMe } from '../../state/recording/marks';
import { mark_of } from '../../state/visitors/act_words';
import { is_walking } from '../../state/room/controllers';
import { sentence } from '../../state/values/sentence';
import type { Selection } from '../../state/room/selection';
import type { World } from '../../state/room/world';
import type { Toasts } from '../parts/toasts';

export type CommandKind = NonNullable<CommandInit['kind']>;

/** What may be asked of the room while the past is shown: nothing that goes by the picture. */
const kWhileLookingBack: ReadonlySet<CommandKind['case']> = new Set([
  ...(['loadScene', 'pause', 'resume', 'singleStep', 'setTimeScale'] as const),
  ...(['setStyle', 'setBody', 'setController', 'release'] as const),
] as const);
const kTooMany_points = 256;

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

/** The name of a command in the protocol: set_style of setStyle. */
function wire_name(name: string | undefined): string {
  return (name ?? '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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
    if (this.world_.lookback.on.value && !kWhileLookingBack.has(kind.case) && !lets_go)
      return { kind: 'lost', reason: kLookingBack };
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
    const named = kind.value && 'character' in kind.value ? kind.value.character : 0;
    if (mark) this.world_.recording.credit(mark, spawned || (named ?? 0), tick, kMe);
  }

  /** Why this viewer may not send a command; empty: it may. */
  private reason_not_to(kind: CommandKind): string {
    const world = this.world_;
    const rights = world.rights.value;
    if (rights?.muted) return sentence(rights.text) || 'You may only watch for now.';
    const of_all = kind.case === 'reset' && !kind.value.character;
    const may = rights ? rights.commands.includes(wire_name(kind.case)) : world.can_command;
    if (!may || (of_all && !world.can_administer)) {
      const role = world.can_command ? 'admin' : 'operator';
      return `This needs the ${role} role. Enter an access token under Connection to get it.`;
    }
    // Of pushes and of adding somebody the server tells the limits.
    if (world.own_character === undefined || kind.case === 'push' || kind.case === 'spawn')
      return '';
    const named = kind.value && 'character' in kind.value ? kind.value.character : 0;
    if (named === world.own_character) return '';
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
    return this.world_.rights.value?.pushForceN || Infinity;
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
    const stride = Math.ceil(drawn.length / kTooMany_points);
    const points = drawn
      .filter((_, i) => i % stride === 0 || i === drawn.length - 1)
      .slice(-kTooMany_points)
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
    const { by_id } = this.world_.cast.value;
    return this.selection_.ids.value.filter((id) => by_id.get(id)?.thing === false);
  }

  /** Ids of the selected characters whose controller walks: only these can be sent somewhere. */
  get walkers(): readonly number[] {
    const { by_id } = this.world_.cast.value;
    return this.characters.filter((id) => is_walking(by_id.get(id)?.controller ?? ''));
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
