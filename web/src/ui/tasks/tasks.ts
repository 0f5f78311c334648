// Tasks of people with things and places: a menu of possible tasks, the list of errands, and their goals in the
// picture. Loads when somebody who can do tasks is selected.
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import type { Member } from '../../state/room/roster';
import { Errands } from '../../state/tasks/errands';
import { apply_rights, type Context } from '../page/context';
import { Crew } from './crew';
import { ErrandMenus } from './errand_menus';
import { ErrandOrders } from './errand_orders';
import { ErrandPoll } from './errand_poll';
import { TaskGoals } from './task_goals';
import { TaskList } from './task_list';
import '../style/tasks.css';

export interface TaskEvent {
  readonly character: number;
  readonly tick: number;
  readonly failed: boolean;
  readonly text: string;
}

/** The errands of the selected people: the parts that show, offer, edit and poll them, put together. */
export class Tasks {
  private readonly errands_ = new Errands();
  private readonly crew_: Crew;
  private readonly orders_: ErrandOrders;
  private readonly goals_: TaskGoals;
  private readonly menus_: ErrandMenus;
  private readonly poll_: ErrandPoll;

  /**
   * @param panel the section that the list is put into
   * @param chosen the selected people who can do tasks; several share their errands
   */
  constructor(
    context: Context,
    api: Api,
    viewport: Viewport,
    panel: HTMLDetailsElement,
    chosen: () => readonly Member[],
  ) {
    const { world } = context;
    const { errands_: errands } = this;
    const crew = new Crew(world, errands, chosen);
    const orders = new ErrandOrders(context, api, errands, crew, () => this.poll_.soon());
    this.crew_ = crew;
    this.orders_ = orders;
    this.goals_ = new TaskGoals(
      context,
      viewport,
      errands,
      () => {
        const { first } = crew;
        return first && !world.lookback.on.value
          ? { id: first.id, carried: crew.carries }
          : undefined;
      },
      (index, task) => orders.change(index, task),
      (x, y) => this.menus_.offer({ x, y }, undefined),
    );
    this.menus_ = new ErrandMenus(context, viewport, crew, orders, this.goals_);
    const list = new TaskList(context, errands, crew, orders, (index) => this.choose_place(index));
    panel.querySelector('.section-body')?.replaceChildren(...list.elements);
    apply_rights(panel, world);
    this.poll_ = new ErrandPoll(context, api, errands, crew, panel, () => this.goals_.cancel());
  }

  /** Shows a menu of what is under a point of the page, px. @param hit the thing or character that was hit there */
  offer(x: number, y: number, hit: number | undefined): void {
    this.menus_.offer({ x, y }, hit);
  }

  /** Shows the same by keys: the things around are listed. */
  offer_list(): void {
    this.menus_.offer_list();
  }

  /** Whether somebody can be asked to take what is in the hands after all errands. */
  gives_to(id: number): boolean {
    return this.crew_.gives_to(id);
  }

  /** Takes in that an errand has ended. */
  heard({ character, ...event }: TaskEvent): void {
    if (!this.crew_.ids.includes(character)) return;
    this.errands_.heard(event);
    this.poll_.soon();
  }

  /** Has another place chosen for an errand. @param index of the errand in the list */
  private choose_place(index: number): void {
    const task = this.errands_.list.value.errands[index]?.task;
    if (!task) return;
    const { thing } = task.push_to ?? task.pull_to ?? task.carry ?? {};
    this.goals_.choose({
      ...{ task, box: thing ?? (task.put_down ? (this.crew_.carried()[index] ?? 0) : 0) },
      say: `Another place for ${index + 1}`,
      done: (there) => this.orders_.change(index, there),
    });
  }
}
