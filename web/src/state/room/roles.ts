import { Role } from '../../gen/promenade/v1/wire_pb';

/** The name of a role, as the server writes it and as people read it. */
export function role_name(role: Role | undefined): string {
  return role ? Role[role].toLowerCase() : 'unknown';
}

/** The role of a name; undefined: there is none of this name. */
export function role_of(name: string | undefined): Role | undefined {
  return Role[(name ?? '').toUpperCase() as keyof typeof Role] || undefined;
}
