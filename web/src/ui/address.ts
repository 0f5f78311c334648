// The address carries scene, camera, whether the camera follows, and selection, so that a view can be shared.
import type { View } from '../scene/camera_rig';

export interface Place {
  readonly scene: string | undefined;
  readonly view: View | undefined;
  readonly follow: boolean; // whether the camera of `view` goes along with the selected character, or with the only one
  readonly selected: readonly number[];
  readonly room: string;
}

function numbers(text: string | null): number[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map(Number)
    .filter(Number.isFinite);
}

/** Reads a query such as ?scene=steps&camera=-7,-5,3,0,0,1&follow=1&select=2. Values that cannot be read are left out. */
export function read_place(search: string): Place {
  const query = new URLSearchParams(search);
  const camera = numbers(query.get('camera'));
  const [a, b, c, d, e, f] = camera as [number, number, number, number, number, number];
  const view: View | undefined =
    camera.length === 6 ? { from: [a, b, c], at: [d, e, f] } : undefined;
  return {
    scene: query.get('scene') ?? undefined,
    view,
    follow: query.get('follow') === '1',
    selected: numbers(query.get('select')).filter((id) => Number.isInteger(id) && id > 0),
    room: query.get('room') ?? '',
  };
}

/** Whether an address leads to something: a room, or a view of the first one. */
export function names_a_view({ room, scene, view, selected }: Place): boolean {
  return room !== '' || scene !== undefined || view !== undefined || selected.length > 0;
}

/** The token of an invitation in the fragment of an address, as in #invite=4f2a; empty: there is none. */
export function read_invitation(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, '')).get('invite') ?? '';
}

export function write_place(place: Place): string {
  const parts: string[] = [];
  if (place.room) parts.push(`room=${encodeURIComponent(place.room)}`);
  if (place.scene) parts.push(`scene=${encodeURIComponent(place.scene)}`);
  if (place.view)
    parts.push(
      `camera=${[...place.view.from, ...place.view.at].map((v) => Number(v.toFixed(2))).join(',')}`,
    );
  if (place.view && place.follow) parts.push('follow=1');
  if (place.selected.length > 0) parts.push(`select=${place.selected.join(',')}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}
