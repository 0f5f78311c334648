// The address carries all that makes a view, so that it can be shared.
import type { View } from '../../scene/camera/camera_rig';
import type { Vec3 } from '../../state/values/quaternion';
import { kOverlays, type OverlayKey } from '../../state/room/settings';

export interface Place {
  readonly scene: string | undefined;
  readonly view: View | undefined;
  readonly follow: boolean; // whether the camera of `view` goes along with the selected character, or with the only one
  readonly about?: Vec3 | undefined; // the followed point when the camera was at `view`, m, world frame
  readonly part?: string | undefined; // of the body, that is followed; undefined: the whole
  readonly selected: readonly number[];
  readonly room: string;
  readonly overlays?: readonly OverlayKey[] | undefined; // those shown; undefined: as the visitor has them
  readonly paused?: boolean | undefined;
  readonly time_s?: number | undefined; // since the scene began, s
}

const kNone = 'none';

function numbers(text: string | null): number[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map(Number)
    .filter(Number.isFinite);
}

function overlays_of(text: string | null): readonly OverlayKey[] | undefined {
  if (text === null) return undefined;
  const named = text.split(',');
  return kOverlays.flatMap(({ key }) => (named.includes(key) ? [key] : []));
}

/** Seconds from a number in the address; undefined where there is none. */
function seconds(text: string | null): number | undefined {
  const value = Number(text);
  return text && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/**
 * Reads a query such as ?scene=steps&camera=-7,-5,3,0,0,1&follow=1&select=2&show=com,names&paused=1&time=12.5. Values
 * that cannot be read are left out.
 */
export function read_place(search: string): Place {
  const query = new URLSearchParams(search);
  const camera = numbers(query.get('camera'));
  const [a, b, c, d, e, f] = camera as [number, number, number, number, number, number];
  const view: View | undefined =
    camera.length === 6 ? { from: [a, b, c], at: [d, e, f] } : undefined;
  const about = numbers(query.get('about')) as [number, number, number];
  return {
    scene: query.get('scene') ?? undefined,
    view,
    follow: query.get('follow') === '1',
    about: about.length === 3 ? about : undefined,
    part: query.get('part') || undefined,
    selected: numbers(query.get('select')).filter((id) => Number.isInteger(id) && id > 0),
    room: query.get('room') ?? '',
    overlays: overlays_of(query.get('show')),
    paused: query.get('paused') === '1' || undefined,
    time_s: seconds(query.get('time')),
  };
}

/** Whether an address leads to something: a room, or a view of the first one. */
export function names_a_view({ room, scene, view, follow, selected, paused }: Place): boolean {
  const named = room !== '' || scene !== undefined || selected.length > 0;
  return named || view !== undefined || follow || paused === true;
}

/** The token of an invitation in the fragment of an address, as in #invite=4f2a; empty: there is none. */
export function read_invitation(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, '')).get('invite') ?? '';
}

export function write_place(place: Place): string {
  const parts: string[] = [];
  if (place.room) parts.push(`room=${encodeURIComponent(place.room)}`);
  if (place.scene) parts.push(`scene=${encodeURIComponent(place.scene)}`);
  const list = (values: readonly number[]) => values.map((v) => Number(v.toFixed(2))).join(',');
  if (place.view) parts.push(`camera=${list([...place.view.from, ...place.view.at])}`);
  if (place.follow) parts.push('follow=1');
  if (place.follow && place.view && place.about) parts.push(`about=${list(place.about)}`);
  if (place.follow && place.part) parts.push(`part=${encodeURIComponent(place.part)}`);
  if (place.selected.length > 0) parts.push(`select=${place.selected.join(',')}`);
  if (place.overlays) parts.push(`show=${place.overlays.join(',') || kNone}`);
  if (place.paused) parts.push('paused=1');
  if (place.paused && place.time_s !== undefined) parts.push(`time=${place.time_s.toFixed(3)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}
