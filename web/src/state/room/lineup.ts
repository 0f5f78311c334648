// Scenes that show every body or every style beside each other: there a name says which one it is.
import type { Scene } from '../../gen/promenade/v1/scene_pb';
import type { CatalogueEntry } from '../../gen/promenade/v1/wire_pb';
import type { Member } from './roster';

export type Lineup = 'body' | 'style';

const kFewest = 4;

/** The property in which the characters of a scene differ, each from all others; undefined: it is no line-up. */
export function lineup_of(scene: Scene | undefined): Lineup | undefined {
  if (!scene || scene.crowds.length > 0 || scene.characters.length < kFewest) return undefined;
  const count = (what: Lineup) => new Set(scene.characters.map((one) => one[what])).size;
  const all = scene.characters.length;
  if (count('body') === all) return 'body';
  return count('body') === 1 && count('style') === all ? 'style' : undefined;
}

/** The text over a head. */
export function label_of(
  member: Member,
  lineup: Lineup | undefined,
  styles: readonly CatalogueEntry[],
): string {
  if (lineup === 'body') return member.skeleton.title;
  if (lineup === 'style' && member.style) {
    const title = styles.find(({ name }) => name === member.style)?.title || member.style;
    return member.style_edited ? `${title}, edited` : title;
  }
  return `${member.skeleton.title} ${member.id}`;
}
