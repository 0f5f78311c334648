// What opens the sheet of searches for gaits: a button for the selected character, and a line about a search that runs. Its
// code comes later.
import type { Api } from '../../net/api';
import { is_running } from '../../state/learn/running';
import type { Member } from '../../state/room/roster';
import { first_selected } from '../character/selected_head';
import type { Context } from '../page/context';
import { kLater } from '../page/late_parts';
import { h, write } from '../parts/dom';
import { LateSheet } from '../parts/later';
import { SearchPoll } from './search_poll';

export interface LateLearn {
  readonly sheet: LateSheet;
  /** For the panel of the selected character; hidden where no controller plays gaits with its body. */
  readonly opener: HTMLElement;
  /** For the panel of the room; hidden while no search runs. */
  readonly notice: HTMLElement;
}

export function late_learn(context: Context, api: Api): LateLearn {
  const { selection, toasts, world } = context;
  const sheet: LateSheet = new LateSheet(
    h('section', {
      class: 'panel learn',
      attributes: { 'aria-label': 'Find a gait', 'data-test': 'learn' },
    }),
    toasts,
    async (own) => (await kLater.learn.get()).learn_sheet(context, api, own, poll),
  );
  const poll = new SearchPoll(context, api, sheet.open);
  const open = () => sheet.open.set(true);
  const opener = h('button', {
    class: 'open-lab',
    text: 'Find a gait …',
    title: 'A search tries how this body can go, and everybody sees it learn',
    attributes: { 'data-test': 'open-learn' },
    on: { click: open },
  });
  const can_learn = ({ complete, skeleton }: Member) =>
    complete && world.families.that_drive(skeleton).some(({ playsGaits }) => playsGaits);
  const offer = () => {
    const member = first_selected(context, false);
    opener.hidden = !member || !can_learn(member);
  };
  selection.ids.watch(offer);
  world.cast.watch(offer);
  const told = h('span', {});
  const notice = h(
    'div',
    { class: 'learn-notice', attributes: { 'data-test': 'learn-notice' } },
    told,
    h('button', { text: 'Watch', title: 'Watch the search for a gait', on: { click: open } }),
  );
  poll.report.watch((report) => {
    const runs = is_running(report);
    notice.hidden = !runs;
    world.learner.set(runs ? report.order?.character : undefined);
    if (!runs) return;
    const { evaluations, order } = report;
    write(told, `A search for a gait runs: ${evaluations} of ${order?.budget ?? 0n}.`);
  });
  return { sheet, opener, notice };
}
