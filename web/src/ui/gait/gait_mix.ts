// The mix of a character's gait: a slider for the share of each variant, and a choice of gaits that become variants.
import type { Gait } from '../../gen/promenade/v1/gait_pb';
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import {
  carried,
  extrapolates,
  gait_title,
  gait_words,
  is_steered,
  kBeyond,
  type Shares,
  shares_of,
  that_mix,
  with_share,
  without_variant,
} from '../../state/gait/gait_mix';
import { is_leap } from '../../state/gait/leap';
import { is_variation } from '../../state/gait/variations';
import { Signal } from '../../state/values/signal';
import { field, h, write } from '../parts/dom';
import { MixRow, share_text } from './mix_row';

/** What the mix does to the character. */
export interface MixWork {
  /** Asks the room for other shares. */
  mix(shares: Shares): void;
  /** Leaves the mix to what steers the character. */
  leave(): void;
  /** Makes a gait of the catalogue a variant. */
  add(name: string): void;
  change(gait: Gait): void;
}

/** Shown of a gait and its character. */
export interface Mixed {
  readonly gait: Gait;
  readonly creature: string;
  readonly catalogue: readonly CatalogueEntry[];
}

export class GaitMix {
  readonly element: HTMLElement;
  /** The shares that this viewer sees. */
  readonly shares = new Signal<Shares>([1]);
  /** Whether shares may be below 0 or above 1. */
  readonly beyond = new Signal(false);
  private readonly own_title_ = h('span', { class: 'mix-own' });
  private readonly own_ = h('output', { attributes: { 'data-test': 'mix-own-share' } });
  private readonly rows_element_ = h('div', { class: 'mix-rows' });
  private readonly add_ = h('select', {
    attributes: { 'data-test': 'mix-add' },
    on: { change: () => this.choose() },
  });
  private readonly add_row_ = field('Mix in', this.add_);
  private readonly beyond_ = h('input', {
    attributes: { type: 'checkbox', 'data-test': 'mix-beyond' },
    on: { change: () => this.beyond.set(this.beyond_.checked) },
  });
  private readonly beyond_row_ = h(
    'label',
    {
      class: 'mix-beyond',
      title: 'Shares from −50 % to 150 %: more of what a variant differs in, or the opposite of it',
    },
    this.beyond_,
    'Go beyond 0 and 100 %',
  );
  private readonly leave_ = h('button', {
    text: 'Let steering mix',
    title: 'What steers the character, as its heading, chooses the shares again',
    attributes: { type: 'button', 'data-test': 'mix-leave' },
    on: { click: () => this.work_.leave() },
  });
  private readonly note_ = h('p', {
    class: 'mix-note',
    attributes: { role: 'status', 'data-test': 'mix-note' },
  });
  private rows_: readonly MixRow[] = [];
  private shown_: Mixed | undefined;
  private listed_ = '';
  private offered_ = '';

  constructor(private readonly work_: MixWork) {
    this.element = h(
      'div',
      { class: 'gait-mix', attributes: { role: 'group', 'aria-label': 'Mix of gaits' } },
      this.rows_element_,
      this.note_,
      this.beyond_row_,
      this.leave_,
      this.add_row_,
    );
    this.beyond.watch((on) => {
      this.beyond_.checked = on;
      this.set_ranges();
    });
  }

  /** @param enabled whether this viewer may change anything */
  refresh(shown: Mixed, enabled: boolean): void {
    const { gait } = shown;
    const before = this.shown_?.gait;
    this.shown_ = shown;
    if (before !== gait) {
      const shares = (before && carried(this.shares.value, before, gait)) ?? [];
      this.shares.set(shares_of(shares, gait));
    }
    this.list_rows(shown);
    this.offer(shown);
    const mixes = !gait.variants.every(is_leap);
    this.rows_element_.hidden = this.beyond_row_.hidden = !mixes;
    this.leave_.hidden = !is_steered(gait);
    for (const one of [this.add_, this.beyond_, this.leave_]) one.disabled = !enabled;
    for (const row of this.rows_) row.set_enabled(enabled);
    this.tell();
  }

  /** Takes in the room's shares. @param plays whether they count at once: one that stands mixes when it begins */
  show(weights: readonly number[], plays: boolean): void {
    const { gait } = this.shown_ ?? {};
    if (!gait || weights.length !== 1 + this.rows_.length) return;
    if (!plays) for (const row of this.rows_) row.trust();
    const shares = shares_of(weights, gait);
    const placed = this.rows_.filter((row, i) => row.place(shares[1 + i] ?? 0));
    if (placed.length < this.rows_.length) return; // a mix of old and new shares would be told
    this.shares.set(shares);
    if (extrapolates(shares)) this.beyond.set(true); // somebody else has gone there
    this.tell();
  }

  /** The gait whose shares they are. */
  get gait(): Gait | undefined {
    return this.shown_?.gait;
  }

  /** The share of a variant; 0 of one that the gait does not have. */
  share_of(variant: string): number {
    return this.shares.value[1 + this.index_of(variant)] ?? 0;
  }

  /** As if a slider were moved. */
  set_share(variant: string, share: number): void {
    const index = this.index_of(variant);
    if (index >= 0) this.share(index, share);
  }

  private index_of(variant: string): number {
    const index = this.shown_?.gait.variants.findIndex(({ name }) => name === variant) ?? -1;
    return index < 0 ? -2 : index;
  }

  private choose(): void {
    const name = this.add_.value;
    this.add_.value = '';
    if (name) this.work_.add(name);
  }

  private list_rows({ gait, catalogue }: Mixed): void {
    write(this.own_title_, gait.title || gait_title(gait.name, catalogue));
    const titles = gait.variants.map(({ name }) => gait_title(name, catalogue));
    const key = `${gait.name}|${gait.variants.map(({ name }, i) => `${name} ${titles[i]}`).join()}`;
    if (key === this.listed_) return;
    this.listed_ = key;
    this.rows_ = gait.variants.map(({ name }, i) => {
      const row = new MixRow(name, titles[i] as string);
      row.on_share = (share) => this.share(i, share);
      row.on_remove = () => {
        if (this.shown_) this.work_.change(without_variant(this.shown_.gait, name));
      };
      row.show(this.shares.value[1 + i] ?? 0);
      return row;
    });
    this.rows_element_.replaceChildren(
      h('div', { class: 'mix-head' }, this.own_title_, this.own_),
      ...this.rows_.flatMap(({ cells }) => cells),
    );
    if (this.rows_.length === 0) this.beyond.set(false);
    this.set_ranges();
  }

  private offer({ gait, creature, catalogue }: Mixed): void {
    const fitting = that_mix(gait, creature, catalogue);
    const texts = fitting.map(gait_words);
    const key = `${fitting.map(({ name }) => name).join()}|${texts.join()}`;
    this.add_row_.hidden = fitting.length === 0;
    if (key === this.offered_) return;
    this.offered_ = key;
    this.add_.replaceChildren(
      h('option', { text: 'another gait …', attributes: { value: '' } }),
      ...fitting.map(({ name }, i) =>
        h('option', { text: texts[i] as string, attributes: { value: name } }),
      ),
    );
  }

  private share(variant: number, value: number): void {
    this.shares.set(with_share(this.shares.value, variant, value, this.beyond.value));
    this.rows_.forEach((row, i) => {
      row.trust();
      row.show(this.shares.value[1 + i] ?? 0);
    });
    this.tell();
    this.work_.mix(this.shares.value);
  }

  private set_ranges(): void {
    const { least, most } = this.beyond.value ? kBeyond : { least: 0, most: 1 };
    for (const row of this.rows_) row.set_range(least, most);
    const own = this.shares.value[0] ?? 1;
    const inside = this.shares.value.slice(1).map((share) => Math.min(1, Math.max(0, share)));
    if (this.beyond.value || !extrapolates(this.shares.value)) return;
    // Back between 0 and 1, each in its turn.
    const back = inside.reduce((shares, share, i) => with_share(shares, i, share, false), [
      own,
      ...inside.map(() => 0),
    ] as Shares);
    this.shares.set(back);
    this.rows_.forEach((row, i) => row.show(this.shares.value[1 + i] ?? 0));
    this.tell();
    this.work_.mix(this.shares.value);
  }

  private tell(): void {
    // Variations have their sliders beside their pictures, here are those that are mixed in; a leap has its size.
    this.rows_.forEach((row, i) => {
      const variant = this.shown_?.gait.variants[i];
      const elsewhere = is_variation(row.name) && this.share_of(row.name) === 0;
      row.set_hidden(elsewhere || (variant !== undefined && is_leap(variant)));
    });
    write(this.own_, share_text(this.shares.value[0] ?? 1));
    const beyond = this.rows_.length > 0 && extrapolates(this.shares.value);
    this.note_.hidden = !beyond;
    write(
      this.note_,
      beyond ? 'This extrapolates: a share is below 0 or above 100 %. It may fall.' : '',
    );
  }
}
