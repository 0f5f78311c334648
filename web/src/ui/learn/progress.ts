// How far a search is: its state, candidates, the best so far with the terms of its score, and how trials ended.
import type { RoomSearch } from '../../gen/promenade/v1/room_search_pb';
import { SearchRate, told_search, type ToldSearch } from '../../state/learn/told_search';
import { h, write } from '../parts/dom';

export class Progress {
  readonly element: HTMLElement;
  private readonly bar_ = h('progress', {
    attributes: { 'aria-label': 'Candidates of the search' },
  });
  private readonly far_ = h('span', { attributes: { 'data-test': 'learn-far' } });
  private readonly wanted_ = h('span', { class: 'faint' });
  private readonly best_ = h('span', {
    class: 'learn-best',
    attributes: { 'data-test': 'learn-best' },
  });
  private readonly ends_ = h('span', { class: 'faint' });
  private readonly trouble_ = h('span', { class: 'learn-wrong' });
  // Told once where it begins and once where it ends, not with every report.
  private readonly said_ = h('span', { class: 'unseen', attributes: { role: 'status' } });
  private readonly rate_ = new SearchRate();
  private rated_: RoomSearch | undefined; // the last report that counts in it

  constructor() {
    this.element = h(
      'div',
      { class: 'learn-progress' },
      h('div', { class: 'learn-line' }, this.bar_, this.far_, this.wanted_),
      h('div', { class: 'learn-line' }, this.best_, this.ends_),
      this.trouble_,
      this.said_,
    );
  }

  /** @param who learned, where it is not plain from the sheet's head */
  show(report: RoomSearch | undefined, who: string): void {
    this.element.hidden = !report;
    if (!report) return;
    const told = told_search(report);
    if (report !== this.rated_) this.rate_.add(report, performance.now() / 1000);
    this.rated_ = report;
    this.bar_.max = Math.max(1, told.budget);
    this.bar_.value = Math.min(told.tried, told.budget);
    this.bar_.hidden = !told.running;
    write(this.far_, this.far(told));
    write(this.wanted_, who ? `${who}: ${told.wanted}` : told.wanted);
    write(this.best_, told.best ? `Best: ${told.best}` : 'No best yet');
    this.best_.title = told.terms.map(({ figure, value }) => `${figure} ${value}`).join(', ');
    const ends = told.ends.map(({ end, count }) => `${count} ${end}`);
    write(
      this.ends_,
      [...told.terms.map(({ figure, value }) => `${figure} ${value}`), ...ends].join(' · '),
    );
    this.trouble_.hidden = told.trouble === '';
    write(this.trouble_, told.trouble);
    write(this.said_, `The search for a gait: ${told.state}`);
  }

  private far({ running, state, tried, budget }: ToldSearch): string {
    const per_s = this.rate_.per_s;
    const rate = running && per_s !== undefined ? `, ${per_s.toFixed(0)} a second` : '';
    return `${state}: ${tried} of ${budget} candidates${rate}`;
  }
}
