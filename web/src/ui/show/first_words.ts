import type { Lesson } from '../../state/show/first_minute';

/** The texts of the lessons. @param fingers the page is used with fingers @param scenes the visitor may choose a scene */
export function words_of(
  lesson: Lesson,
  fingers: boolean,
  narrow: boolean,
  scenes: boolean,
): string {
  switch (lesson) {
    case 'watch':
      return 'You can push people';
    case 'push':
      return fingers
        ? 'Your turn: put a finger on somebody and draw'
        : 'Your turn: drag from somebody, and let go';
    case 'pushed':
      return 'That was a push. Watch the step that catches the fall';
    case 'turn':
      return fingers
        ? 'Draw over the ground to turn the camera'
        : 'Drag the ground to turn the camera';
    case 'turned':
      return fingers ? 'Two fingers move it nearer' : 'The wheel moves it nearer';
    case 'scenes':
      if (!scenes) return 'Press ▶ Show me to see what else there is';
      return narrow
        ? 'There are more scenes: ☰ · or press ▶ Show me'
        : 'There are more scenes at the left · or press ▶ Show me';
    default:
      return '';
  }
}
