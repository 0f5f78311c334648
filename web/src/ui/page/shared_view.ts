// Brings the page to the view that its address gives, and keeps the address at the view that is seen.
import type { Viewport } from '../../scene/picture/viewport';
import type { Cast } from '../../state/room/roster';
import { kOverlays } from '../../state/room/settings';
import { type Place, write_place } from './address';
import type { Context } from './context';
import { load_scene } from '../room/load_scene';

const kMostWatched = 8;

/**
 * The bodies that an address means by its ids. A room counts on from scene to scene; where the scene was loaded anew and nobody has
 * such an id, it is the place in the scene.
 */
export function those_meant(ids: readonly number[], { by_id, members }: Cast): readonly number[] {
  const present = ids.filter((id) => by_id.has(id));
  if (present.length > 0) return present;
  const in_order = members.map(({ id }) => id).sort((a, b) => a - b);
  return ids.flatMap((id) => in_order[id - 1] ?? []);
}

/** Asks the server for details of the selected characters, or of the nearest ones while overlays show measurements. */
export function watch_selection(
  { actions, client, selection, settings, toasts, world }: Context,
  viewport: Viewport,
  { scene, selected }: Place,
): void {
  let asked = '';
  const refresh = () => {
    const { com, capture, support, target, forces } = settings.overlays.value;
    const measures = com || capture || support || target || forces;
    const chosen = actions.characters.slice(0, kMostWatched);
    const ids = chosen.length > 0 ? chosen : measures ? viewport.nearest(kMostWatched) : [];
    const key = ids.join();
    if (key === asked) return;
    asked = key;
    client.watch(ids);
  };
  let wanted = selected;
  selection.ids.watch((ids) => {
    if (ids.length > 0) wanted = [];
  });
  let joins = false; // until the first roster of a connection
  world.hello.watch(() => (joins = true));
  const is_there = () => scene === undefined || world.scene.value?.scene?.name === scene;
  world.cast.watch((cast) => {
    if (wanted.length > 0 && cast.members.length > 0 && is_there()) {
      const present = those_meant(wanted, cast);
      wanted = [];
      if (present.length > 0) selection.ids.set(present);
    }
    const before = selection.ids.value.length;
    // A body that is looked back at may have left since.
    const shown = world.lookback.on.value ? world.pose.cast : cast;
    if (cast.version >= 0) selection.keep((id) => cast.by_id.has(id) || shown.by_id.has(id));
    if (joins && cast.version >= 0) {
      joins = false;
      if (selection.ids.value.length < before)
        toasts.show('The room has restarted. The characters you had selected are gone.');
    }
    refresh();
  });
  selection.ids.watch(refresh);
  settings.overlays.watch(refresh);
  setInterval(refresh, 1000);
}

const kVisitors_ms = 2000; // within which the server tells of the other visitors
const kKept = 'promenade.address'; // in the session's storage: what the page itself wrote last

/**
 * Whether a scene may be loaded without asking.
 * @param viewers of the room, with this one @param others visitors who are known to be here
 * @param own whether the page itself wrote the address, as before it was loaded anew: then somebody has changed the room since
 */
export function loads_unasked(
  administers: boolean,
  viewers: number,
  others: number,
  own: boolean,
): boolean {
  return administers && viewers <= 1 && others === 0 && !own;
}

/**
 * Handles an address that names another scene than the room shows: an admin who is alone in the room gets it
 * loaded, other admins are asked. All others are told.
 */
export function offer_scene({ actions, toasts, world }: Context, wanted: string | undefined): void {
  if (!wanted) return;
  const own = sessionStorage.getItem(kKept) === location.search;
  let late: ReturnType<typeof setTimeout> | undefined;
  let decided = false;
  const look = (in_time: boolean) => {
    const [frame, info] = [world.frame.value, world.scene.value];
    if (decided || !frame || !info) return;
    // A frame may count only visitors who were here before this one; their names come after it.
    if (in_time && world.company.visitors.value.length === 0) {
      late ??= setTimeout(() => look(false), kVisitors_ms);
      return;
    }
    decided = true;
    clearTimeout(late);
    if (info.scene?.name === wanted) return;
    const scene = info.scenes.find(({ name }) => name === wanted);
    const load = () => void load_scene({ actions, toasts }, wanted);
    const differs = `This link is for the scene “${scene?.title}”; the room shows “${info.scene?.title ?? ''}”.`;
    const { length: others } = world.company.others;
    if (!scene)
      toasts.show(`The link names a scene that this server does not have: ${wanted}.`, 'error');
    else if (loads_unasked(world.can_administer, frame.viewers, others, own)) load();
    else if (!world.can_administer) toasts.show(`${differs} An admin can load it.`);
    else toasts.show(differs, 'info', { text: 'Load it for everyone', run: load, stays: true });
  };
  world.frame.watch(() => look(true));
  world.company.visitors.watch(() => look(true));
}

export function keep_address(
  { selection, settings, world }: Context,
  viewport: Viewport,
  room: () => string,
): void {
  setInterval(() => {
    const frame = world.frame.value;
    if (!frame) return;
    const search = write_place({
      scene: world.scene.value?.scene?.name,
      // A scene that directs the camera does so for a visitor who opens the address, too.
      view: viewport.cameraman.directed ? undefined : viewport.rig.view,
      follow: settings.follow.value,
      about: viewport.rig.followed,
      part: settings.followed_part.value,
      selected: selection.ids.value,
      room: room(),
      overlays: kOverlays.flatMap(({ key }) => (settings.overlays.value[key] ? [key] : [])),
      paused: frame.paused,
      time_s: world.scene_time_s(frame.tick),
    });
    if (search !== location.search) history.replaceState(null, '', search || location.pathname);
    sessionStorage.setItem(kKept, search);
  }, 700);
}
