import type { Press } from '../../state/hand/aim';
import type { CameraKeys } from './camera_keys';

/** Keys that do nothing in the room by themselves. */
export const kModifiers: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'Tab']);

export interface KeyActions extends CameraKeys {
  /** Whether something else is in front of the room and takes the keys. */
  covered(): boolean;
  lobby(): void;
  faster(direction: 1 | -1): void;
  sideways(direction: 1 | -1): void;
  turn_begin(direction: 1 | -1): void;
  turn_end(): void;
  stop(): void;
  escape(): void;
  next(direction: 1 | -1): void;
  /** Selects the one nearest to the middle of the picture; again: the next one outward. */
  middle(add: boolean): void;
  /** Selects the next one, too. */
  add_next(direction: 1 | -1): void;
  /** Gives the focus to the next part of the page. */
  region(direction: 1 | -1): void;
  /** Aims a push by keys, or takes hold. */
  aim(): void;
  /** Chooses a place on the ground by keys. */
  aim_at_ground(): void;
  /** Lists what the selected one can do. */
  errand(): void;
  follow(): void;
  path(): void;
  bare(): void;
  pause(): void;
  step(): void;
  look_back(): void;
  step_back(): void;
  help(): void;
  undo(): void;
  redo(): void;
  next_thing(direction: 1 | -1): void;
  mode(): void;
  remove(): void;
  /** Turns the body that is about to be put down. @return whether there is one */
  turn(): boolean;
  put(): boolean;
  /** Moves what is in hand, or what is aimed at. @return whether there is such a thing */
  shift(press: Press): boolean;
  raise(steps: number): boolean;
  /** Whether keys of one character are heeded only while the picture has the focus. */
  only_in_picture(): boolean;
}

function takes_text(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLSelectElement ||
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox'))
  );
}

interface Binding {
  /** As the browser names them, letters small. */
  readonly keys: readonly string[];
  readonly does: string;
  /** Not again while the key is held down. */
  readonly once?: true;
  /** @return false: the key is left to the browser */
  readonly run: (actions: KeyActions, event: KeyboardEvent) => boolean | void;
}

const back = ({ shiftKey }: KeyboardEvent) => (shiftKey ? -1 : 1);

/** Each key of the page that is heeded wherever the focus is, but where text is typed. */
export const kBindings: readonly Binding[] = [
  { keys: ['w'], does: 'faster', run: (actions) => actions.faster(1) },
  { keys: ['s'], does: 'slower', run: (actions) => actions.faster(-1) },
  { keys: ['a'], once: true, does: 'turn left', run: (actions) => actions.turn_begin(1) },
  { keys: ['d'], once: true, does: 'turn right', run: (actions) => actions.turn_begin(-1) },
  { keys: ['q'], once: true, does: 'step left', run: (actions) => actions.sideways(1) },
  { keys: ['e'], once: true, does: 'step right', run: (actions) => actions.sideways(-1) },
  { keys: [' '], once: true, does: 'stop', run: (actions) => actions.stop() },
  { keys: ['escape'], does: 'cancel', run: (actions) => actions.escape() },
  { keys: ['n'], does: 'next character', run: (actions, event) => actions.next(back(event)) },
  { keys: [']'], does: 'next character', run: (actions) => actions.next(1) },
  { keys: ['['], does: 'previous character', run: (actions) => actions.next(-1) },
  { keys: ['o'], does: 'next thing', run: (actions, event) => actions.next_thing(back(event)) },
  { keys: ['}'], does: 'next thing', run: (actions) => actions.next_thing(1) },
  { keys: ['{'], does: 'previous thing', run: (actions) => actions.next_thing(-1) },
  {
    keys: ['m'],
    does: 'select the middle one',
    run: (actions, { shiftKey }) => actions.middle(shiftKey),
  },
  {
    keys: ['i'],
    does: 'add the next character',
    run: (actions, event) => actions.add_next(back(event)),
  },
  {
    keys: ['j'],
    does: 'next part of the page',
    run: (actions, event) => actions.region(back(event)),
  },
  { keys: ['x'], once: true, does: 'aim', run: (actions) => actions.aim() },
  { keys: ['k'], once: true, does: 'choose a place', run: (actions) => actions.aim_at_ground() },
  { keys: ['u'], once: true, does: 'list errands', run: (actions) => actions.errand() },
  { keys: ['g'], once: true, does: 'push or grab', run: (actions) => actions.mode() },
  { keys: ['delete'], once: true, does: 'remove', run: (actions) => actions.remove() },
  { keys: ['r'], does: 'turn what is placed', run: (actions) => actions.turn() },
  { keys: ['f'], does: 'follow', run: (actions) => actions.follow() },
  { keys: ['l'], does: 'draw a path', run: (actions) => actions.path() },
  { keys: ['h'], once: true, does: 'lobby', run: (actions) => actions.lobby() },
  { keys: ['v'], once: true, does: 'hide panels', run: (actions) => actions.bare() },
  { keys: ['p'], does: 'play or pause', run: (actions) => actions.pause() },
  { keys: ['.'], does: 'one step on', run: (actions) => actions.step() },
  { keys: ['b'], once: true, does: 'look back', run: (actions) => actions.look_back() },
  { keys: [','], does: 'one step back', run: (actions) => actions.step_back() },
  { keys: ['?'], does: 'help', run: (actions) => actions.help() },
  { keys: ['0'], once: true, does: 'first view', run: (actions) => actions.side('0') },
  { keys: ['1'], once: true, does: 'view from the front', run: (actions) => actions.side('1') },
  { keys: ['2'], once: true, does: 'view from the side', run: (actions) => actions.side('2') },
  { keys: ['3'], once: true, does: 'view from above', run: (actions) => actions.side('3') },
  {
    keys: ['t'],
    once: true,
    does: 'follow a part',
    run: (actions, event) => actions.part(back(event)),
  },
  { keys: ['+', '='], does: 'zoom in', run: (actions) => actions.zoom(1) },
  { keys: ['-', '−'], does: 'zoom out', run: (actions) => actions.zoom(-1) },
];

/** Keys of the picture while something is aimed at or placed. */
export const kPlacingKeys: Readonly<Record<string, 'put' | 'raise' | 'lower' | undefined>> = {
  Enter: 'put',
  PageUp: 'raise',
  PageDown: 'lower',
};

const kArrows: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Keys that move what is in hand or aimed at. @return whether the key was one of them */
function places(actions: KeyActions, { key, shiftKey }: KeyboardEvent): boolean {
  switch (kPlacingKeys[key]) {
    case 'put':
      return actions.put();
    case 'raise':
      return actions.raise(1);
    case 'lower':
      return actions.raise(-1);
  }
  const [right, away] = kArrows[key] ?? [];
  return (
    right !== undefined && away !== undefined && actions.shift({ right, away, shift: shiftKey })
  );
}

/** Arrows belong to whatever has the focus; the camera has them while that is the picture or nothing. */
function turns(actions: KeyActions, { defaultPrevented, key, target }: KeyboardEvent): boolean {
  const [right, up] = kArrows[key] ?? [];
  const own = target === document.body || target instanceof HTMLCanvasElement;
  if (right === undefined || up === undefined || !own || defaultPrevented) return false;
  actions.orbit(right, up);
  return true;
}

/** Undo and redo; the browser's own keys with Ctrl are left alone. */
function edits(actions: KeyActions, event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (key === 'z') (event.shiftKey ? actions.redo : actions.undo)();
  else if (key === 'y') actions.redo();
  else return false;
  return true;
}

/** Esc where text is typed: a search is emptied first, by the browser; else it is as anywhere. */
function leaves(actions: KeyActions, field: HTMLElement): boolean {
  if (field instanceof HTMLInputElement && field.type === 'search' && field.value) return false;
  field.blur();
  actions.escape();
  return true;
}

/** @return whether the page has done something, and the browser must not */
function heeds(actions: KeyActions, event: KeyboardEvent): boolean {
  const { target, key } = event;
  const choice = (event.ctrlKey || event.metaKey) && target instanceof HTMLSelectElement;
  // AltGr is no command: brackets are typed with it on many keyboards.
  const typed = event.getModifierState('AltGraph');
  if (key === 'Escape' && takes_text(target)) return leaves(actions, target as HTMLElement);
  if ((event.altKey && !typed) || (takes_text(target) && !choice)) return false;
  if ((event.ctrlKey || event.metaKey) && !typed) return edits(actions, event);
  const in_picture = target instanceof HTMLCanvasElement;
  if (actions.only_in_picture() && !in_picture && key.length === 1) return false;
  const on_button =
    target instanceof HTMLElement && target.closest('button, summary, a, input') !== null;
  if (on_button && (key === ' ' || key === 'Enter')) return false;
  if (!on_button && places(actions, event)) return true;
  if (turns(actions, event)) return true;
  const binding = kBindings.find(({ keys }) => keys.includes(key.toLowerCase()));
  if (!binding) return false;
  // A key that is held down is the page's, too.
  return (binding.once && event.repeat) || binding.run(actions, event) !== false;
}

/** Listens to the keys of the whole page, except while text is typed. @return a function that stops listening */
export function listen_to_keys(actions: KeyActions): () => void {
  const abort = new AbortController();
  const down = (event: KeyboardEvent) => {
    if (actions.covered()) return;
    if (document.querySelector('dialog[open]')) return; // its keys are its own: Esc closes it
    if (heeds(actions, event)) event.preventDefault();
  };
  const up = (event: KeyboardEvent) => {
    if (['a', 'd'].includes(event.key.toLowerCase())) actions.turn_end();
  };
  window.addEventListener('keydown', down, { signal: abort.signal });
  window.addEventListener('keyup', up, { signal: abort.signal });
  window.addEventListener('blur', () => actions.turn_end(), { signal: abort.signal });
  return () => abort.abort();
}
