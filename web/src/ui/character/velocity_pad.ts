import { h, throttled, write } from '../parts/dom';

const kForward_mps = 1.4;
const kSide_mps = 0.5;
const kStep = 0.1;

export interface VelocityPad {
  readonly element: HTMLElement;
  /** Moves the knob to the velocity that was asked for, m/s. */
  show(forward: number, left: number): void;
}

/** A velocity in words, m/s: "0.4 m/s forward, 0.1 m/s left". */
export function velocity_words(forward: number, left: number): string {
  const part = (value: number, ahead: string, behind: string) =>
    Math.abs(value) < 0.005
      ? []
      : [`${Math.abs(value).toFixed(1)} m/s ${value > 0 ? ahead : behind}`];
  const parts = [...part(forward, 'forward', 'backward'), ...part(left, 'left', 'right')];
  return parts.join(', ') || 'standing';
}

/** A pad with a knob: up is forward, left is left. Works with mouse, finger and arrow keys. */
export function velocity_pad(asked: (forward: number, left: number) => void): VelocityPad {
  const knob = h('i', { class: 'knob' });
  const told = h('span', { class: 'unseen', attributes: { 'aria-live': 'polite' } });
  const element = h(
    'div',
    {
      class: 'pad',
      attributes: {
        tabindex: '0',
        role: 'application',
        'aria-label': 'Velocity: arrow keys change it',
      },
    },
    h('span', { class: 'pad-up', text: 'forward' }),
    knob,
    told,
  );
  let forward = 0;
  let left = 0;
  let held = false;
  const send = throttled(80, () => asked(forward, left));
  const place = () => {
    const y = forward / kForward_mps;
    knob.style.transform = `translate(-50%, -50%) translate(${((-left / kSide_mps) * 42).toFixed(1)}px, ${(-y * 42).toFixed(1)}px)`;
  };
  const set = (f: number, l: number) => {
    forward = Math.min(kForward_mps, Math.max(-0.6, f));
    left = Math.min(kSide_mps, Math.max(-kSide_mps, l));
    place();
    send();
  };
  const point = (event: PointerEvent) => {
    const box = element.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    const dead = (v: number) => (Math.abs(v) < 0.08 ? 0 : v);
    set(dead(y) * kForward_mps * 1.15, -dead(x) * kSide_mps * 1.15);
  };
  element.addEventListener('pointerdown', (event) => {
    if (element.hasAttribute('disabled')) return;
    held = true;
    element.setPointerCapture(event.pointerId);
    point(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (held) point(event);
  });
  const let_go = () => (held = false);
  element.addEventListener('pointerup', let_go);
  element.addEventListener('pointercancel', let_go);
  element.addEventListener('keydown', (event) => {
    const by: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [kStep, 0],
      ArrowDown: [-kStep, 0],
      ArrowLeft: [0, kStep],
      ArrowRight: [0, -kStep],
    };
    const change = by[event.key];
    if (!change || element.hasAttribute('disabled')) return;
    event.preventDefault();
    set(forward + change[0], left + change[1]);
    write(told, velocity_words(forward, left));
  });
  return {
    element,
    show(f, l) {
      if (held) return;
      forward = f;
      left = l;
      place();
    },
  };
}
