// Deeds of other visitors, in words: the rule `deed` of each command, filled in.
import { enumerated } from '../values/sentence';

const kWhom = '{whom}';
const kScene = '{scene}';

/** Whether a deed is told with the names of its characters and things. */
export function names_whom(deed: string): boolean {
  return deed.includes(kWhom);
}

/** Whether a deed is told with the title of a scene. */
export function names_scene(deed: string): boolean {
  return deed.includes(kScene);
}

/** "Human 3", "Human 3 and Child 4", "5 of those here"; of nobody in particular: everybody. */
export function listed(names: readonly string[]): string {
  if (names.length > 2) return `${names.length} of those here`;
  return enumerated(names) || 'everybody';
}

/** @param whom names of the characters and things of the deed @param scene title of the scene that was loaded */
export function deed_words(deed: string, whom: readonly string[], scene = ''): string {
  return deed.replace(kWhom, () => listed(whom)).replace(kScene, () => `“${scene}”`);
}

/** The text of the clock bar about the visitor who stopped the clock. */
export function paused_words(name: string): string {
  return `${name} paused`;
}
