// The sheet of the search beside the room: what is searched, how far it is, the curve of scores and the map of gaits.
import '../style/learn.css';
import type { Gait } from '../../gen/promenade/v1/gait_pb';
import type { RoomSearch } from '../../gen/promenade/v1/room_search_pb';
import type { Api } from '../../net/api';
import { begin_search, searched_gait, stop_search } from '../../net/search_api';
import { with_name } from '../../state/edit/gait_doc';
import { cell_words, type MapCell } from '../../state/learn/gait_map';
import { has_sides } from '../../state/learn/objectives';
import { is_running } from '../../state/learn/running';
import type { Member } from '../../state/room/roster';
import { first_selected } from '../character/selected_head';
import { problem_of } from '../editor/live_document';
import { type Naming, SaveForm } from '../editor/save_form';
import { apply_rights, type Context, needs, sends } from '../page/context';
import { h, write } from '../parts/dom';
import type { Sheet, SheetWork } from '../parts/later';
import { Beside } from './beside';
import { MapView } from './map_view';
import { Progress } from './progress';
import { ScorePlot } from './score_plot';
import { SearchForm } from './search_form';
import type { SearchPoll } from './search_poll';

export function learn_sheet(context: Context, api: Api, sheet: Sheet, poll: SearchPoll): SheetWork {
  return new LearnSheet(context, api, sheet, poll);
}

class LearnSheet implements SheetWork {
  private readonly form_ = new SearchForm();
  private readonly progress_ = new Progress();
  private readonly plot_ = new ScorePlot();
  private readonly map_ = new MapView();
  private readonly beside_: Beside;
  private readonly who_ = h('span', { class: 'learn-who' });
  private readonly note_ = h('p', {
    class: 'learn-note',
    text: 'Select a creature with driven joints: a search finds out how it can go.',
  });
  private readonly stop_ = h('button', {
    text: 'Stop',
    title: 'End the search; what it has found stays',
    attributes: { 'data-test': 'learn-stop' },
    on: { click: () => void this.stop() },
  });
  private readonly away_ = h('button', {
    text: 'Take them away',
    title: 'Remove those that were put beside the learner',
    attributes: { 'data-test': 'learn-away' },
    on: { click: () => this.beside_.remove_all() },
  });
  private readonly told_ = h('span', {
    class: 'learn-told',
    attributes: { 'data-test': 'learn-told' },
  });
  private readonly wrong_ = h('p', { class: 'learn-wrong', attributes: { role: 'alert' } });
  private readonly save_: SaveForm;
  private readonly found_: HTMLElement;
  private chosen_: MapCell | undefined; // the best where none was chosen

  constructor(
    private readonly context_: Context,
    private readonly api_: Api,
    private readonly sheet_: Sheet,
    private readonly poll_: SearchPoll,
  ) {
    const { selection, world } = context_;
    this.beside_ = new Beside(context_, api_);
    this.save_ = this.make_save();
    needs('operator', this.stop_, this.save_.button);
    sends('remove', this.away_);
    this.found_ = this.make_found();
    this.fill();
    this.form_.on_start = () => void this.start();
    this.map_.on_press = (cell) => void this.press(cell);
    this.map_.looked_at.watch(() => this.tell());
    this.beside_.ids.watch((ids) => (this.away_.hidden = ids.length === 0));
    const refresh = () => this.refresh();
    for (const signal of [selection.ids, world.cast, world.hello, world.rights])
      (signal as typeof selection.ids).watch(refresh);
    poll_.report.watch((report) => this.show(report));
    sheet_.open.watch(refresh);
  }

  draw(): void {
    if (this.sheet_.open.value) this.plot_.draw();
  }

  private make_save(): SaveForm {
    const { world } = this.context_;
    return new SaveForm({
      noun: 'gait',
      word: 'Keep as …',
      entry: (name) => world.catalogue.value?.gaits.find((one) => one.name === name),
      suggested_title: () => (this.poll_.report.value?.best ? '' : undefined),
      turned: () => this.wrong(''),
      save: (naming) => void this.save(naming),
    });
  }

  private make_found(): HTMLElement {
    return h(
      'div',
      { class: 'learn-found' },
      h('div', { class: 'learn-pictures' }, this.plot_.element, this.map_.element),
      h('div', { class: 'learn-row' }, this.told_, this.away_, this.save_.button),
      this.save_.element,
    );
  }

  private fill(): void {
    const { element, open } = this.sheet_;
    const close = h('button', {
      class: 'quiet',
      text: '×',
      title: 'Close',
      attributes: { 'aria-label': 'Close the search for gaits', 'data-test': 'learn-close' },
      on: { click: () => open.set(false) },
    });
    element.append(
      h(
        'header',
        { class: 'learn-head' },
        h('h2', { text: 'Find a gait' }),
        this.who_,
        this.progress_.element,
        this.stop_,
        close,
      ),
      h(
        'div',
        // It scrolls where it is low or narrow: by arrow keys, too.
        {
          class: 'learn-body scrolls',
          attributes: { tabindex: '0', role: 'group', 'aria-label': 'Search' },
        },
        this.note_,
        this.form_.element,
        this.wrong_,
        this.found_,
      ),
    );
    this.wrong('');
  }

  /** The character that learns, or would learn: the search that runs names it, else it is selected, else the last search named it. */
  private get learner(): Member | undefined {
    const { world } = this.context_;
    const report = this.poll_.report.value;
    const last = world.cast.value.by_id.get(report?.order?.character ?? 0);
    if (is_running(report)) return last;
    const selected = first_selected(this.context_, false);
    return selected && this.can_learn(selected) ? selected : last;
  }

  private can_learn({ complete, skeleton }: Member): boolean {
    const { families } = this.context_.world;
    return complete && families.that_drive(skeleton).some(({ playsGaits }) => playsGaits);
  }

  private refresh(): void {
    if (!this.sheet_.open.value) return;
    const { learner } = this;
    const report = this.poll_.report.value;
    const running = is_running(report);
    this.progress_.show(report, learner && report ? this.other(report, learner) : '');
    write(this.who_, learner ? `${learner.skeleton.title} ${learner.id}` : '');
    this.form_.element.hidden = running || !learner;
    this.note_.hidden = running || learner !== undefined;
    if (learner) this.form_.set_sides(has_sides(learner.skeleton.links.map(({ name }) => name)));
    apply_rights(this.sheet_.element, this.context_.world);
  }

  /** The character that learned, where another one would learn next. */
  private other({ order, creature }: RoomSearch, { id }: Member): string {
    const character = order?.character ?? 0;
    if (character === id) return '';
    const there = this.context_.world.cast.value.by_id.get(character);
    return there ? `${there.skeleton.title} ${character}` : creature.replaceAll('_', ' ');
  }

  private show(report: RoomSearch | undefined): void {
    this.plot_.show(report);
    this.map_.show(report);
    this.found_.hidden = !report;
    this.stop_.hidden = !is_running(report);
    if (this.chosen_ && !report?.cells.some(({ cell }) => cell === this.chosen_?.cell))
      this.choose(undefined);
    this.tell();
    this.refresh();
  }

  /** Says which gait is looked at, or is chosen: “Keep as …” keeps that. */
  private tell(): void {
    const axes = this.map_.map?.axes ?? [];
    const looked_at = this.map_.looked_at.value;
    if (looked_at) write(this.told_, cell_words(looked_at, axes));
    else if (this.chosen_) write(this.told_, `Chosen: ${cell_words(this.chosen_, axes)}`);
    else write(this.told_, '');
    const nothing = !this.poll_.report.value?.best;
    this.save_.button.hidden = nothing;
    this.save_.button.title = this.chosen_
      ? 'Keep the chosen gait under a name'
      : 'Keep the best gait under a name';
  }

  private choose(cell: MapCell | undefined): void {
    this.chosen_ = cell;
    this.map_.choose(cell?.cell);
    this.tell();
  }

  private wrong(text: string): void {
    this.wrong_.hidden = text === '';
    write(this.wrong_, text);
  }

  private async start(): Promise<void> {
    const { learner } = this;
    if (!learner) return;
    this.form_.set_busy(true);
    this.form_.tell(await this.begin(learner));
    this.form_.set_busy(false);
  }

  /** @return what went wrong */
  private async begin(learner: Member) {
    const { actions, world } = this.context_;
    const { id: character, skeleton, family } = learner;
    const player = world.families.that_drive(skeleton).find(({ playsGaits }) => playsGaits);
    if (!family.playsGaits && player) {
      const set = await actions.ask({
        case: 'setController',
        value: { character, controller: player.name },
      });
      if (set.kind === 'refused') return problem_of(set.error);
      if (set.kind === 'lost') return { field: '', text: set.reason };
    }
    const answer = await begin_search(this.api_, { character, ...this.form_.wish });
    if (answer.kind === 'refused') {
      this.poll_.ask_now(); // perhaps somebody else has begun one
      return problem_of(answer.error);
    }
    this.choose(undefined);
    this.poll_.tell(answer.value);
    this.poll_.ask_now();
    return undefined;
  }

  private async stop(): Promise<void> {
    const answer = await stop_search(this.api_);
    if (answer.kind === 'done') this.poll_.tell(answer.value);
    this.wrong(answer.kind === 'done' ? '' : problem_of(answer.error).text);
  }

  /** Chooses a gait of the map, and puts it beside the learner where this viewer may. */
  private async press(cell: MapCell): Promise<void> {
    const report = this.poll_.report.value;
    this.choose(cell);
    if (!report || !this.context_.world.may('player')) return;
    const gait = await this.gait(cell.cell);
    this.wrong(typeof gait === 'string' ? gait : await this.beside_.put(gait, report));
  }

  /** @return a gait of the search, or why there is none */
  private async gait(cell: number | undefined): Promise<Gait | string> {
    const answer = await searched_gait(this.api_, cell);
    if (answer.kind === 'refused') return problem_of(answer.error).text;
    return answer.value.definition ?? 'The server has sent no gait. Try again.';
  }

  private async save({ title, name }: Naming): Promise<void> {
    const { toasts, world } = this.context_;
    this.save_.set_busy(true);
    const gait = await this.gait(this.chosen_?.cell);
    const before = world.catalogue.value?.gaits.find((one) => one.name === name);
    const answer =
      typeof gait === 'string'
        ? gait
        : await this.api_.save_gait(with_name(gait, name, title), before?.version ?? 0);
    this.save_.set_busy(false);
    if (typeof answer === 'string') return this.wrong(answer);
    if (answer.kind === 'refused') return this.wrong(problem_of(answer.error).text);
    this.save_.open(false);
    toasts.show(`Saved “${title}”, version ${answer.value.version}.`);
  }
}
