// The protocol's rules of commands besides their fields (proto/promenade/v1/rules.proto), for the page.
import { type CommandName, type CommandRules, kCommands } from '../../gen/commands';
import type { CommandKind } from '../../net/messages';
import type { MarkKind } from '../recording/marks';

/** The roles that a command can need; each may do what those before it may. */
const kNeeded = ['player', 'operator', 'admin'] as const;
export type NeededRole = (typeof kNeeded)[number];

/** The name of a command in the protocol: set_style of setStyle. */
export function wire_name(name: CommandKind['case']): CommandName {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as CommandName;
}

/** @param command its name in the protocol; of one that only a newer server knows nothing is known */
export function rules_of(command: string): CommandRules {
  return (kCommands as Readonly<Record<string, CommandRules | undefined>>)[command] ?? {};
}

const kMarks: Readonly<Record<NonNullable<CommandRules['mark']>, MarkKind>> = {
  ...({ PUSHED: 'push', EDITED: 'edit', JOINED: 'join', LEFT: 'leave' } as const),
  SCENE_LOADED: 'scene',
};

/** The mark that a command leaves in the recording. */
export function mark_of(command: string): MarkKind | undefined {
  const { mark } = rules_of(command);
  return mark && kMarks[mark];
}

/** The least role that may send a command about anybody. @param of_all whether it names nobody where it could */
export function role_for_anybody(command: CommandName, of_all = false): NeededRole {
  const { needs } = kCommands[command];
  if (needs === 'ADMIN' || (needs === 'ADMIN_FOR_ALL' && of_all)) return 'admin';
  return command === 'push' ? 'player' : 'operator'; // players push everybody, gently
}

/** The least role that may send a command about somebody; a player about the own character. */
export function least_role(command: CommandName, of_all = false): NeededRole {
  return kCommands[command].players ? 'player' : role_for_anybody(command, of_all);
}

/** The greatest of these roles. */
export function greatest_role(roles: readonly NeededRole[]): NeededRole {
  return kNeeded[Math.max(0, ...roles.map((role) => kNeeded.indexOf(role)))] as NeededRole;
}
