import type { CommandName } from '../../gen/commands';
import type { Client } from '../../net/client';
import type { Build } from '../../state/hand/build';
import { least_role, type NeededRole } from '../../state/room/command_rules';
import type { Selection } from '../../state/room/selection';
import type { Settings } from '../../state/room/settings';
import type { World } from '../../state/room/world';
import type { Aiming } from '../../state/hand/aim';
import type { Actions } from '../room/actions';
import type { Announcer } from '../keys/announcer';
import type { Steering } from '../character/steering';
import type { Toasts } from '../parts/toasts';

/** The parts of the page that every panel may use. */
export interface Context {
  readonly client: Client;
  readonly world: World;
  readonly selection: Selection;
  readonly settings: Settings;
  readonly build: Build;
  readonly actions: Actions;
  readonly steering: Steering;
  readonly toasts: Toasts;
  readonly aiming: Aiming;
  readonly announcer: Announcer;
}

const own_titles = new WeakMap<HTMLElement, string>();

/** Marks a control as needing a role, after its title has been set; `apply_rights` enables or disables it. */
export function needs(role: NeededRole, ...controls: HTMLElement[]): void {
  for (const control of controls) {
    control.dataset['needs'] = role;
    own_titles.set(control, control.title);
  }
}

/** Marks controls that send a command: they need the least role that may. */
export function sends(command: CommandName, ...controls: HTMLElement[]): void {
  needs(least_role(command), ...controls);
}

export function apply_rights(root: HTMLElement, world: World): void {
  for (const control of root.querySelectorAll<HTMLElement>('[data-needs]')) {
    const role = control.dataset['needs'] as NeededRole;
    const allowed = world.may(role);
    control.toggleAttribute('disabled', !allowed);
    control.title = allowed ? (own_titles.get(control) ?? '') : `Needs the ${role} role`;
  }
}
