// The editors of style and body. Every edited character has one document of each, kept for as long as the character
// exists, so that edits can still be undone after another character has been selected in between.
import { create, equals } from '@bufbuild/protobuf';
import type { BodyRecord, StyleRecord } from '../../gen/promenade/v1/api_pb';
import { CreatureSchema, type Creature } from '../../gen/promenade/v1/creature_pb';
import { type Style, StyleSchema } from '../../gen/promenade/v1/style_pb';
import { type CatalogueEntry, ErrorCode, ErrorSchema } from '../../gen/promenade/v1/wire_pb';
import type { Answer, Api } from '../../net/api';
import {
  editable,
  parse_body,
  print_body,
  with_name as with_body_name,
} from '../../state/edit/body_doc';
import { kFlag } from '../../net/frame';
import { controller_words, is_walking, kWalking } from '../../state/room/controllers';
import {
  body_differences,
  merged_body,
  merged_style,
  style_differences,
} from '../../state/edit/merge';
import type { Member } from '../../state/room/roster';
import { completed, parse_style, print_style, with_name } from '../../state/edit/style_doc';
import type { Context } from '../page/context';
import { BodyEditor } from './body_editor';
import { Desk } from './desk';
import type { CommandKind, LiveDocument, Loaded, Subject } from './live_document';
import { StyleEditor } from './style_editor';

const kStyleEvery_ms = 30; // two ticks of the room
const kBodyEvery_ms = 100;

function loaded<
  R extends {
    info?: CatalogueEntry | undefined;
    definition?: D | undefined;
    id: bigint;
    tick: bigint;
  },
  D extends { name: string },
>(
  answer: Answer<R>,
  make: (definition: D, info: CatalogueEntry | undefined) => D,
): Answer<Loaded<D>> {
  if (answer.kind === 'refused') return answer;
  const { info, definition, id, tick } = answer.value;
  if (!definition) {
    const message = 'The server sent no definition. Try again.';
    return { kind: 'refused', error: create(ErrorSchema, { code: ErrorCode.INTERNAL, message }) };
  }
  return {
    kind: 'done',
    value: {
      doc: make(definition, info),
      id,
      tick: Number(tick),
      source: {
        name: info?.name || definition.name,
        title: info?.title ?? '',
        version: info?.version ?? 0,
        built_in: info?.builtIn ?? false,
      },
    },
  };
}

const to_style = (answer: Answer<StyleRecord>) =>
  loaded<StyleRecord, Style>(answer, (style) => completed(style));
const to_body = (answer: Answer<BodyRecord>) =>
  loaded<BodyRecord, Creature>(answer, (body, info) =>
    editable(body, (info?.builtIn ?? false) || (info?.version ?? 0) > 0),
  );

/** @param command makes the command that gives a character a definition, or a style or body by its name */
function subject<Doc extends { name: string }>(
  command: (
    character: number,
    to: { definition: Doc; basedOn: Doc } | { name: string },
  ) => CommandKind,
  rest: Pick<Subject<Doc>, 'fetch' | 'same' | 'merged' | 'differences' | 'every_ms'>,
): Subject<Doc> {
  return {
    by_definition: (character, definition, basedOn) => command(character, { definition, basedOn }),
    by_name: (character, name) => command(character, { name }),
    name_of: ({ name }) => name,
    ...rest,
  };
}

function why_no_style({ controller }: Member): string | undefined {
  const title = (name: string) => controller_words(name).title;
  return is_walking(controller)
    ? undefined
    : `There is no style to edit: the controller is “${title(controller)}”, and only “${title(kWalking)}” uses styles.`;
}

export interface Editors {
  readonly style_panel: HTMLElement;
  readonly body_panel: HTMLElement;
  /** The style of the selected character; undefined until the server has sent it. */
  style(): LiveDocument<Style> | undefined;
  /** Called when the style's numbers may have changed. */
  on_style: () => void;
  /** Time at which the room last acknowledged an edit, ms on the clock of net/clock. */
  readonly acknowledged_ms: number;
  /** Updates the visible editor with changes from while it was hidden. */
  refresh(): void;
  /** Moves the phase markers to the moment that the picture shows. */
  draw(): void;
  undo(what: 'style' | 'body'): void;
  redo(what: 'style' | 'body'): void;
  /** Cancels a drag. @return whether there was one */
  cancel(): boolean;
}

/** @param panels to be filled */
export function make_editors(
  context: Context,
  api: Api,
  panels: Pick<Editors, 'style_panel' | 'body_panel'>,
): Editors {
  const { actions, selection, world } = context;
  const member = (): Member | undefined =>
    selection.first === undefined ? undefined : world.cast.value.by_id.get(selection.first);

  let acknowledged_ms = 0;
  const ask = async (kind: CommandKind) => {
    const outcome = await actions.ask(kind);
    if (outcome.kind === 'done') acknowledged_ms = outcome.received_ms;
    return outcome;
  };
  let queued = false;
  const refresh = () => {
    queued = false;
    const enabled = world.can_command && world.status.value.kind === 'online';
    for (const desk of desks) desk.refresh(enabled);
    editors.on_style();
  };
  /** Several changes between two pictures lead to one refresh. */
  const later = () => {
    if (queued) return;
    queued = true;
    queueMicrotask(refresh);
  };

  const base_of = (name: string): Creature | undefined => world.body_of(name);

  const styles = new Desk<Style, StyleEditor>(context, panels.style_panel, {
    shelf: {
      noun: 'style',
      load: async (name, version) => to_style(await api.style(name, version)),
      save: (doc, based_on) => api.save_style(doc, based_on),
      remove: (name, version) => api.remove('styles', name, version),
      versions: (name) => api.versions('styles', name),
      renamed: with_name,
      print: print_style,
      parse: parse_style,
    },
    subject: subject<Style>(
      (character, to) => ({
        case: 'setStyle',
        value: 'name' in to ? { character, style: to.name } : { character, ...to },
      }),
      {
        fetch: async (character) => to_style(await api.style_of(character)),
        same: (a, b) => equals(StyleSchema, a, b),
        merged: merged_style,
        differences: style_differences,
        every_ms: kStyleEvery_ms,
      },
    ),
    shown: ({ style, style_edited, style_id }) => ({
      name: style,
      edited: style_edited,
      id: style_id,
    }),
    lacks: why_no_style,
    editor: (current) => new StyleEditor(current, context.toasts),
    ask,
    changed: later,
  });
  const bodies = new Desk<Creature, BodyEditor>(context, panels.body_panel, {
    shelf: {
      noun: 'body',
      load: async (name, version) => to_body(await api.body(name, version)),
      save: async (doc, based_on) => {
        if (doc.base !== doc.name) return api.save_body(doc, based_on);
        const message = `“${doc.name}” cannot be based on itself. Choose another name.`;
        return {
          kind: 'refused',
          error: create(ErrorSchema, { code: ErrorCode.INVALID, message }),
        };
      },
      remove: (name, version) => api.remove('bodies', name, version),
      versions: (name) => api.versions('bodies', name),
      renamed: with_body_name,
      print: print_body,
      parse: parse_body,
    },
    subject: subject<Creature>(
      (character, to) => ({
        case: 'setBody',
        value: 'name' in to ? { character, body: to.name } : { character, ...to },
      }),
      {
        fetch: async (character) => to_body(await api.body_of(character)),
        same: (a, b) => equals(CreatureSchema, a, b),
        merged: merged_body,
        differences: body_differences,
        every_ms: kBodyEvery_ms,
      },
    ),
    shown: ({ skeleton, body_edited, body_id }) => ({
      name: skeleton.name,
      edited: body_edited,
      id: body_id,
    }),
    editor: (current) =>
      new BodyEditor(current, base_of, () => {
        const subject = member();
        return subject && { id: subject.id, color: subject.color };
      }),
    ask,
    changed: later,
  });
  const desks = [styles, bodies] as const;
  const desk_of = (what: 'style' | 'body') => (what === 'style' ? styles : bodies);

  const editors: Editors = {
    ...panels,
    style: () => styles.current(),
    on_style: () => {},
    get acknowledged_ms() {
      return acknowledged_ms;
    },
    refresh: () => later(),
    draw() {
      const walker = member();
      if (styles.panel.hidden || !walker) return;
      const glimpse = world.glimpses.sample(walker.id, world.pose.tick);
      const drawn = world.pose.cast.by_id.get(walker.id);
      const flags = drawn ? (world.pose.flags[drawn.index] ?? 0) : 0;
      styles.editor.set_now(
        glimpse && {
          phase: glimpse.phase,
          step: flags & kFlag.left_stance ? 'left' : 'right',
          speed: glimpse.details.speedMps,
          walking: glimpse.details.state === 'walking',
        },
      );
    },
    undo: (what) => desk_of(what).current()?.undo(),
    redo: (what) => desk_of(what).current()?.redo(),
    cancel: () => desks.some(({ editor }) => editor.cancel()),
  };

  selection.ids.watch(() => {
    for (const desk of desks) desk.selection_changed();
    later();
  });
  world.hello.watch(later);
  world.status.watch(later);
  world.catalogue.watch((catalogue) => {
    styles.set_entries(catalogue?.styles ?? []);
    bodies.set_entries(catalogue?.bodies ?? []);
    later();
  });
  world.shapes.watch(later);
  world.scene.watch(() => {
    for (const desk of desks) desk.keep(() => false);
    later();
  });
  world.cast.watch((cast) => {
    for (const desk of desks) desk.roster_changed(cast);
    later();
  });
  return editors;
}
