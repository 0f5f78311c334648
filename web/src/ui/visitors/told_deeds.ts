// Tells what other visitors change in the room: a toast for each of them and each kind of change, however many.
import { rules_of } from '../../state/room/command_rules';
import { deed_words, names_scene, names_whom } from '../../state/visitors/act_words';
import type { Deed } from '../../state/visitors/company';
import { name_of } from '../../state/recording/marks';
import type { Cast } from '../../state/room/roster';
import type { Context } from '../page/context';

const kTogether_ms = 5000; // changes of one kind by one visitor that follow within this time are told together

const kAfter_ms = 300; // what belongs to a deed, as the roster or the scene, may come so much later

interface Told {
  readonly names: Map<number, string>; // by id of the character or thing
  last_ms: number;
}

/** @param away whether the picture is covered, as by the lobby: what others do in the room is not told then */
export function tell_of_deeds(context: Context, away: () => boolean): void {
  const { toasts, world } = context;
  const tell_loaded = tell_of_scenes(context);
  const told = new Map<string, Told>();
  let casts: readonly Cast[] = []; // the last two: a body that was removed is in the one before
  world.cast.watch((cast) => (casts = [cast, ...casts.slice(0, 1)]));
  const name = (id: number) => {
    const member = casts.map(({ by_id }) => by_id.get(id)).find((one) => one);
    return member ? name_of(member) : 'somebody';
  };
  const scene = (wanted: string) =>
    world.scene.value?.scenes.find((one) => one.name === wanted)?.title || wanted;
  const with_names = (deed: Deed, what: string) => {
    const key = `${deed.id} ${what}`;
    for (const [old, { last_ms }] of told)
      if (deed.received_ms - last_ms >= kTogether_ms) told.delete(old);
    const group = told.get(key) ?? { names: new Map<number, string>(), last_ms: 0 };
    group.last_ms = deed.received_ms;
    if (deed.character !== 0) group.names.set(deed.character, name(deed.character));
    told.set(key, group);
    const text = `${deed.name} ${deed_words(what, [...group.names.values()])}`;
    toasts.tell(text, { key, color: deed.color });
  };
  world.company.deed.watch((deed) => {
    if (!deed || deed.mine || away()) return;
    const { deed: what, makes } = rules_of(deed.command);
    if (!what) return;
    if (names_whom(what)) {
      // A character or thing that was made comes with the roster, a moment later.
      if (makes && casts[0]?.by_id.has(deed.character) === false)
        return void setTimeout(() => with_names(deed, what), kAfter_ms);
      return with_names(deed, what);
    }
    const words = deed_words(what, [], scene(deed.scene));
    if (names_scene(what)) return tell_loaded(deed, words);
    toasts.tell(`${deed.name} ${words}`, { key: `${deed.id} ${what}`, color: deed.color });
  });
}

/**
 * Says that a new scene ended the selection, and which visitor loaded it: in one toast.
 * @return to be called when another visitor has loaded a scene
 */
function tell_of_scenes({
  selection,
  toasts,
  world,
}: Context): (deed: Deed, words: string) => void {
  let before: string | undefined;
  let loaded: { readonly deed: Deed; readonly words: string } | undefined;
  let ended = false; // the selection
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    const scene = world.scene.value?.scene;
    const gone = ended ? ' The characters you had selected are gone.' : '';
    if (loaded) {
      const { deed, words } = loaded;
      const text = `${deed.name} ${words}${gone && `.${gone}`}`;
      toasts.tell(text, { key: `${deed.id} ${deed.command}`, color: deed.color });
    } else {
      toasts.show(`The scene is now “${scene?.title || scene?.name}”.${gone}`);
    }
    loaded = undefined;
    ended = false;
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(tell, kAfter_ms);
  };
  world.scene.watch((info) => {
    const scene = info?.scene;
    if (!scene) return;
    if (before !== undefined && scene.name !== before && selection.first !== undefined) {
      ended = true;
      soon();
    }
    before = scene.name;
  });
  return (deed, words) => {
    loaded = { deed, words };
    soon();
  };
}
