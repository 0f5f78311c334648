// The style and the body of the selected character: one document each, kept while the character is
// there, so that what was done to it can be undone when one comes back to it.
import { create, equals } from '@bufbuild/protobuf';
import type { BodyRecord, StyleRecord } from '../../gen/promenade/v1/api_pb';
import { CharacterSchema, type Character } from '../../gen/promenade/v1/character_pb';
import { type Style, StyleSchema } from '../../gen/promenade/v1/style_pb';
import { type CatalogueEntry, ErrorCode, ErrorSchema } from '../../gen/promenade/v1/wire_pb';
import type { Answer, Api } from '../../net/api';
import {
  editable,
  parse_body,
  print_body,
  with_name as with_body_name,
} from '../../state/body_doc';
import { kFlag } from '../../state/frame';
import type { Member } from '../../state/roster';
import { completed, parse_style, print_style, with_name } from '../../state/style_doc';
import type { Context } from '../context';
import { h, write } from '../dom';
import { BodyEditor } from './body_editor';
import { DocumentBar } from './document_bar';
import { LiveDocument, type Loaded, type Subject } from './live_document';
import { StyleEditor } from './style_editor';

const kStyleEvery_ms = 50;
const kBodyEvery_ms = 100;

function loaded<
  R extends { info?: CatalogueEntry | undefined; definition?: D | undefined },
  D extends { name: string },
>(
  answer: Answer<R>,
  make: (definition: D, info: CatalogueEntry | undefined) => D,
): Answer<Loaded<D>> {
  if (answer.kind === 'refused') return answer;
  const { info, definition } = answer.value;
  if (!definition) {
    const message = 'The server did not send the definition.';
    return { kind: 'refused', error: create(ErrorSchema, { code: ErrorCode.INTERNAL, message }) };
  }
  return {
    kind: 'done',
    value: {
      doc: make(definition, info),
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
  loaded<BodyRecord, Character>(answer, (body, info) =>
    editable(body, (info?.builtIn ?? false) || (info?.version ?? 0) > 0),
  );

export interface Editors {
  readonly style_panel: HTMLElement;
  readonly body_panel: HTMLElement;
  /** The style of the selected, once it is known. */
  style(): LiveDocument<Style> | undefined;
  /** Told when the style's numbers may have changed. */
  on_style: () => void;
  /** When the room last said that an edit was in effect, ms as net/clock has it. */
  acknowledged_ms: number;
  /** Shows what may have changed while a panel was hidden. */
  refresh(): void;
  /** Brings the marker to where the picture is. */
  draw(): void;
  undo(what: 'style' | 'body'): void;
  redo(what: 'style' | 'body'): void;
  /** Gives up a drag under way. */
  cancel(): boolean;
}

export function make_editors(context: Context, api: Api): Editors {
  const { actions, selection, toasts, world } = context;
  const member = (): Member | undefined =>
    selection.first === undefined ? undefined : world.cast.value.by_id.get(selection.first);

  const style_subject: Subject<Style> = {
    fetch: async (character) => to_style(await api.style_of(character)),
    by_definition: (character, definition) => ({
      case: 'setStyle',
      value: { character, definition },
    }),
    by_name: (character, style) => ({ case: 'setStyle', value: { character, style } }),
    same: (a, b) => equals(StyleSchema, a, b),
    name_of: ({ name }) => name,
    every_ms: kStyleEvery_ms,
  };
  const body_subject: Subject<Character> = {
    fetch: async (character) => to_body(await api.body_of(character)),
    by_definition: (character, definition) => ({
      case: 'setBody',
      value: { character, definition },
    }),
    by_name: (character, body) => ({ case: 'setBody', value: { character, body } }),
    same: (a, b) => equals(CharacterSchema, a, b),
    name_of: ({ name }) => name,
    every_ms: kBodyEvery_ms,
  };

  const styles = new Map<number, LiveDocument<Style>>();
  const bodies = new Map<number, LiveDocument<Character>>();
  const ask = async (kind: Parameters<typeof actions.ask>[0]) => {
    const outcome = await actions.ask(kind);
    if (outcome.kind === 'done') editors.acknowledged_ms = outcome.received_ms;
    return outcome;
  };
  const document_of = <Doc>(
    map: Map<number, LiveDocument<Doc>>,
    subject: Subject<Doc>,
    shown: (who: Member) => { name: string; edited: boolean },
    changed: () => void,
  ): LiveDocument<Doc> | undefined => {
    const who = member();
    if (!who) return undefined;
    let found = map.get(who.id);
    if (!found) {
      found = new LiveDocument(who.id, subject, ask, shown(who));
      found.on_change = changed;
      found.problem.watch(changed);
      map.set(who.id, found);
    }
    return found;
  };
  const style_shown = (who: Member) => ({ name: who.style, edited: who.style_edited });
  const body_shown = (who: Member) => ({ name: who.skeleton.name, edited: who.body_edited });
  const style = () => document_of(styles, style_subject, style_shown, later);
  const body = () => document_of(bodies, body_subject, body_shown, later);

  // The resolved bodies that edits are based on, by name.
  const bases = new Map<string, Character | 'asked'>();
  const base_of = (name: string): Character | undefined => {
    const built_in = world.scene.value?.bodies.find((one) => one.name === name);
    if (built_in) return built_in;
    const known = bases.get(name);
    if (known === undefined) {
      bases.set(name, 'asked');
      void api.body(name, 0).then((answer) => {
        if (answer.kind === 'done' && answer.value.resolved) bases.set(name, answer.value.resolved);
        later();
      });
    }
    return known === 'asked' ? undefined : known;
  };

  const style_bar = new DocumentBar<Style>(
    {
      noun: 'style',
      load: async (name, version) => to_style(await api.style(name, version)),
      save: (doc, based_on) => api.save_style(doc, based_on),
      remove: (name, version) => api.remove('styles', name, version),
      versions: (name) => api.versions('styles', name),
      renamed: with_name,
      name_of: ({ name }) => name,
      title_of: ({ title }) => title,
      print: print_style,
      parse: parse_style,
    },
    style,
    toasts,
  );
  const body_bar = new DocumentBar<Character>(
    {
      noun: 'body',
      load: async (name, version) => to_body(await api.body(name, version)),
      save: async (doc, based_on) => {
        if (doc.base !== doc.name) return api.save_body(doc, based_on);
        const message = `“${doc.name}” can not be based on itself; take another name.`;
        return {
          kind: 'refused',
          error: create(ErrorSchema, { code: ErrorCode.INVALID, message }),
        };
      },
      remove: (name, version) => api.remove('bodies', name, version),
      versions: (name) => api.versions('bodies', name),
      renamed: with_body_name,
      name_of: ({ name }) => name,
      title_of: ({ title }) => title,
      print: print_body,
      parse: parse_body,
    },
    body,
    toasts,
  );
  const style_editor = new StyleEditor(style, toasts);
  const body_editor = new BodyEditor(body, base_of, () => {
    const who = member();
    return who && { id: who.id, color: who.color, kin: who.skeleton.kin };
  });
  const note = () => h('p', { class: 'editor-note', attributes: { role: 'status' } });
  const style_note = note();
  const body_note = note();
  const style_panel = h(
    'div',
    { class: 'editor' },
    style_note,
    style_bar.element,
    style_editor.element,
  );
  const body_panel = h(
    'div',
    { class: 'editor' },
    body_note,
    body_bar.element,
    body_editor.element,
  );

  const tell = (line: HTMLElement, what: string, failure: string | undefined) => {
    const others = selection.ids.value.length - 1;
    const text = failure
      ? `${failure} Select it again to try once more.`
      : !world.can_command
        ? `You are watching as a viewer. Changing the ${what} needs the operator role: enter an access token under Connection.`
        : others > 0
          ? `Only the first of the ${others + 1} selected is edited here.`
          : '';
    line.hidden = !text;
    write(line, text);
  };

  let queued = false;
  const refresh = () => {
    queued = false;
    const who = member();
    const enabled = world.can_command && world.status.value.kind === 'online';
    if (who) {
      if (!style_panel.hidden) {
        style_bar.refresh(enabled);
        style_editor.refresh(enabled);
        tell(style_note, 'style', style()?.failure.value);
      }
      if (!body_panel.hidden) {
        body_bar.refresh(enabled);
        body_editor.refresh(enabled);
        tell(body_note, 'body', body()?.failure.value);
      }
    }
    editors.on_style();
  };
  /** Several changes at once are shown once, before the next picture. */
  const later = () => {
    if (queued) return;
    queued = true;
    queueMicrotask(refresh);
  };

  const editors: Editors = {
    style_panel,
    body_panel,
    style,
    on_style: () => {},
    acknowledged_ms: 0,
    refresh: () => later(),
    draw() {
      const who = member();
      if (style_panel.hidden || !who) return;
      const glimpse = world.glimpses.sample(who.id, world.pose.tick);
      const drawn = world.pose.cast.by_id.get(who.id);
      const flags = drawn ? (world.pose.flags[drawn.index] ?? 0) : 0;
      style_editor.set_now(
        glimpse && {
          phase: glimpse.phase,
          step: flags & kFlag.left_stance ? 'left' : 'right',
          speed: glimpse.details.speedMps,
          walking: glimpse.details.state === 'walking',
        },
      );
    },
    undo: (what) => (what === 'style' ? style() : body())?.undo(),
    redo: (what) => (what === 'style' ? style() : body())?.redo(),
    cancel: () => style_editor.cancel() || body_editor.cancel(),
  };

  selection.ids.watch(() => {
    style_bar.tell(undefined);
    body_bar.tell(undefined);
    for (const map of [styles, bodies])
      for (const [id, one] of map) if (one.failure.value !== undefined) map.delete(id);
    later();
  });
  world.hello.watch(later);
  world.status.watch(later);
  world.catalogue.watch((catalogue) => {
    bases.clear();
    style_bar.set_entries(catalogue?.styles ?? []);
    body_bar.set_entries(catalogue?.bodies ?? []);
    later();
  });
  world.scene.watch(() => {
    for (const map of [styles, bodies]) {
      for (const one of map.values()) one.dispose();
      map.clear();
    }
    later();
  });
  world.cast.watch((cast) => {
    for (const who of cast.members) {
      styles.get(who.id)?.roster(style_shown(who));
      bodies.get(who.id)?.roster(body_shown(who));
    }
    if (cast.version < 0) return;
    for (const map of [styles, bodies])
      for (const [id, one] of map)
        if (!cast.by_id.has(id)) {
          one.dispose();
          map.delete(id);
        }
    later();
  });
  return editors;
}
