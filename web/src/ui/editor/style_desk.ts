// The desk of styles: how styles are fetched, sent, saved and compared.
import { equals } from '@bufbuild/protobuf';
import type { StyleRecord } from '../../gen/promenade/v1/api_pb';
import { type Style, StyleSchema } from '../../gen/promenade/v1/style_pb';
import type { Answer, Api } from '../../net/api';
import { merged_style, style_differences } from '../../state/edit/merge';
import { completed, parse_style, print_style, with_name } from '../../state/edit/style_doc';
import type { Families } from '../../state/room/families';
import type { Member } from '../../state/room/roster';
import type { Context } from '../page/context';
import { Desk } from './desk';
import { type DeskWork, loaded, subject } from './desk_parts';
import type { Shelf } from './document_bar';
import type { Subject } from './live_document';
import { StyleEditor } from './style_editor';

const kEvery_ms = 30; // two ticks of the room

export type StyleDesk = Desk<Style, StyleEditor>;

const to_style = (answer: Answer<StyleRecord>) =>
  loaded<StyleRecord, Style>(answer, (style) => completed(style));

function why_no_style({ family }: Member, families: Families): string | undefined {
  if (family.styled) return undefined;
  const others = families.titles(({ styled }) => styled);
  return `There is no style to edit: the controller is “${family.title}”. A character has a style with ${others} only.`;
}

function shelf(api: Api): Shelf<Style> {
  return {
    noun: 'style',
    load: async (name, version) => to_style(await api.style(name, version)),
    save: (doc, based_on) => api.save_style(doc, based_on),
    remove: (name, version) => api.remove('styles', name, version),
    versions: (name) => api.versions('styles', name),
    renamed: with_name,
    print: print_style,
    parse: parse_style,
  };
}

function styles_of_characters(api: Api): Subject<Style> {
  return subject<Style>(
    (character, to) => ({
      case: 'setStyle',
      value: 'name' in to ? { character, style: to.name } : { character, ...to },
    }),
    {
      fetch: async (character) => to_style(await api.style_of(character)),
      same: (a, b) => equals(StyleSchema, a, b),
      merged: merged_style,
      differences: style_differences,
      every_ms: kEvery_ms,
    },
  );
}

/** @param panel to be filled */
export function style_desk(
  context: Context,
  api: Api,
  panel: HTMLElement,
  work: DeskWork,
): StyleDesk {
  return new Desk<Style, StyleEditor>(context, panel, {
    shelf: shelf(api),
    subject: styles_of_characters(api),
    shown: ({ style, style_edited, style_id }) => ({
      name: style,
      edited: style_edited,
      id: style_id,
    }),
    lacks: (member) => why_no_style(member, context.world.families),
    editor: (current) => new StyleEditor(current, context.toasts),
    ...work,
  });
}
