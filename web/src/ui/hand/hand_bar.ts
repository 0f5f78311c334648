// Buttons for the tool in hand, so that building works without a keyboard: turn, put down, back, done.
import type { Builder } from './builder';
import type { Context } from '../page/context';
import { h } from '../parts/dom';

/** The part of the picture that the bar needs. */
interface Picture {
  /** The ground in the middle of the picture. */
  middle(): Parameters<Builder['place']>[0] | undefined;
}

export function hand_bar({ build }: Context, builder: Builder, picture: Picture): HTMLElement {
  const fingers = matchMedia('(hover: none)');
  const turn = (steps: number) => {
    build.turn(steps);
    // Without a mouse there is no pointer that the body could be shown under, so it is shown in the middle of the
    // picture, where its turn is seen.
    if (fingers.matches && !build.keyboard_spot.value) build.keyboard_spot.set(picture.middle());
  };
  const button = (text: string, label: string, test: string, click: () => void) =>
    h('button', {
      text,
      title: label,
      // A button with a word needs no other name.
      attributes: { ...(/^\w/.test(text) ? {} : { 'aria-label': label }), 'data-test': test },
      on: { click },
    });
  const turns = [
    button('↺', 'Turn left (R)', 'hand-left', () => turn(1)),
    button('↻', 'Turn right', 'hand-right', () => turn(-1)),
  ];
  const put = button('Place', 'Place it where it is shown (Enter)', 'hand-put', () => {
    const spot = build.keyboard_spot.value;
    if (spot) void builder.place(spot);
  });
  const back = button('Back', 'Undo the first point (Esc)', 'hand-back', () => build.end());
  const done = button('Done', 'Finish building (Esc)', 'hand-done', () => {
    while (build.end());
  });
  const bar = h(
    'div',
    { class: 'hand', attributes: { role: 'toolbar', 'aria-label': 'Building' } },
    ...turns,
    put,
    back,
    done,
  );
  const refresh = () => {
    const tool = build.tool.value;
    bar.hidden = tool.kind === 'none';
    for (const one of turns) one.hidden = tool.kind !== 'place';
    put.hidden = tool.kind !== 'place' || !build.keyboard_spot.value;
    back.hidden = tool.kind !== 'tie' || !tool.first;
  };
  build.tool.watch(refresh);
  build.keyboard_spot.watch(refresh);
  return bar;
}
