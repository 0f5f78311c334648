// Loads a scene, and where the machine has no time for all of its people offers to load it with fewer.
import { ErrorCode, type Error as WireError } from '../../gen/promenade/v1/wire_pb';
import type { CommandOutcome } from '../../net/messages';
import { type Actions, explain } from './actions';
import type { Toasts } from '../parts/toasts';

/** Shares of a scene's people that are offered, each where the one before was refused. */
const kFewer = [
  { people: 0.5, words: 'half the people' },
  { people: 0.25, words: 'a quarter of the people' },
] as const;

/** Whether it is the scene that is too much, and not something that passes, such as too many commands at once. */
function is_too_much({ code, field }: WireError): boolean {
  return code === ErrorCode.BUSY && field.startsWith('load_scene.');
}

/**
 * Loads a scene; a refusal is shown to the user.
 * @param people share of its people, over 0 to 1
 */
export async function load_scene(
  { actions, toasts }: { readonly actions: Pick<Actions, 'ask'>; readonly toasts: Toasts },
  scene: string,
  people = 1,
): Promise<CommandOutcome> {
  // All of them are 0: a server that knows no shares is asked as ever.
  const outcome = await actions.ask({
    case: 'loadScene',
    value: { scene, people: people < 1 ? people : 0 },
  });
  if (outcome.kind === 'lost') toasts.show(outcome.reason, 'error');
  if (outcome.kind !== 'refused') return outcome;
  const { error } = outcome;
  const fewer = is_too_much(error) ? kFewer.find((one) => one.people < people) : undefined;
  toasts.show(
    explain(error),
    'error',
    fewer && {
      text: `Load with ${fewer.words}`,
      run: () => void load_scene({ actions, toasts }, scene, fewer.people),
    },
  );
  return outcome;
}
