import type { Client } from '../../net/client';
import type { Build } from '../../state/hand/build';
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
export function needs(role: 'player' | 'operator' | 'admin', ...controls: HTMLElement[]): void {
  for (const control of controls) {
    control.dataset['needs'] = role;
    own_titles.set(control, control.title);
  }
}

/** Whether this viewer may do what needs a role. */
export function holds(role: string | undefined, world: World): boolean {
  if (role === 'admin') return world.can_administer;
  return role === 'player' ? world.can_play : world.can_command;
}

export function apply_rights(root: HTMLElement, world: World): void {
  for (const control of root.querySelectorAll<HTMLElement>('[data-needs]')) {
    const role = control.dataset['needs'];
    const allowed = holds(role, world);
    control.toggleAttribute('disabled', !allowed);
    control.title = allowed
      ? (own_titles.get(control) ?? '')
      : `Needs the ${control.dataset['needs']} role`;
  }
}
