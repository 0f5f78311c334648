// A task as a few words.
import { name_of } from '../recording/marks';
import type { Cast } from '../room/roster';
import { kind_of, place_of, type Task } from './task';

function name(id: number | undefined, { by_id }: Cast): string {
  const member = id ? by_id.get(id) : undefined;
  if (member) return name_of(member);
  return id ? `thing ${id}, which is gone` : 'nothing';
}

function spot(task: Task): string {
  const [x = 0, y = 0] = place_of(task) ?? [];
  return `(${x.toFixed(1)}, ${y.toFixed(1)})`;
}

/** @param carried the thing in the hands then; 0: none, or not known; kSomething: the thing that is handed over */
export function task_words(task: Task, carried: number, cast: Cast): string {
  switch (kind_of(task)) {
    case undefined:
      return 'Something that this page does not know';
    case 'go_to':
      return `Go to ${spot(task)}`;
    case 'climb':
      return `Climb to ${spot(task)}`;
    case 'pick_up':
      return `Pick up ${name(task.pick_up?.thing, cast)}`;
    case 'hand_over':
      return `Hand ${carried > 0 ? name(carried, cast) : 'the carried thing'} over to ${name(task.hand_over?.to, cast)}`;
    case 'take_over': {
      const { from } = task.take_over ?? {};
      return `Take what ${from ? name(from, cast) : 'somebody'} hands over`;
    }
    case 'push_to':
      return `Push ${name(task.push_to?.thing, cast)} to ${spot(task)}`;
    case 'pull_to':
      return `Pull ${name(task.pull_to?.thing, cast)} to ${spot(task)}`;
    case 'sit_out':
      return `Wait ${task.sit_out?.seconds ?? 0} s`;
    case 'carry': {
      const { thing, on } = task.carry ?? {};
      const where = on ? `onto ${name(on, cast)}` : `to ${spot(task)}`;
      return `Carry ${name(thing, cast)} ${where}`;
    }
    case 'put_down': {
      const what = carried > 0 ? name(carried, cast) : 'the carried thing';
      const { on } = task.put_down ?? {};
      if (on) return `Put ${what} on ${name(on, cast)}`;
      return place_of(task) ? `Put ${what} down at ${spot(task)}` : `Put ${what} down right ahead`;
    }
    case 'reach': {
      const { thing, grip, hand, point_m } = task.reach ?? {};
      const both = hand === 'BOTH_HANDS' ? ' with both hands' : '';
      if (thing) return `${grip ? 'Hold on to' : 'Touch'} ${name(thing, cast)}${both}`;
      return `Reach for ${spot(task)}, ${(point_m?.[2] ?? 0).toFixed(1)} m high${both}`;
    }
  }
}
