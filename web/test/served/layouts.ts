// The part of the picture that the page's panels leave to a visitor who comes for the first time, and the shift of its middle:
// as the page in a browser has it, to which tests/web/framing_tests.ts holds it.
import type { Layout } from './unseen_page';

const kLabScene = 'gait-lab'; // as in src/ui/gait_lab/lab_scene.ts

export interface Screen {
  readonly name: string;
  readonly width: number; // CSS px
  readonly height: number;
  readonly phone: boolean;
  readonly plain: Layout;
  /** With the gait lab open, as it is in its scene. */
  readonly lab: Layout;
}

export const kScreens: readonly Screen[] = [
  {
    ...{ name: 'a desktop', width: 1280, height: 720, phone: false },
    plain: {
      free: { left: 270, top: 46, right: 1280, bottom: 572 },
      shift: { x: 135, y: 0, shrink: 1 },
    },
    lab: {
      free: { left: 270, top: 46, right: 1280, bottom: 202 },
      shift: { x: 0, y: -212, shrink: 1.824 },
    },
  },
  {
    ...{ name: 'an upright phone', width: 390, height: 844, phone: true },
    plain: {
      free: { left: 0, top: 50, right: 295, bottom: 688 },
      shift: { x: 0, y: 0, shrink: 1 },
    },
    lab: {
      free: { left: 0, top: 50, right: 295, bottom: 217 },
      shift: { x: 0, y: -275, shrink: 2.15 },
    },
  },
];

export function layout_of(screen: Screen, scene: string): Layout {
  return scene === kLabScene ? screen.lab : screen.plain;
}
