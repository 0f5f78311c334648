// A body as the editor sees it: a base and how it was changed. Bodies are values: every change makes a
// new one.
import { create, fromJsonString, toJson } from '@bufbuild/protobuf';
import {
  BodyEditSchema,
  type Creature,
  CreatureSchema,
  type LinkEdit,
  LinkEditSchema,
} from '../../gen/promenade/v1/creature_pb';

export const kLinkNumbers = [
  { key: 'length', title: 'Length', low: 0.3, high: 3, step: 0.01, hint: 'Along the limb' },
  { key: 'width', title: 'Width', low: 0.3, high: 3, step: 0.01, hint: 'Across the limb' },
  { key: 'density', title: 'Density', low: 0.1, high: 10, step: 0.05, hint: 'Mass per volume' },
] as const;

export type LinkNumber = (typeof kLinkNumbers)[number]['key'];

export const kScale = { low: 0.3, high: 3, step: 0.01 } as const;

/** The same limb on the other side; undefined for a link in the middle. */
export function other_side(link: string): string | undefined {
  if (link.startsWith('left_')) return `right_${link.slice(5)}`;
  if (link.startsWith('right_')) return `left_${link.slice(6)}`;
  return undefined;
}

/** 'left_upper_arm' is 'Left upper arm'. */
export function link_title(link: string): string {
  const words = link.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The document to edit of a body: a body with a base stays as it is, a whole body that has a name becomes the base.
 * @param named whether the server knows the body by its name
 */
export function editable(body: Creature, named: boolean): Creature {
  if (body.base || !named) return body;
  const { name, title, description, color } = body;
  return create(CreatureSchema, { name, title, description, color, base: name });
}

export function scale_of(body: Creature): number {
  return body.edit?.scale || 1;
}

export function factor_of(body: Creature, link: string, key: LinkNumber): number {
  return body.edit?.links.find((edit) => edit.link === link)?.[key] || 1;
}

function clamp(x: number, { low, high }: { low: number; high: number }): number {
  return Math.round(Math.min(high, Math.max(low, x)) * 1e4) / 1e4;
}

export function with_scale(body: Creature, scale: number): Creature {
  const edit = body.edit ?? create(BodyEditSchema);
  return { ...body, edit: { ...edit, scale: clamp(scale, kScale) } };
}

/** Changes one factor of a link. @param both of the limb on the other side too */
export function with_factor(
  body: Creature,
  link: string,
  key: LinkNumber,
  factor: number,
  both: boolean,
): Creature {
  const range = kLinkNumbers.find((number) => number.key === key) ?? kLinkNumbers[0];
  const value = clamp(factor, range);
  const twin = both ? other_side(link) : undefined;
  const edit = body.edit ?? create(BodyEditSchema);
  const links = [...edit.links];
  for (const name of twin ? [link, twin] : [link]) {
    const i = links.findIndex((entry) => entry.link === name);
    const old = links[i] ?? create(LinkEditSchema, { link: name, length: 1, width: 1, density: 1 });
    const changed: LinkEdit = { ...old, [key]: value };
    if (i < 0) links.push(changed);
    else links[i] = changed;
  }
  return { ...body, edit: { ...edit, links } };
}

export function is_symmetric(body: Creature): boolean {
  return (body.edit?.links ?? []).every(({ link }) => {
    const twin = other_side(link);
    return (
      twin === undefined ||
      kLinkNumbers.every(({ key }) => factor_of(body, link, key) === factor_of(body, twin, key))
    );
  });
}

/** Gives the right side the factors of the left. */
export function make_symmetric(body: Creature): Creature {
  const edit = body.edit;
  if (!edit) return body;
  const links = edit.links
    .filter(({ link }) => !link.startsWith('right_'))
    .flatMap((entry) =>
      entry.link.startsWith('left_')
        ? [entry, { ...entry, link: `right_${entry.link.slice(5)}` }]
        : [entry],
    );
  return { ...body, edit: { ...edit, links } };
}

export function with_name(body: Creature, name: string, title: string): Creature {
  return { ...body, name, title };
}

export function print_body(body: Creature): string {
  return `${JSON.stringify(toJson(CreatureSchema, body, { useProtoFieldName: true }), null, 2)}\n`;
}

/** Reads a body's file. Throws an Error that says what is wrong with the text. */
export function parse_body(text: string): Creature {
  return fromJsonString(CreatureSchema, text);
}
