// The menus of a selected person's choices with a thing, with somebody else, or at a place.
import type { Viewport } from '../../scene/picture/viewport';
import { pick } from '../../state/hand/picking';
import { name_of } from '../../state/recording/marks';
import type { Member } from '../../state/room/roster';
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
import { origin_of } from '../../state/tasks/task';
import type { Vec3 } from '../../state/values/quaternion';
import type { Context } from '../page/context';
import type { Crew } from './crew';
import type { ErrandOrders } from './errand_orders';
import type { TaskGoals } from './task_goals';
import { type Entry, TaskMenu } from './task_menu';

const kMostListed = 9,
  kMostPeople = 3;

/** A point of the page, px. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Offers errands in menus: for what was clicked, or for what is around the selected person. */
export class ErrandMenus {
  private readonly canvas_: HTMLElement;
  private readonly menu_: TaskMenu;

  constructor(
    private readonly context_: Context,
    private readonly viewport_: Viewport,
    private readonly crew_: Crew,
    private readonly orders_: ErrandOrders,
    private readonly goals_: TaskGoals,
  ) {
    this.canvas_ = viewport_.stage.renderer.domElement;
    this.menu_ = new TaskMenu(() => this.canvas_.focus({ preventScroll: true }));
  }

  /** Shows the menu of what is under a point of the page. @param hit the thing or character that was hit there */
  offer(spot: Spot, hit: number | undefined): void {
    const member = this.crew_.first;
    if (!member) return;
    const { pose } = this.context_.world;
    const box = this.canvas_.getBoundingClientRect();
    const ray = this.viewport_.rig.ray(
      ((spot.x - box.left) / box.width) * 2 - 1,
      1 - ((spot.y - box.top) / box.height) * 2,
    );
    const ground = this.viewport_.ground_at(ray);
    const found = hit === undefined ? pick(pose, ray, 0, ({ thing }) => thing) : undefined;
    const under = found && (!ground || found.distance < ground.distance) ? found.member : undefined;
    const thing = hit === undefined ? under : pose.cast.by_id.get(hit);
    if (thing && !thing.thing) this.show_of_somebody(thing, spot);
    else if (thing) this.show_of_thing(member, thing, spot);
    else if (ground) this.show_of_place(ground.point, spot);
  }

  /** Shows a menu of the people and things around, and of a place that is chosen by keys. */
  offer_list(): void {
    const { crew_: crew } = this;
    const member = crew.first;
    if (!member) {
      this.context_.toasts.show('Select people who walk by physics first: N selects the next one.');
      return;
    }
    const { pose } = this.context_.world;
    const spot = this.spot_of(member);
    const things = things_near(member, pose, kMostListed).map((thing) =>
      leads_on(`thing ${thing.id}`, name_of(thing), () => this.show_of_thing(member, thing, spot)),
    );
    const people = !crew.several && crew.carries_then ? people_near(member, pose, kMostPeople) : [];
    const others = people.map((other) =>
      leads_on(`person ${other.id}`, name_of(other), () => this.show_of_somebody(other, spot)),
    );
    const place = leads_on('place', 'A place on the ground', () => this.choose_place(member, spot));
    this.menu_.show(
      `Errand for ${crew.several ? `these ${crew.members.length}` : name_of(member)}`,
      [...others, ...things, place],
      spot.x,
      spot.y,
    );
  }

  private show_of_thing(member: Member, thing: Member, spot: Spot): void {
    const { crew_: crew } = this;
    const { pose } = this.context_.world;
    const choices = crew.several
      ? to_share(of_anybody(crew.members.map((one) => choices_for_thing(one, thing, 0, pose))))
      : choices_for_thing(member, thing, crew.carries_then, pose);
    this.show(name_of(thing), choices, spot);
  }

  private show_of_somebody(other: Member, spot: Spot): void {
    const { pose } = this.context_.world;
    this.show(name_of(other), choices_for_somebody(other, this.crew_.carries_then, pose), spot);
  }

  /** @param point m, world frame */
  private show_of_place(point: Vec3, spot: Spot): void {
    const own = choices_for_place(point, this.crew_.carries_then, this.context_.world.pose);
    this.show(
      `The ground at (${point[0].toFixed(1)}, ${point[1].toFixed(1)})`,
      this.crew_.several ? to_share(own) : own,
      spot,
    );
  }

  private show(title: string, choices: readonly Choice[], { x, y }: Spot): void {
    const entries = choices.map((choice) => ({ ...choice, run: () => this.take(choice) }));
    this.menu_.show(title, entries, x, y);
  }

  /** Does what was chosen in a menu. */
  private take({ does, text }: Choice): void {
    if (does.kind === 'add') return this.orders_.add(does.task);
    const { selection, world } = this.context_;
    if (does.kind === 'select') return selection.choose(does.id);
    const thing = world.pose.cast.by_id.get(does.box);
    const [x = 0, y = 0] = thing ? origin_of(thing, world.pose) : [];
    this.goals_.choose({
      ...{ task: does.make({ position_m: [x, y] }), box: does.box },
      say: `${text.replace(/ it to …$/, '')} ${thing ? name_of(thing) : ''}`.trim(),
      done: (task) => this.orders_.add(task),
    });
  }

  /** Has a place on the ground chosen, and shows the menu of that place. */
  private choose_place(member: Member, spot: Spot): void {
    const { viewport_: viewport } = this;
    const point = viewport.middle()?.point ?? origin_of(member, this.context_.world.pose);
    this.goals_.choose({
      ...{ task: { go_to: { position_m: [point[0], point[1]] } }, box: 0 },
      say: 'A place on the ground',
      done: ({ go_to }) => {
        const [u = 0, v = 0] = go_to?.position_m ?? [];
        this.show_of_place(viewport.ground_below(u, v)?.point ?? [u, v, 0], spot);
      },
    });
  }

  /** Where a person is on the page; the middle of the picture for one who is not in it. */
  private spot_of(member: Member): Spot {
    const box = this.canvas_.getBoundingClientRect();
    const spot = this.viewport_.pixel_of(origin_of(member, this.context_.world.pose));
    return { x: box.left + (spot?.x ?? box.width / 2), y: box.top + (spot?.y ?? box.height / 2) };
  }
}

/** An entry that opens something more. */
function leads_on(key: string, name: string, run: () => void): Entry {
  return { key, text: `${name} …`, why_not: '', run };
}
