// When the parts of the first view were there, for the benchmark of it; and the end of it, when the rest may be fetched.
import type { World } from '../../state/room/world';

export type Step =
  | 'script' // the page's code runs
  | 'ready' // panels and picture are set up
  | 'online' // the room has let the page in
  | 'frame' // the first frame has come
  | 'picture' // somebody has been drawn
  | 'shown'; // and the browser asks for the next picture

export class FirstView {
  private readonly times_ = new Map<Step, number>();

  /** @param done_ called when somebody has been shown */
  constructor(
    world: World,
    private readonly done_: () => void,
  ) {
    this.note('script');
    world.hello.watch((hello) => hello && this.note('online'));
    world.frame.watch((frame) => frame && this.note('frame'));
  }

  /** ms from the beginning of the navigation. */
  get times_ms(): Readonly<Partial<Record<Step, number>>> {
    return Object.fromEntries(this.times_);
  }

  note(step: Step): void {
    if (!this.times_.has(step)) this.times_.set(step, performance.now());
  }

  /** To be called after every picture. @param somebody whether there was anybody in it */
  picture(somebody: boolean): void {
    if (this.times_.has('picture') || !somebody) return;
    this.note('picture');
    requestAnimationFrame(() => {
      this.note('shown');
      this.done_();
    });
  }
}
