import { Role } from '../../gen/promenade/v1/wire_pb';

const kRoles: Readonly<Record<string, Role>> = {
  viewer: Role.VIEWER,
  player: Role.PLAYER,
  operator: Role.OPERATOR,
  admin: Role.ADMIN,
};

/** The role of a name; undefined: there is none of this name. */
export function role_of(name: string | undefined): Role | undefined {
  return name ? kRoles[name] : undefined;
}
