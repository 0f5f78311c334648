// The desk of gaits: how the gaits of wind-up toys are fetched, sent, saved and mixed.
import { equals } from '@bufbuild/protobuf';
import type { GaitRecord } from '../../gen/promenade/v1/api_pb';
import { type Gait, GaitSchema } from '../../gen/promenade/v1/gait_pb';
import type { Answer, Api } from '../../net/api';
import { parse_gait, print_gait, with_name } from '../../state/edit/gait_doc';
import { gait_differences, merged_gait } from '../../state/edit/merge';
import { gait_words, gaits_of } from '../../state/gait/gait_mix';
import type { Families } from '../../state/room/families';
import type { Member } from '../../state/room/roster';
import { first_selected } from '../character/selected_head';
import { Desk } from '../editor/desk';
import { type DeskWork, loaded, subject } from '../editor/desk_parts';
import type { Shelf } from '../editor/document_bar';
import { type LiveDocument, problem_of, type Subject } from '../editor/live_document';
import type { Context } from '../page/context';
import type { OpenSheet } from '../page/open_sheets';
import { field, h } from '../parts/dom';
import { LateSheet, Later } from '../parts/later';
import { GaitEditor } from './gait_editor';

const kEvery_ms = 100;
const kVariations = new Later(() => import('../variations/variations_sheet'));

const to_gait = (answer: Answer<GaitRecord>) => loaded<GaitRecord, Gait>(answer, (gait) => gait);

function why_no_gait({ family, gait }: Member, families: Families): string | undefined {
  if (!family.playsGaits) {
    const others = families.titles(({ playsGaits }) => playsGaits);
    return `There is no gait to choose: the controller is “${family.title}”. A character plays a gait with ${others} only.`;
  }
  return gait === '' ? 'It has no gait, so it stands.' : undefined;
}

function shelf(api: Api, editor: () => GaitEditor): Shelf<Gait> {
  return {
    noun: 'gait',
    save_word: 'Keep as …',
    kept: (doc) => editor().kept(doc),
    load: async (name, version) => to_gait(await api.gait(name, version)),
    save: (doc, based_on) => api.save_gait(doc, based_on),
    remove: (name, version) => api.remove('gaits', name, version),
    versions: (name) => api.versions('gaits', name),
    renamed: with_name,
    print: print_gait,
    parse: parse_gait,
  };
}

function gaits_of_characters(api: Api, editor: () => GaitEditor): Subject<Gait> {
  const parts = subject<Gait>(
    (character, to) => ({
      case: 'setGait',
      value: 'name' in to ? { character, gait: to.name } : { character, definition: to.definition },
    }),
    {
      fetch: async (character) => to_gait(await api.gait_of(character)),
      same: (a, b) => equals(GaitSchema, a, b),
      merged: merged_gait,
      differences: gait_differences,
      every_ms: kEvery_ms,
    },
  );
  return {
    ...parts,
    // The mix stays where a variant comes or goes.
    by_definition: (character, definition, before) => {
      const weights = editor().carried(before, definition);
      return {
        case: 'setGait',
        value: { character, definition, ...(weights && { weights: [...weights] }) },
      };
    },
  };
}

export class GaitDesk extends Desk<Gait, GaitEditor> {
  private readonly choice_ = h('select', {
    attributes: { 'data-test': 'gait-first' },
    on: { change: () => this.give(this.choice_.value) },
  });
  private readonly choice_row_ = field('Gait', this.choice_);
  private offered_ = '';

  /** @param panel to be filled @param add_sheet has Esc close a sheet */
  constructor(
    private readonly page_: Context,
    api: Api,
    panel: HTMLElement,
    work: DeskWork,
    add_sheet: (sheet: OpenSheet) => void,
  ) {
    const editor = () => this.editor;
    const { toasts, world } = page_;
    const make = (current: () => LiveDocument<Gait> | undefined) =>
      new GaitEditor(
        page_,
        current,
        () => first_selected(page_, false),
        async (name) => {
          const answer = await api.gait(name, 0);
          if (answer.kind === 'done') return answer.value.definition;
          toasts.show(problem_of(answer.error).text, 'error');
          return undefined;
        },
        () => sheet.open.set(true),
      );
    super(page_, panel, {
      shelf: shelf(api, editor),
      subject: gaits_of_characters(api, editor),
      shown: ({ gait, gait_edited, gait_id }) => ({ name: gait, edited: gait_edited, id: gait_id }),
      lacks: (member) => why_no_gait(member, world.families),
      searched: (character) => world.learner.value === character,
      editor: make,
      ...work,
    });
    const keep = () => {
      sheet.open.set(false);
      this.ask_name();
    };
    const tools = { api, editor: this.editor, keep };
    const sheet: LateSheet = new LateSheet(
      h('section', {
        class: 'variations',
        attributes: { 'aria-label': 'Variations of the gait', 'data-test': 'variations' },
      }),
      toasts,
      async (own) => (await kVariations.get()).variations_sheet(page_, tools, own),
    );
    add_sheet({ name: 'variations', element: sheet.element, open: sheet.open });
    // It takes the place of what else the panel of the character has.
    sheet.open.watch((on) => on && panel.closest('.character')?.append(sheet.element));
    panel.append(this.choice_row_);
    world.learner.watch(work.changed);
    world.details.watch((all) => {
      const member = first_selected(page_, false);
      if (!member?.family.playsGaits) return;
      const live = all.get(member.id);
      const tick_s = world.hello.value?.tick_s ?? 1 / 60;
      this.editor.show(live?.details, (live?.tick ?? 0) * tick_s);
    });
  }

  override refresh(enabled: boolean): void {
    this.offer();
    this.choice_.disabled = !enabled;
    super.refresh(enabled);
  }

  /** Offers the gaits of the selected character's creature. */
  private offer(): void {
    const member = first_selected(this.page_, false);
    if (!member) return;
    const { catalogue } = this.page_.world;
    const gaits = gaits_of(member.skeleton.name, catalogue.value?.gaits ?? []);
    const first = member.family.playsGaits && member.gait === '' && gaits.length > 0;
    this.choice_row_.hidden = !first;
    const key = `${catalogue.value?.revision} ${member.skeleton.name}`;
    if (key === this.offered_) return;
    this.offered_ = key;
    const entries = gaits.map((entry) => ({ ...entry, title: gait_words(entry) }));
    this.set_entries(entries);
    this.choice_.replaceChildren(
      h('option', { text: 'Choose a gait …', attributes: { value: '' } }),
      ...entries.map(({ name, title }) =>
        h('option', { text: title, attributes: { value: name } }),
      ),
    );
  }

  /** Gives the character its first gait. */
  private give(gait: string): void {
    const member = first_selected(this.page_, false);
    if (!member || !gait) return;
    const value = { character: member.id, gait };
    void this.page_.actions.send({ case: 'setGait', value });
  }
}
