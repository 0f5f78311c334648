// Errands of a selected person: the section in its panel, and the calls that open the menu. The code behind them loads when
// somebody who can do tasks is first selected.
import type { Event } from '../../gen/promenade/v1/wire_pb';
import { Event_Kind } from '../../gen/promenade/v1/wire_pb';
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import { least_role } from '../../state/room/command_rules';
import { does_tasks, type Member } from '../../state/room/roster';
import type { Context } from '../page/context';
import { section } from '../parts/dom';
import { kLater } from '../page/late_parts';
import { tell_missing } from '../parts/later';
import type { Tasks } from './tasks';

export interface LateTasks {
  readonly panel: HTMLElement;
  /**
   * Opens the menu for a click.
   * @param hit the thing or character that was clicked
   * @param wanted whether the ground has a menu, too
   * @return whether there is one
   */
  offer(event: MouseEvent, hit: number | undefined, wanted: boolean): boolean;
  offer_list(): void;
  heard(event: Event): void;
}

export function late_tasks(context: Context, api: Api, viewport: () => Viewport): LateTasks {
  const { selection, toasts, world } = context;
  const panel = section('Errands', false);
  /** One person who is selected alone, or several who can do errands. */
  const crew = (): readonly Member[] => {
    const { value: ids } = selection.ids;
    const found = ids.flatMap((id) => world.cast.value.by_id.get(id) ?? []);
    const able = found.filter(does_tasks);
    return able.length > 1 || ids.length === 1 ? able : [];
  };
  const anybody = () => crew().length > 0;
  let made: Tasks | undefined;
  const run = (work?: (tasks: Tasks) => void) =>
    void kLater.tasks.get().then(
      ({ Tasks }) => {
        made ??= new Tasks(context, api, viewport(), panel, crew);
        work?.(made);
      },
      (error: unknown) => work && tell_missing(toasts, error),
    );
  const refresh = () => {
    panel.hidden = !anybody();
    if (!made && anybody()) run();
  };
  selection.ids.watch(refresh);
  world.cast.watch(refresh);
  return {
    panel,
    offer({ clientX, clientY }, hit, wanted) {
      if ((hit === undefined && !wanted) || !anybody()) return false;
      if (!world.may(least_role('set_tasks'))) return false;
      // Others are selected by a click, unless something can be handed over to them.
      const one = world.cast.value.by_id.get(hit ?? 0);
      if (one && !one.thing && !made?.gives_to(one.id)) return false;
      run((tasks) => tasks.offer(clientX, clientY, hit));
      return true;
    },
    offer_list: () => run((tasks) => tasks.offer_list()),
    heard({ kind, tick, text, character }) {
      const failed = kind === Event_Kind.TASK_FAILED;
      if (failed || kind === Event_Kind.TASK_DONE)
        made?.heard({ character, tick: Number(tick), failed, text });
    },
  };
}
