// What other visitors have done, in words.
import type { MarkKind } from '../recording/marks';
import { enumerated } from '../values/sentence';

/** The marks that commands leave in the recording, by their names in the protocol. */
const kMarks: Readonly<Record<string, MarkKind>> = {
  ...{ push: 'push', set_style: 'edit', set_body: 'edit', set_controller: 'edit' },
  ...{ spawn: 'join', spawn_thing: 'join', remove: 'leave', load_scene: 'scene' },
};

export function mark_of(command: string): MarkKind | undefined {
  return kMarks[command];
}

const kVerbs: Readonly<Record<string, string>> = {
  ...{ set_style: 'changed', set_body: 'changed', set_controller: 'changed' },
  ...{ spawn: 'added', spawn_thing: 'added', remove: 'removed' },
  ...{ reset: 'put back', place: 'moved' },
};

/** What is told of a command as "Quiet Heron VERB Human 3"; undefined: it is not told so. */
export function verb_of(command: string): string | undefined {
  return kVerbs[command];
}

/** "Human 3", "Human 3 and Child 4", "5 of those here"; of nobody in particular: everybody. */
export function listed(names: readonly string[]): string {
  if (names.length > 2) return `${names.length} of those here`;
  return enumerated(names) || 'everybody';
}

const kPhrases: Readonly<Record<string, string>> = {
  ...{ grip: 'tied something', tie: 'tied something', release: 'untied something' },
  ...{ alarm: 'raised an alarm', set_time_scale: 'changed the speed of time' },
};

/** What is told of the other commands; undefined: nothing. @param title of a scene */
export function act_words(
  command: string,
  scene: string,
  title: (scene: string) => string,
): string | undefined {
  return command === 'load_scene' ? `loaded the scene “${title(scene)}”` : kPhrases[command];
}

/** The commands that are named here. */
export const kToldCommands: readonly string[] = [kMarks, kVerbs, kPhrases].flatMap(Object.keys);

/** What the clock bar says of who stopped the clock. */
export function paused_words(name: string): string {
  return `${name} paused`;
}
