// Tells screen readers what happens in the picture, where the visitor asks for it, and what the picture shows.
import { type Event, Event_Kind } from '../../gen/promenade/v1/wire_pb';
import { name_of } from '../../state/recording/marks';
import { happening_of, Happenings } from '../../state/visitors/happenings';
import { kFlag } from '../../net/frame';
import type { Context } from '../page/context';

const kEvery_ms = 250;
const kLeap_ms = 3000; // the picture has jumped further than this: what lies between was not seen

/** The activity of a character, in a word. @param flags of kFlag */
function doing(flags: number): string {
  if (flags & kFlag.fallen) return 'fallen';
  if (flags & kFlag.limp) return 'limp';
  if (flags & kFlag.holding) return 'holding a pose';
  return flags & kFlag.standing ? 'standing' : 'walking';
}

/** The selection in words, with the activity of its first character. */
export function selection_words({ selection, world }: Context): string {
  const { cast } = world.pose;
  const [first, ...others] = selection.ids.value;
  const member = first === undefined ? undefined : cast.by_id.get(first);
  if (!member) return 'Nobody is selected';
  const name = name_of(member);
  if (others.length > 0) return `${name} and ${others.length} more are selected`;
  if (member.thing) return `${name} is selected`;
  const flags = world.frame.value?.flags[member.index] ?? 0;
  const does = doing(flags);
  const place = cast.members.indexOf(member) + 1;
  return `${name}, ${does}, ${place} of ${cast.members.length}`;
}

/** The name of the picture: the scene, the number of people in it, and the selection. */
export function name_picture(context: Context, canvas: HTMLCanvasElement): void {
  const { selection, world } = context;
  const refresh = () => {
    const { length } = world.cast.value.members;
    const scene = world.shown_scene.value?.scene;
    const [first] = selection.ids.value;
    const member = first === undefined ? undefined : world.cast.value.by_id.get(first);
    const others = selection.ids.value.length - 1;
    const whom = member
      ? `${name_of(member)}${others > 0 ? ` and ${others} more` : ''} selected`
      : 'nobody selected';
    const people = length === 1 ? '1 character' : `${length} characters`;
    const title = scene?.title || scene?.name || 'No scene yet';
    canvas.setAttribute('aria-label', `Picture: ${title}. ${people}, ${whom}. ? lists the keys.`);
  };
  world.shown_scene.watch(refresh);
  world.cast.watch(refresh);
  selection.ids.watch(refresh);
}

/**
 * Tells falls, arrivals, edits and the like, live and in the past, while that is switched on.
 * @return to be called with the room's events: only they tell which character arrived
 */
export function tell_what_happens(context: Context): (event: Event) => void {
  const { announcer, settings, world } = context;
  const happenings = new Happenings();
  let seen_ms: number | undefined;
  let clock: { readonly paused: boolean; readonly tick: number } | undefined;
  let turned: { readonly kind: 'pause' | 'resume'; readonly tick: number } | undefined;
  let waited = false; // for the visitor who did it

  const look = () => {
    const { recording } = world;
    const now_ms = world.shown_ms;
    const before_ms = seen_ms ?? now_ms;
    seen_ms = now_ms;
    const passed_ms = now_ms - before_ms;
    if (passed_ms <= 0 || passed_ms > kLeap_ms) return;
    for (const mark of recording.marks) {
      if (mark.t_ms <= before_ms || mark.t_ms > now_ms) continue;
      const happening = happening_of(mark, !world.lookback.on.value);
      if (happening) happenings.add(happening);
    }
  };
  world.frame.watch((frame) => {
    if (!frame) return;
    const { paused, tick } = frame;
    if (clock && clock.paused !== paused && settings.tells.value) {
      // Another change before the last one is told takes its place: how it ended is what counts.
      turned = { kind: paused ? 'pause' : 'resume', tick: paused ? tick : clock.tick };
      waited = false;
    }
    clock = { paused, tick };
  });
  const look_at_clock = () => {
    if (!turned) return;
    const deed = world.company.clock_deed(turned.kind, turned.tick);
    if (!deed && !waited) {
      waited = true; // the deed may come after the frame
      return;
    }
    const by = deed?.mine ? 'you' : (deed?.name ?? '');
    happenings.add({ kind: turned.kind, name: '', by });
    turned = undefined;
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  settings.tells.watch((on) => {
    clearInterval(timer);
    seen_ms = undefined;
    turned = undefined;
    happenings.clear();
    if (!on) return;
    timer = setInterval(() => {
      look();
      look_at_clock();
      const text = happenings.take(performance.now());
      if (text) announcer.tell(text);
    }, kEvery_ms);
  });
  return ({ kind, character }) => {
    const member = world.cast.value.by_id.get(character);
    if (kind === Event_Kind.ARRIVED && member && settings.tells.value && !world.lookback.on.value)
      happenings.add({ kind: 'arrive', name: name_of(member), by: '' });
  };
}
