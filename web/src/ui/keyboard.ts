import type { CameraKeys } from './camera_keys';

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
  shift(right: number, away: number): boolean;
}

/** The keys and what they do, for the help dialog. */
export const kKeys = [
  ['W  S', 'faster; slower, then backward'],
  ['A  D', 'turn left, right'],
  ['Q  E', 'step left, right'],
  ['Space', 'stop'],
  ['[  ]', 'select the previous, next character'],
  ['{  }', 'select the previous, next thing'],
  ['G', 'switch what a drag does to characters: push or grab'],
  ['R', 'turn what you are placing'],
  ['Arrows  Enter', 'move what you are placing, place it'],
  ['Delete', 'remove what is selected'],
  ['F', 'the camera follows the selected character'],
  [
    'T',
    'the camera follows the next part of the body: head, hands, feet; with Shift the previous one',
  ],
  ['1  2  3', 'view from the front, the side, above; again: from the opposite side'],
  ['0', 'back to the scene’s first view'],
  ['Arrows', 'turn the camera'],
  ['+  −', 'zoom in, out'],
  ['L', 'draw a path on the ground'],
  ['H', 'the lobby: all rooms'],
  ['V', 'hide all panels, show them again'],
  ['P', 'pause, continue'],
  ['.', 'pause and advance one step'],
  ['B', 'look back at the last minute; B again returns to live'],
  ['P  ,  .', 'while looking back: play or pause, one frame back, one frame forward'],
  ['Ctrl Z', 'undo in an editor; with Shift: redo'],
  ['Esc', 'cancel, deselect'],
  ['?', 'this help'],
] as const;

function takes_text(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLSelectElement ||
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox'))
  );
}

/** Handles the keys that move the body that is about to be put down. @return whether the key was one of them */
function places(actions: KeyActions, key: string): boolean {
  switch (key) {
    case 'Enter':
      return actions.put();
    case 'ArrowUp':
      return actions.shift(0, 1);
    case 'ArrowDown':
      return actions.shift(0, -1);
    case 'ArrowLeft':
      return actions.shift(-1, 0);
    case 'ArrowRight':
      return actions.shift(1, 0);
    default:
      return false;
  }
}

/** Handles the keys that move the camera. @return whether the key was one of them */
function moves_camera(actions: KeyActions, event: KeyboardEvent): boolean {
  switch (event.key) {
    case '0':
    case '1':
    case '2':
    case '3':
      if (!event.repeat) actions.side(event.key);
      return true;
    case 't':
    case 'T':
      if (!event.repeat) actions.part(event.shiftKey ? -1 : 1);
      return true;
    case '+':
    case '=':
      actions.zoom(1);
      return true;
    case '-':
    case '−':
      actions.zoom(-1);
      return true;
    case 'ArrowLeft':
      return turns(actions, event, -1, 0);
    case 'ArrowRight':
      return turns(actions, event, 1, 0);
    case 'ArrowUp':
      return turns(actions, event, 0, 1);
    case 'ArrowDown':
      return turns(actions, event, 0, -1);
    default:
      return false;
  }
}

/** Arrows belong to whatever has the focus; the camera has them while that is the picture or nothing. */
function turns(
  actions: KeyActions,
  { defaultPrevented, target }: KeyboardEvent,
  right: number,
  up: number,
): boolean {
  const own = target === document.body || target instanceof HTMLCanvasElement;
  if (!own || defaultPrevented) return false;
  actions.orbit(right, up);
  return true;
}

/** Listens to the keys of the whole page, except while text is typed. @return a function that stops listening */
export function listen_to_keys(actions: KeyActions): () => void {
  const abort = new AbortController();
  const down = (event: KeyboardEvent) => {
    const choice = (event.ctrlKey || event.metaKey) && event.target instanceof HTMLSelectElement;
    if (actions.covered()) return;
    if (document.querySelector('dialog[open]')) return; // its keys are its own: Esc closes it
    if (event.altKey || (takes_text(event.target) && !choice)) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === 'z') (event.shiftKey ? actions.redo : actions.undo)();
      else if (key === 'y') actions.redo();
      else return;
      event.preventDefault();
      return;
    }
    const on_button =
      event.target instanceof HTMLElement &&
      event.target.closest('button, summary, a, input') !== null;
    if (on_button && (event.key === ' ' || event.key === 'Enter')) return;
    if (!on_button && places(actions, event.key)) {
      event.preventDefault();
      return;
    }
    if (moves_camera(actions, event)) {
      event.preventDefault();
      return;
    }
    switch (event.key.toLowerCase()) {
      case 'w':
        actions.faster(1);
        break;
      case 's':
        actions.faster(-1);
        break;
      case 'a':
        if (!event.repeat) actions.turn_begin(1);
        break;
      case 'd':
        if (!event.repeat) actions.turn_begin(-1);
        break;
      case 'q':
        if (!event.repeat) actions.sideways(1);
        break;
      case 'e':
        if (!event.repeat) actions.sideways(-1);
        break;
      case ' ':
        if (!event.repeat) actions.stop();
        break;
      case 'escape':
        actions.escape();
        break;
      case '[':
        actions.next(-1);
        break;
      case ']':
        actions.next(1);
        break;
      case '{':
        actions.next_thing(-1);
        break;
      case '}':
        actions.next_thing(1);
        break;
      case 'g':
        if (!event.repeat) actions.mode();
        break;
      case 'delete':
        if (!event.repeat) actions.remove();
        break;
      case 'r':
        if (!actions.turn()) return;
        break;
      case 'f':
        actions.follow();
        break;
      case 'l':
        actions.path();
        break;
      case 'h':
        if (!event.repeat) actions.lobby();
        break;
      case 'v':
        if (!event.repeat) actions.bare();
        break;
      case 'p':
        actions.pause();
        break;
      case '.':
        actions.step();
        break;
      case 'b':
        if (!event.repeat) actions.look_back();
        break;
      case ',':
        actions.step_back();
        break;
      case '?':
        actions.help();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  const up = (event: KeyboardEvent) => {
    if (['a', 'd'].includes(event.key.toLowerCase())) actions.turn_end();
  };
  window.addEventListener('keydown', down, { signal: abort.signal });
  window.addEventListener('keyup', up, { signal: abort.signal });
  window.addEventListener('blur', () => actions.turn_end(), { signal: abort.signal });
  return () => abort.abort();
}
