// Messages of the room to this visitor in general: rights, faults and notices.
import { type Event, Event_Kind } from '../../gen/promenade/v1/wire_pb';
import { sentence } from '../../state/values/sentence';
import { apply_rights, type Context } from '../page/context';
import { explain } from './actions';

// A body that is watched may be gone by then, as after a new start of the server: the roster tells that.
const kUntold = /^(watch|attend|viewpoint)\b/; // fields of requests that the page makes by itself

/** Kinds of events whose text is for people. */
const kTold: ReadonlySet<Event_Kind> = new Set([
  ...[Event_Kind.NOTICE, Event_Kind.SLOW_VIEWER, Event_Kind.QUARANTINED],
]);

/**
 * Shows what the room says, and enables the controls that this visitor may use.
 * @param host of all controls
 * @param heard called with each event of the room, before its text is shown
 */
export function hear_room(
  { toasts, world }: Context,
  host: HTMLElement,
  heard: (event: Event) => void,
): void {
  const rights = () => apply_rights(host, world);
  world.hello.watch(rights);
  world.rights.watch((now) => {
    rights();
    if (now?.text) toasts.show(sentence(now.text));
  });
  world.on_error = (error) => {
    if (!kUntold.test(error.field)) toasts.show(explain(error), 'error');
  };
  world.on_event = (event) => {
    heard(event);
    if (kTold.has(event.kind) && event.text) toasts.show(sentence(event.text));
  };
}
