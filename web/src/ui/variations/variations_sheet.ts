// The sheet of variations: nine gaits about that of the selected toy in small moving pictures, with a slider for the share of
// each, which the toy in the room takes on at once. Source: Panne1996, figure 17
import '../style/variations.css';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Gait } from '../../gen/promenade/v1/gait_pb';
import type { GaitStudy, GaitStudyOrderSchema } from '../../gen/promenade/v1/gait_study_pb';
import { RoomSearch_State } from '../../gen/promenade/v1/room_search_pb';
import type { Answer, Api } from '../../net/api';
import { begin_study, stop_study } from '../../net/search_api';
import { extrapolates, kBeyond } from '../../state/gait/gait_mix';
import { loop_of } from '../../state/gait/gait_take';
import { gait_at, type GridPoint } from '../../state/gait/landscape';
import {
  found_variants,
  has_variations_of,
  same_states,
  shortage,
  with_variations,
} from '../../state/gait/variations';
import type { Member } from '../../state/room/roster';
import { first_selected } from '../character/selected_head';
import { problem_of } from '../editor/live_document';
import type { GaitEditor } from '../gait/gait_editor';
import { apply_rights, type Context, needs } from '../page/context';
import { h, write } from '../parts/dom';
import type { Sheet, SheetWork } from '../parts/later';
import { LandscapeView } from './landscape_view';
import { OwnTile } from './own_tile';
import { StudyPoll } from './study_poll';
import { TilePictures } from './tile_pictures';
import { VariationTile } from './variation_tile';

const kFirstSeed = 1n;
const kBeforeOwn = 5; // tiles that come before that of the gait itself: the first row, and one beside it

type Tab = 'pictures' | 'map';
const kTabs: readonly { readonly tab: Tab; readonly text: string; readonly title: string }[] = [
  { tab: 'pictures', text: 'Pictures', title: 'Gaits along random directions from this one' },
  { tab: 'map', text: 'Map', title: 'A figure of this gait over two of its free numbers' },
];

/** What the sheet works with. */
interface Tools {
  readonly api: Api;
  readonly editor: GaitEditor;
  /** Closes the sheet and asks for a name under which the mix is kept. */
  readonly keep: () => void;
}

export function variations_sheet(context: Context, tools: Tools, sheet: Sheet): SheetWork {
  new VariationsSheet(context, tools, sheet);
  return {}; // it draws by itself
}

class VariationsSheet {
  private readonly poll_: StudyPoll;
  private readonly who_ = h('span', { class: 'variations-who' });
  private readonly note_ = h('p', {
    class: 'variations-note',
    attributes: { role: 'status', 'data-test': 'variations-note' },
  });
  private readonly wrong_ = h('p', { class: 'variations-wrong', attributes: { role: 'alert' } });
  private readonly map_ = new LandscapeView();
  private readonly tabs_ = kTabs.map(({ tab, text, title }) =>
    h('button', {
      ...{ text, title },
      attributes: { type: 'button', 'data-test': `variations-${tab}` },
      on: { click: () => this.turn_to(tab) },
    }),
  );
  private readonly grid_ = h('div', { class: 'variations-grid' });
  private readonly pictures_ = new TilePictures(this.grid_);
  private readonly beyond_ = h('input', {
    attributes: { type: 'checkbox', 'data-test': 'variations-beyond' },
    on: { change: () => this.tools_.editor.mix.beyond.set(this.beyond_.checked) },
  });
  private readonly next_ = h('button', {
    text: 'Other directions',
    title: 'Explores other directions from the same gait; those that are mixed in stay',
    attributes: { type: 'button', 'data-test': 'variations-next' },
    on: { click: () => void this.begin({ case: 'variations', value: { seed: this.seed + 1n } }) },
  });
  private readonly stop_ = h('button', {
    text: 'Stop',
    title: 'End the search for variations',
    attributes: { type: 'button', 'data-test': 'variations-stop' },
    on: { click: () => void this.take(stop_study(this.tools_.api)) },
  });
  private readonly keep_ = h('button', {
    text: 'Keep as …',
    title: 'Save the gait on the server, mixed as it is now',
    attributes: { type: 'button', 'data-test': 'variations-keep' },
    on: { click: () => this.tools_.keep() },
  });
  private readonly foot_: HTMLElement;
  private tiles_: readonly VariationTile[] = [];
  private own_: OwnTile | undefined; // in the middle of them
  private shown_: GaitStudy | undefined; // of the tiles
  private member_: number | undefined;
  private begun_for_: Gait | undefined; // a search was begun of it without being asked for
  private tab_: Tab = 'pictures';
  private mapped_: GaitStudy | undefined;
  private seen_: Gait | undefined; // of the toy, when the sheet was last refreshed

  constructor(
    private readonly context_: Context,
    private readonly tools_: Tools,
    private readonly sheet_: Sheet,
  ) {
    const { selection, world } = context_;
    const { mix } = tools_.editor;
    this.poll_ = new StudyPoll(tools_.api, sheet_.open);
    this.foot_ = this.make_foot();
    this.fill();
    needs('operator', this.next_, this.stop_, this.keep_);
    const refresh = () => this.refresh();
    this.poll_.study.watch(refresh);
    this.poll_.asked.watch(refresh);
    mix.shares.watch(() => {
      this.show_shares();
      if (tools_.editor.gait !== this.seen_) this.refresh();
    });
    mix.beyond.watch((on) => this.set_range(on));
    world.cast.watch(refresh);
    world.rights.watch(refresh);
    selection.ids.watch(() => {
      if (this.member_ !== undefined && this.member?.id !== this.member_) sheet_.open.set(false);
    });
    sheet_.open.watch((on) => {
      if (on) this.refresh();
      else this.clear();
    });
  }

  private get member(): Member | undefined {
    const member = first_selected(this.context_, false);
    return member?.family.playsGaits ? member : undefined;
  }

  private get seed(): bigint {
    const what = this.shown_?.order?.what;
    return what?.case === 'variations' ? what.value.seed : kFirstSeed - 1n;
  }

  private make_foot(): HTMLElement {
    return h(
      'footer',
      { class: 'variations-foot' },
      h(
        'label',
        {
          title:
            'Shares from −50 % to 150 %: more of what a variation differs in, or the opposite of it',
        },
        this.beyond_,
        'Go beyond',
      ),
      h('div', { class: 'buttons variations-acts' }, this.keep_, this.next_),
    );
  }

  private fill(): void {
    const { element, open } = this.sheet_;
    element.append(
      h(
        'header',
        { class: 'variations-head' },
        h('h2', { text: 'Variations' }),
        this.who_,
        this.stop_,
        h(
          'div',
          { class: 'segmented', attributes: { role: 'group', 'aria-label': 'Shown' } },
          ...this.tabs_,
        ),
        h('button', {
          class: 'quiet',
          text: '×',
          title: 'Close (Esc)',
          attributes: { 'aria-label': 'Close the variations', 'data-test': 'variations-close' },
          on: { click: () => open.set(false) },
        }),
      ),
      this.note_,
      this.wrong_,
      h(
        'div',
        {
          class: 'variations-body scrolls',
          attributes: { tabindex: '0', role: 'group', 'aria-label': 'Pictures and shares' },
        },
        this.grid_,
        this.map_.element,
      ),
      this.foot_,
    );
    this.map_.on_ask = ({ axes, figure }) =>
      void this.begin({ case: 'landscape', value: { axes, figure } });
    this.map_.on_choose = (point) => this.choose(point);
    this.wrong('');
    this.turn_to('pictures');
  }

  private turn_to(tab: Tab): void {
    this.tab_ = tab;
    this.tabs_.forEach((button, i) =>
      button.setAttribute('aria-pressed', String(kTabs[i]?.tab === tab)),
    );
    this.grid_.hidden = tab !== 'pictures';
    this.map_.element.hidden = tab !== 'map';
    this.refresh();
  }

  private refresh(): void {
    const { member } = this;
    const { gait } = this.tools_.editor;
    if (!this.sheet_.open.value || !member) return;
    this.member_ = member.id;
    write(this.who_, gait ? `of ${gait.title || gait.name.replaceAll(/[_-]+/g, ' ')}` : '');
    const study = this.poll_.study.value;
    const running = this.poll_.runs;
    if (gait && has_variations_of(study, member.id, gait)) this.show(study as GaitStudy, member);
    else if (gait && !running && this.poll_.asked.value && this.tab_ === 'pictures')
      this.begin_once(gait);
    this.seen_ = gait;
    if (gait && study) this.show_map(study, member, gait);
    const { length } = this.tiles_;
    this.stop_.hidden = !running;
    this.foot_.hidden = length === 0 || this.tab_ !== 'pictures';
    this.grid_.classList.toggle('waits', running);
    write(this.note_, this.told(study, running));
    this.note_.hidden = this.note_.textContent === '';
    const may = this.context_.world.may('player');
    for (const tile of this.tiles_) tile.set_enabled(may);
    this.own_?.set_enabled(may);
    this.beyond_.disabled = !may;
    apply_rights(this.sheet_.element, this.context_.world);
    if (running) this.next_.disabled = true;
    this.map_.set_enabled(!running && this.context_.world.may('operator'));
  }

  /** What there is to say besides the pictures. */
  private told(study: GaitStudy | undefined, running: boolean): string {
    if (running) {
      const seconds = Math.round(study?.seconds ?? 0);
      return study?.order?.what.case === 'landscape'
        ? `The gait is tried at all points of the map. ${seconds} s`
        : `Random directions are explored, each until the gait falls or is 30 % slower or faster. ${seconds} s`;
    }
    if (study?.state === RoomSearch_State.FAILED) return `It failed: ${study.trouble}.`;
    if (study?.state === RoomSearch_State.STOPPED) return 'Stopped before it was done.';
    if (this.tab_ === 'map') return '';
    if (!this.shown_)
      return this.context_.world.may('operator') ? '' : 'An operator can begin one.';
    const slow = this.pictures_.slower;
    const slower = slow > 1 ? `Pictures are ${slow} times slower than the toy. ` : '';
    return slower + shortage(this.shown_);
  }

  private show(study: GaitStudy, member: Member): void {
    if (study === this.shown_) return;
    const had = this.shown_ !== undefined || this.begun_for_ !== undefined;
    this.shown_ = study;
    this.tiles_ = (study.variations?.variations ?? []).map((look) =>
      this.tile_of(look.name, study),
    );
    this.own_ = this.own_tile_of(study);
    const elements = this.tiles_.map(({ element }) => element);
    if (this.own_) elements.splice(kBeforeOwn, 0, this.own_.element);
    this.grid_.replaceChildren(...elements);
    this.set_range(this.tools_.editor.mix.beyond.value);
    // What was asked for here becomes part of the gait at once, so that the first move of a slider has nothing to wait for.
    if (had && this.context_.world.may('player')) this.take_in();
    this.show_shares();
    const tiles = [...(this.own_ ? [this.own_] : []), ...this.tiles_];
    const loops = tiles.flatMap(({ look }) => (look.take && loop_of(look.take)) ?? []);
    if (loops.length < tiles.length || loops.length === 0) return this.pictures_.stop();
    const places = tiles.map(({ picture }) => picture);
    this.pictures_.set(member.skeleton, member.color, places, loops);
  }

  private own_tile_of({ variations }: GaitStudy): OwnTile | undefined {
    if (!variations?.nominal) return undefined;
    const tile = new OwnTile(variations.nominal);
    tile.picture.addEventListener('click', () => this.none());
    return tile;
  }

  private tile_of(name: string, { variations }: GaitStudy): VariationTile {
    const look = variations?.variations.find((one) => one.name === name);
    const tile = new VariationTile(look as NonNullable<typeof look>);
    tile.row.on_share = (share) => this.share(name, share);
    tile.picture.addEventListener('click', () => {
      const share = this.tools_.editor.mix.share_of(name);
      this.share(name, share === 1 ? 0 : 1);
    });
    return tile;
  }

  /** Makes the variations variants of the toy's gait, where they are not. */
  private take_in(): void {
    const { editor } = this.tools_;
    const { gait } = editor;
    if (!gait || !this.shown_) return;
    const all = with_variations(gait, found_variants(this.shown_), editor.mix.shares.value);
    if (all !== gait) editor.change(all);
  }

  private share(name: string, share: number): void {
    this.take_in();
    this.tools_.editor.mix.set_share(name, share);
  }

  private none(): void {
    const { mix } = this.tools_.editor;
    for (const { look } of this.tiles_)
      if (mix.share_of(look.name) !== 0) mix.set_share(look.name, 0);
  }

  private show_shares(): void {
    const { mix } = this.tools_.editor;
    for (const tile of this.tiles_) tile.show(mix.share_of(tile.look.name));
    this.own_?.show(mix.shares.value[0] ?? 1);
    this.foot_.classList.toggle('beyond', extrapolates(mix.shares.value));
  }

  private set_range(beyond: boolean): void {
    this.beyond_.checked = beyond;
    const { least, most } = beyond ? kBeyond : { least: 0, most: 1 };
    for (const { row } of this.tiles_) row.set_range(least, most);
    this.show_shares();
  }

  /** Begins a search of variations, once, where there is none of this gait. */
  private begin_once(gait: Gait): void {
    const known = [this.shown_?.variations?.gait, this.begun_for_];
    if (known.some((one) => one && same_states(one, gait))) return;
    if (!this.context_.world.may('operator')) return;
    this.begun_for_ = gait;
    this.forget();
    void this.begin({ case: 'variations', value: { seed: kFirstSeed } });
  }

  private async begin(what: MessageInitShape<typeof GaitStudyOrderSchema>['what']): Promise<void> {
    const character = this.member?.id;
    if (character === undefined || !what) return;
    await this.take(begin_study(this.tools_.api, { character, what }));
  }

  private show_map(study: GaitStudy, { id }: Member, gait: Gait): void {
    if (study.order?.character !== id || study.gait !== gait.name) return;
    this.map_.set_numbers(study.numbers);
    const { landscape } = study;
    if (!landscape || study === this.mapped_) return;
    this.mapped_ = study;
    this.map_.show(landscape);
  }

  /** Gives the toy the gait at a point of the map. */
  private choose(point: GridPoint): void {
    const { editor } = this.tools_;
    const { mapped_: mapped } = this;
    const { gait } = editor;
    if (!mapped?.landscape || mapped.gait !== gait?.name) return;
    if (!this.context_.world.may('player')) return;
    const { origin, states } = gait_at(gait, mapped.landscape, point);
    editor.change({ ...gait, ...(origin && { origin }), states });
    this.map_.mark(point);
  }

  private async take(asked: Promise<Answer<GaitStudy>>): Promise<void> {
    const answer = await asked;
    this.wrong(answer.kind === 'done' ? '' : problem_of(answer.error).text);
    if (answer.kind === 'done') this.poll_.tell(answer.value);
    else void this.poll_.ask();
  }

  private wrong(text: string): void {
    this.wrong_.hidden = text === '';
    write(this.wrong_, text);
  }

  private forget(): void {
    this.pictures_.stop();
    this.tiles_ = [];
    this.own_ = undefined;
    this.grid_.replaceChildren();
    this.shown_ = undefined;
  }

  private clear(): void {
    this.forget();
    this.member_ = undefined;
    this.begun_for_ = undefined;
    this.mapped_ = undefined;
    this.map_.show(undefined);
    this.wrong('');
  }
}
