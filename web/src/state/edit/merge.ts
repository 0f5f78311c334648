// Changes that several people make to one style, body or gait at the same time. Those of styles and bodies are put together
// by the rules of the server (server/world/command/merging); gaits by this page alone.
import type { Creature, LinkEdit } from '../../gen/promenade/v1/creature_pb';
import type { Gait, GaitVariant } from '../../gen/promenade/v1/gait_pb';
import { type JointCurve, type Style } from '../../gen/promenade/v1/style_pb';
import { kLinkNumbers, link_title } from './body_doc';
import { kFootSlot, kSlots, kStyleNumbers } from './style_doc';

type Fields = Readonly<Record<string, unknown>>;

/** The parts of a message that are more than one value. */
interface Parts {
  /** Fields whose own fields count one by one. */
  readonly inside?: Readonly<Record<string, Parts>>;
  /** Lists whose entries count one by one, and the subject of an entry. */
  readonly lists?: Readonly<Record<string, (entry: never) => string>>;
}

const kStyleParts: Parts = {
  lists: { curves: ({ joint, axis, side }: JointCurve) => `${joint}.${axis}.${side}` },
};
const kBodyParts: Parts = { inside: { edit: { lists: { links: ({ link }: LinkEdit) => link } } } };

const kGaitParts: Parts = { lists: { variants: ({ name }: GaitVariant) => name } };

export function merged_style(base: Style, mine: Style, theirs: Style): Style {
  return merged(base, mine, theirs, kStyleParts);
}

export function merged_body(base: Creature, mine: Creature, theirs: Creature): Creature {
  // Changes of parts of one body say nothing about the parts of another.
  if (base.base !== theirs.base) return mine.base === base.base ? theirs : mine;
  return merged(base, mine, theirs, kBodyParts);
}

export function merged_gait(base: Gait, mine: Gait, theirs: Gait): Gait {
  // Variants of one gait are no variants of another.
  if (base.name !== theirs.name) return mine.name === base.name ? theirs : mine;
  return merged(base, mine, theirs, kGaitParts);
}

/** Titles of what differs between two gaits. */
export function gait_differences(a: Gait, b: Gait): string[] {
  if (a.name !== b.name) return ['The whole gait'];
  const title = ([field, variant]: Path) =>
    field === 'variants' ? `What is mixed in: ${variant ?? ''}` : 'The poses of the gait';
  return unique(differences(a, b, kGaitParts).map(title));
}

/** Titles of what differs between two styles. */
export function style_differences(a: Style, b: Style): string[] {
  const title = ([field, subject]: Path) => {
    if (field === 'footHeightM' || field === 'rightFootHeightM') return kFootSlot.title;
    const number = kStyleNumbers.find(({ key }) => key === field);
    if (field !== 'curves') return number?.title ?? 'Name and description';
    const [joint, axis] = (subject ?? '').split('.');
    const slot = kSlots.find((one) => one.joint === joint && one.axis === Number(axis));
    return slot?.title ?? joint ?? '';
  };
  return unique(differences(a, b, kStyleParts).map(title));
}

/** Titles of what differs between two bodies. */
export function body_differences(a: Creature, b: Creature): string[] {
  const title = ([field, part, link]: Path) => {
    if (field !== 'edit') return field === 'base' ? 'The whole body' : 'Name and description';
    if (part === 'links' && link) return link_title(link);
    return part === 'scale' ? 'Size' : kLinkNumbers[0].title;
  };
  return unique(differences(a, b, kBodyParts).map(title));
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Whether a field that is left out means this value. */
function is_default(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

export function same_value(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a === undefined || b === undefined) return is_default(a) && is_default(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [x, y] = [a as Fields, b as Fields];
  return names_of(x, y).every((name) => same_value(x[name], y[name]));
}

/** Names of fields, also of those that only some of the messages have; indices of arrays. */
function names_of(...messages: (Fields | undefined)[]): string[] {
  const names = new Set(messages.flatMap((message) => Object.keys(message ?? {})));
  return [...names].filter((name) => !name.startsWith('$'));
}

/** Mine where it differs from the base, theirs elsewhere. */
function merged<T extends object>(base: T, mine: T, theirs: T, parts: Parts): T {
  const [b, m, t] = [base as Fields, mine as Fields, theirs as Fields];
  const out: Record<string, unknown> = { ...t };
  for (const name of names_of(b, m)) {
    if (same_value(b[name], m[name])) continue;
    const subject_of = parts.lists?.[name];
    const inside = parts.inside?.[name];
    if (subject_of) {
      out[name] = merged_list(list_of(b[name]), list_of(m[name]), list_of(t[name]), subject_of);
    } else if (inside && m[name] !== undefined && t[name] !== undefined) {
      out[name] = merged((b[name] ?? {}) as object, m[name] as object, t[name] as object, inside);
    } else if (m[name] === undefined) {
      delete out[name];
    } else {
      out[name] = m[name];
    }
  }
  return out as T;
}

const list_of = (list: unknown): readonly object[] => (list ?? []) as readonly object[];

type Subject = (entry: never) => string;

/** Entries by what they are about and, as several may be about the same, by which of them they are. */
function by_subject(list: readonly object[], subject_of: Subject): Map<string, object> {
  const count = new Map<string, number>();
  return new Map(
    list.map((entry) => {
      const subject = subject_of(entry as never);
      const which = count.get(subject) ?? 0;
      count.set(subject, which + 1);
      return [which === 0 ? subject : `${subject}#${which}`, entry];
    }),
  );
}

/** Entries keep their order in `theirs`; new ones of `mine` come behind them. */
function merged_list(
  base: readonly object[],
  mine: readonly object[],
  theirs: readonly object[],
  subject_of: Subject,
): object[] {
  const [was, is, others] = [base, mine, theirs].map((list) => by_subject(list, subject_of)) as [
    Map<string, object>,
    Map<string, object>,
    Map<string, object>,
  ];
  const out: object[] = [];
  for (const [subject, entry] of others) {
    const own = is.get(subject);
    if (was.has(subject) && !own) continue; // taken away by this edit
    out.push(own ? merged(was.get(subject) ?? {}, own, entry, {}) : entry);
  }
  for (const [subject, entry] of is) {
    const untouched = was.has(subject) && same_value(was.get(subject), entry);
    if (!others.has(subject) && !untouched) out.push(entry); // untouched: taken away by them
  }
  return out;
}

/** Where a difference is: names of fields, then what an entry of a list is about. */
type Path = readonly string[];

function differences(a: object, b: object, parts: Parts): Path[] {
  const [x, y] = [a as Fields, b as Fields];
  return names_of(x, y).flatMap((name): Path[] => {
    if (same_value(x[name], y[name])) return [];
    const subject_of = parts.lists?.[name];
    const inside = parts.inside?.[name];
    if (inside) {
      const within = differences((x[name] ?? {}) as object, (y[name] ?? {}) as object, inside);
      return within.map((path) => [name, ...path]);
    }
    if (!subject_of) return [[name]];
    const [from, to] = [
      by_subject(list_of(x[name]), subject_of),
      by_subject(list_of(y[name]), subject_of),
    ];
    return [...new Set([...from.keys(), ...to.keys()])]
      .filter((subject) => !same_value(from.get(subject), to.get(subject)))
      .map((subject) => [name, subject]);
  });
}
