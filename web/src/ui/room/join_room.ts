// The objects that exist before the page has any visible part.
import { Client } from '../../net/client';
import { Aiming } from '../../state/hand/aim';
import { Build } from '../../state/hand/build';
import { lineup_of } from '../../state/room/lineup';
import { Selection } from '../../state/room/selection';
import { Settings } from '../../state/room/settings';
import { World } from '../../state/room/world';
import { Steering } from '../character/steering';
import { Announcer } from '../keys/announcer';
import { names_a_view, type Place } from '../page/address';
import type { Context } from '../page/context';
import { FirstView } from '../page/first_view';
import { fetch_when_idle } from '../page/late_parts';
import { Toasts } from '../parts/toasts';
import { Actions } from './actions';
import { Membership } from './membership';

/** The way to the room, and what all parts of the page share. */
export interface Joined {
  readonly context: Context;
  readonly membership: Membership;
  readonly first_view: FirstView;
}

/** Begins to join the room of an address, and makes what all parts of the page share. */
export function join_room(place: Place): Joined {
  const settings = new Settings(window.localStorage, place.overlays);
  settings.followed_part.set(place.part ?? '');
  const selection = new Selection();
  const world = new World();
  world.scene.watch((info) => settings.lend_overlay(lineup_of(info?.scene) && 'names'));
  const toasts = new Toasts();
  const first_view = new FirstView(world, fetch_when_idle);
  const client = new Client((message) => world.receive(message));
  const membership = new Membership(client, place.room);
  // First of all: the worker joins the room while the picture is being set up here, which takes longer.
  membership.join(!names_a_view(place));

  const actions = new Actions(client, world, selection, toasts);
  const steering = new Steering(world, actions);
  const build = new Build();
  const context: Context = {
    ...{ client, world, selection, settings, build, actions, steering, toasts },
    ...{ aiming: new Aiming(), announcer: new Announcer() },
  };
  return { context, membership, first_view };
}
