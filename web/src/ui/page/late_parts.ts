// Parts of the page whose code does not come with the first view: it comes when it is asked for, or before that, when the
// browser has nothing else to do, so that nobody waits for it.
import { Later } from '../parts/later';

export const kLater = {
  walk: new Later(() => import('../character/walk_tab')),
  thing: new Later(() => import('../character/thing_panel')),
  editors: new Later(() => import('../editor/editors')),
  plots: new Later(() => import('../lookback/plot_sheet')),
  capture: new Later(() => import('../lookback/capture_sheet')),
  compare: new Later(() => import('../lookback/compare_sheet')),
  gait_lab: new Later(() => import('../gait_lab/gait_lab')),
  learn: new Later(() => import('../learn/learn_sheet')),
  tasks: new Later(() => import('../tasks/tasks')),
  crowd: new Later(() => import('../crowd/crowd')),
  help: new Later(() => import('../keys/help_tables')),
  room_form: new Later(() => import('../room/room_form')),
  lobby: new Later(() => import('../lobby/lobby')),
} as const;

const kPatience_ms = 2000; // a browser that is always busy drawing has no time by itself

/** Asks for one part after the other, each when the browser has time for it, or has had none for a while. */
export function fetch_when_idle(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const idle = (work: () => void) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(work, { timeout: kPatience_ms })
      : setTimeout(work, 200);
  const rest = Object.values<Later<unknown>>(kLater);
  const go_on = () => idle(next);
  // One that fails is told of when somebody wants it.
  const next = () => void rest.shift()?.get().then(go_on, go_on);
  idle(next);
}
