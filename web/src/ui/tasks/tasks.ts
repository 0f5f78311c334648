// What somebody does with things and places: a menu of what is possible, the list of errands, and their goals in the
// picture. Comes when somebody who can do tasks is selected.
import type { Api } from '../../net/api';
import { ask_room, type ReplyJson } from '../../net/room_json';
import type { Viewport } from '../../scene/picture/viewport';
import { name_of } from '../../state/recording/marks';
import { pick } from '../../state/hand/picking';
import type { Vec3 } from '../../state/values/quaternion';
import type { Member } from '../../state/room/roster';
import { sentence } from '../../state/values/sentence';
import {
  choices_for_place,
  choices_for_somebody,
  choices_for_thing,
  people_near,
  of_anybody,
  things_near,
  to_share,
  type Choice,
} from '../../state/tasks/choices';
import type { SetTasksJson } from '../../state/tasks/errand_list';
import { changed, Errands } from '../../state/tasks/errands';
import { orders_of } from '../../state/tasks/sharing';
import {
  carried_along,
  carried_by,
  origin_of,
  type Task,
  type TaskListJson,
} from '../../state/tasks/task';
import { task_words } from '../../state/tasks/task_words';
import { kLookingBack } from '../room/actions';
import { apply_rights, type Context } from '../page/context';
import { task_list } from './task_list';
import { TaskGoals } from './task_goals';
import { type Entry, TaskMenu } from './task_menu';
import '../style/tasks.css';

const kPollEvery_ms = 1000;
const kAfterEvent_ms = 150;
const kMostListed = 9,
  kMostPeople = 3;

export interface TaskEvent {
  readonly character: number;
  readonly tick: number;
  readonly failed: boolean;
  readonly text: string;
}

export interface Tasks {
  /** A menu of what is under a point of the page, px. @param thing that was hit there */
  offer(x: number, y: number, thing: number | undefined): void;
  /** Whether somebody can be asked to take what is in the hands after all errands. */
  gives_to(id: number): boolean;
  /** The same by keys: the things around are listed. */
  offer_list(): void;
  heard(event: TaskEvent): void;
}

function key_of(ids: readonly number[]): string {
  return ids.join(' ');
}

/**
 * @param crew who is selected and can do tasks; several share what they are told
 * @param panel the section that the list is put into
 */
export function make_tasks(
  context: Context,
  api: Api,
  viewport: Viewport,
  panel: HTMLDetailsElement,
  crew: () => readonly Member[],
): Tasks {
  const { selection, toasts, world } = context;
  const errands = new Errands();
  const canvas = viewport.stage.renderer.domElement;
  const menu = new TaskMenu(() => canvas.focus({ preventScroll: true }));
  const who = (): Member | undefined => crew()[0];
  const several = () => crew().length > 1;
  const ids_of_crew = () => crew().map(({ id }) => id);
  let shown = '';

  const carried_now = () => {
    const member = several() ? undefined : who();
    return member ? carried_by(member, world.pose.cast) : 0;
  };
  /** What is in the hands before each of them, and after all. */
  const carried = () => {
    const { errands: all, current, repeat } = errands.list.value;
    const tasks = all.map(({ task }) => task);
    return carried_along(tasks, repeat ? 0 : current, repeat ? 0 : carried_now(), world.cast.value);
  };
  const tell = (refused: Promise<string | undefined>) =>
    void refused.then((why) => {
      if (why !== undefined) toasts.show(why, 'error');
      poll_soon();
    });
  errands.send = async (command: SetTasksJson) => {
    const member = who();
    if (!member) return undefined;
    if (world.lookback.on.value) return kLookingBack;
    const orders = several()
      ? orders_of(ids_of_crew(), errands.list.value, command)
      : [{ set_tasks: { character: member.id, ...command } }];
    for (const order of orders) {
      const reply = await ask_room<ReplyJson>(api, 'POST', 'commands', order);
      if (typeof reply === 'string') return reply;
      if (reply.error) return sentence(reply.error.message ?? 'The server refused this.');
    }
    // What is added before the server tells the list anew is added to this one.
    if (several() && command.tasks.length > 0)
      errands.list.set({ ...errands.list.value, shared_by: ids_of_crew() });
    return undefined;
  };
  const add = (task: Task) => {
    tell(errands.add([task]));
    context.announcer.answer(`${task_words(task, carried().at(-1) ?? 0, world.cast.value)}: added`);
  };
  const edit = (index: number, task: Task) =>
    tell(errands.edit(changed(errands.list.value, index, task)));

  const goals = new TaskGoals(
    context,
    viewport,
    errands,
    () => {
      const member = who();
      return member && !world.lookback.on.value
        ? { id: member.id, carried: carried_now() }
        : undefined;
    },
    edit,
    (x, y) => offer(x, y, undefined),
  );

  const words = (list: typeof errands.list.value, index: number) => {
    const { errands: all, current, repeat } = list;
    const task = all[index]?.task;
    const tasks = all.map((one) => one.task);
    const along = repeat
      ? carried_along(tasks, 0, 0, world.cast.value)
      : carried_along(tasks, Math.min(current, index), carried_now(), world.cast.value);
    return task ? task_words(task, along[index] ?? 0, world.cast.value) : '';
  };
  panel.querySelector('.section-body')?.replaceChildren(
    ...task_list(context, errands, {
      words,
      add,
      edit: (list) => tell(errands.edit(list)),
      place(index) {
        const task = errands.list.value.errands[index]?.task;
        if (!task) return;
        const { thing } = task.push_to ?? task.pull_to ?? task.carry ?? {};
        goals.choose({
          ...{ task, box: thing ?? (task.put_down ? (carried()[index] ?? 0) : 0) },
          say: `Another place for ${index + 1}`,
          done: (there) => edit(index, there),
        });
      },
      carries: () => carried_now() !== 0,
      people: () => crew().length,
      name(id) {
        const member = world.cast.value.by_id.get(id);
        return member ? name_of(member) : `character ${id}, who is gone`;
      },
    }),
  );
  apply_rights(panel, world);

  // The list of whoever is selected, once a second and after its events. After a new start of the server, those
  // selected are known to be there still only once the first roster has come.
  let listed_by_room = world.cast.value.version >= 0;
  world.hello.watch(() => (listed_by_room = false));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const poll = async () => {
    clearTimeout(timer);
    const member = who();
    timer = setTimeout(() => void poll(), kPollEvery_ms);
    const here = listed_by_room && world.status.value.kind === 'online';
    if (!member || !here || document.hidden) return;
    const { edits } = errands;
    const asked = key_of(ids_of_crew());
    const told = await ask_room<TaskListJson>(api, 'GET', `characters/${member.id}/tasks`);
    if (typeof told === 'string' || 'error' in told || key_of(ids_of_crew()) !== asked) return;
    // Of several, what one has alone is not theirs.
    const theirs = several() && !told.shared_by ? {} : told;
    errands.told(theirs, edits);
    if (shown !== asked && theirs.tasks?.length) panel.open = true;
    shown = asked;
  };
  const poll_soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void poll(), kAfterEvent_ms);
  };
  let listed = '';
  const choose = () => {
    const chosen = key_of(ids_of_crew());
    if (chosen === listed) return;
    listed = chosen;
    goals.cancel();
    errands.forget();
    if (chosen) void poll();
    else clearTimeout(timer);
  };
  selection.ids.watch(choose);
  world.cast.watch(({ version }) => {
    listed_by_room ||= version >= 0;
    choose();
  });

  const entry = (choice: Choice): Entry => ({
    ...choice,
    run: () => {
      const { does } = choice;
      if (does.kind === 'add') return add(does.task);
      if (does.kind === 'select') return selection.choose(does.id);
      const thing = world.pose.cast.by_id.get(does.box);
      const [x = 0, y = 0] = thing ? origin_of(thing, world.pose) : [];
      goals.choose({
        ...{ task: does.make({ position_m: [x, y] }), box: does.box },
        say: `${choice.text.replace(/ it to …$/, '')} ${thing ? name_of(thing) : ''}`.trim(),
        done: add,
      });
    },
  });
  const of_thing = (member: Member, thing: Member, x: number, y: number) => {
    const then = carried().at(-1) ?? 0;
    const choices = several()
      ? to_share(of_anybody(crew().map((one) => choices_for_thing(one, thing, 0, world.pose))))
      : choices_for_thing(member, thing, then, world.pose);
    menu.show(name_of(thing), choices.map(entry), x, y);
  };
  const of_somebody = (other: Member, x: number, y: number) => {
    const choices = choices_for_somebody(other, carried().at(-1) ?? 0, world.pose);
    menu.show(name_of(other), choices.map(entry), x, y);
  };
  const of_place = (point: Vec3, x: number, y: number) => {
    const own = choices_for_place(point, carried().at(-1) ?? 0, world.pose);
    const choices = several() ? to_share(own) : own;
    menu.show(
      `The ground at (${point[0].toFixed(1)}, ${point[1].toFixed(1)})`,
      choices.map(entry),
      x,
      y,
    );
  };

  const offer = (x: number, y: number, hit: number | undefined) => {
    const member = who();
    if (!member) return;
    const box = canvas.getBoundingClientRect();
    const ray = viewport.rig.ray(
      ((x - box.left) / box.width) * 2 - 1,
      1 - ((y - box.top) / box.height) * 2,
    );
    const ground = viewport.ground_at(ray);
    const found = hit === undefined ? pick(world.pose, ray, 0, ({ thing }) => thing) : undefined;
    const under = found && (!ground || found.distance < ground.distance) ? found.member : undefined;
    const thing = hit === undefined ? under : world.pose.cast.by_id.get(hit);
    if (thing && !thing.thing) of_somebody(thing, x, y);
    else if (thing) of_thing(member, thing, x, y);
    else if (ground) of_place(ground.point, x, y);
  };

  return {
    offer,
    gives_to: (id) => !several() && id !== who()?.id && Boolean(carried().at(-1)),
    offer_list() {
      const member = who();
      if (!member) {
        toasts.show('Select people who walk by physics first: N selects the next one.');
        return;
      }
      const box = canvas.getBoundingClientRect();
      const spot = viewport.pixel_of(origin_of(member, world.pose));
      const x = box.left + (spot?.x ?? box.width / 2);
      const y = box.top + (spot?.y ?? box.height / 2);
      const things = things_near(member, world.pose, kMostListed).map((thing): Entry => ({
        key: `thing ${thing.id}`,
        text: `${name_of(thing)} …`,
        why_not: '',
        run: () => of_thing(member, thing, x, y),
      }));
      const people =
        !several() && carried().at(-1) ? people_near(member, world.pose, kMostPeople) : [];
      const others = people.map((other): Entry => ({
        key: `person ${other.id}`,
        text: `${name_of(other)} …`,
        why_not: '',
        run: () => of_somebody(other, x, y),
      }));
      const place: Entry = {
        ...{ key: 'place', text: 'A place on the ground …', why_not: '' },
        run: () => {
          const point = viewport.middle()?.point ?? origin_of(member, world.pose);
          goals.choose({
            ...{ task: { go_to: { position_m: [point[0], point[1]] } }, box: 0 },
            say: 'A place on the ground',
            done: ({ go_to }) => {
              const [u = 0, v = 0] = go_to?.position_m ?? [];
              of_place(viewport.ground_below(u, v)?.point ?? [u, v, 0], x, y);
            },
          });
        },
      };
      menu.show(
        `Errand for ${several() ? `these ${crew().length}` : name_of(member)}`,
        [...others, ...things, place],
        x,
        y,
      );
    },
    heard({ character, ...event }) {
      if (!ids_of_crew().includes(character)) return;
      errands.heard(event);
      poll_soon();
    },
  };
}
