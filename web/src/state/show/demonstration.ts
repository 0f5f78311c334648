// Carries out a scene's demonstration step by step. It has no clock, camera or connection of its own: those are its
// `Hands`, and the time is told with every picture.
import { Await_Event, type Await, type Again } from '../../gen/promenade/v1/demonstration_pb';
import type {
  DemonstrationStep,
  DemonstrationStep_Overlay,
  Look,
  Subject,
} from '../../gen/promenade/v1/demonstration_pb';
import type { Vec3 } from '../values/quaternion';
import type { Span } from '../recording/lookback';

/** A body as it is drawn. */
export interface Observed {
  readonly place: Vec3; // m, world frame
  readonly rotation: readonly [number, number, number, number]; // x y z w
  readonly fallen: boolean;
}

export type Act = DemonstrationStep['act'];
type LiveAct = Exclude<Act, { case: 'again' } | { case: undefined }>;

/** The hands of a demonstration. */
export interface Hands {
  tell(sentence: string): void;
  /** The body that a subject means now; undefined: there is none. */
  find(subject: Subject): number | undefined;
  select(id: number): void;
  look(look: Look, id: number | undefined): void;
  overlays(shown: readonly DemonstrationStep_Overlay[]): void;
  /** Does something in the room. @return false where it may not be done */
  act(act: LiveAct, id: number | undefined): boolean;
  /** @param link of the body; '' the first */
  observe(id: number, link: string): Observed | undefined;
  /** Shows a part of the recording once, slowly. */
  again(span: Span, speed: number): void;
  /** Whether that has come to its end. */
  again_is_over(): boolean;
  /** Goes back to the room as it is now. */
  live(): void;
}

export interface Now {
  readonly wall_s: number;
  readonly room_s: number; // of the room's clock
  readonly shown_ms: number; // the moment that is drawn, on the recording's clock
  readonly calm_s: number; // until the scene's script does something
}

export type Ending = 'done' | 'gone';

const kLook_s = 0.8; // until a reader has found the sentence
const kLetter_s = 0.042; // 24 letters a second
const kLost_m = 1.2; // a body that has sunk this far is out of the world, or in a pit
const kUsualSpeed = 0.25;

/** How long a sentence is shown at least, s. */
export function reading_s(sentence: string): number {
  return sentence === '' ? 0 : kLook_s + kLetter_s * sentence.length;
}

/** The angle between two rotations, degrees. */
function turned_deg(a: Observed['rotation'], b: Observed['rotation']): number {
  const dot = a.reduce((sum, part, i) => sum + part * (b[i] as number), 0);
  return (360 / Math.PI) * Math.acos(Math.min(1, Math.abs(dot)));
}

/** Whether what a step waits for has come. @param first how the body was when the step began */
export function has_come(wanted: Await, first: Observed, now: Observed): boolean {
  const away = (to: readonly number[]) =>
    Math.hypot(now.place[0] - (to[0] ?? 0), now.place[1] - (to[1] ?? 0));
  switch (wanted.event) {
    case Await_Event.FALL:
      return now.fallen || now.place[2] < first.place[2] - kLost_m;
    case Await_Event.MOVE:
      return Math.hypot(...now.place.map((x, i) => x - (first.place[i] as number))) >= wanted.byM;
    case Await_Event.TILT:
      return turned_deg(first.rotation, now.rotation) >= wanted.byDeg;
    case Await_Event.REACH:
      return away(wanted.atM) <= wanted.byM;
    default:
      return false;
  }
}

interface Waiting {
  readonly wanted: Await;
  readonly id: number;
  readonly first: Observed;
}

/** The steps of one scene, on their way. */
export class Demonstration {
  private index_ = -1;
  private ending_: Ending | undefined;
  private who_: number | undefined;
  private in_past_ = false;
  private begun_: Now | undefined; // undefined: the step has not begun
  private read_s_ = 0;
  private waiting_: Waiting | undefined;
  private came_: boolean | undefined; // what was last waited for; undefined: nothing was
  private act_ms_: number | undefined;
  private event_ms_: number | undefined;

  constructor(
    private readonly steps_: readonly DemonstrationStep[],
    private readonly hands_: Hands,
  ) {}

  /** How it ended; undefined while it goes on. */
  get ending(): Ending | undefined {
    return this.ending_;
  }

  /** Share of the steps that are done, 0 to 1. */
  get progress(): number {
    return Math.max(0, this.index_) / this.steps_.length;
  }

  /** Whether the past is shown. */
  get in_past(): boolean {
    return this.in_past_;
  }

  /** To be called with every picture. */
  advance(now: Now): void {
    if (this.ending_) return;
    if (this.index_ >= 0 && this.begun_ && !this.step_is_over(now)) return;
    if (this.index_ < 0 || this.begun_) {
      this.index_ += 1;
      this.begun_ = undefined;
    }
    const step = this.steps_[this.index_];
    if (!step) this.end('done');
    else if (now.calm_s >= step.calmS) this.begin(step, now);
  }

  private end(how: Ending): void {
    if (this.in_past_) this.hands_.live();
    this.in_past_ = false;
    this.ending_ = how;
  }

  private begin(step: DemonstrationStep, now: Now): void {
    const { hands_: hands } = this;
    this.begun_ = now;
    const past = step.act.case === 'again';
    if (this.in_past_ && !past) hands.live();
    this.in_past_ = past;
    if (step.subject) {
      this.who_ = hands.find(step.subject);
      if (this.who_ === undefined) return this.end('gone');
      hands.select(this.who_);
    }
    const sentence = (this.came_ === false && step.otherwise) || step.say;
    this.read_s_ = reading_s(sentence);
    if (sentence) hands.tell(sentence);
    if (step.look) hands.look(step.look, this.who_);
    if (step.overlays.length > 0) hands.overlays(step.overlays);
    if (step.act.case === 'again') return this.look_back(step.act.value, now);
    if (step.act.case !== undefined) this.do(step.act, now);
    if (step.until) this.wait_for(step.until, step.act.case === undefined, now);
  }

  private do(act: LiveAct, now: Now): void {
    this.act_ms_ = now.shown_ms;
    this.event_ms_ = undefined;
    this.came_ = this.hands_.act(act, this.who_) ? undefined : false;
  }

  private look_back({ beforeS, afterS, speed }: Again, now: Now): void {
    const from_ms = this.act_ms_ ?? now.shown_ms;
    const to_ms = Math.max(from_ms, this.event_ms_ ?? from_ms);
    const span = { from_ms: from_ms - 1000 * beforeS, to_ms: to_ms + 1000 * afterS };
    this.hands_.again(span, speed || kUsualSpeed);
  }

  /** @param only whether the step does nothing else: then what is looked back at begins here */
  private wait_for(wanted: Await, only: boolean, now: Now): void {
    if (only) this.act_ms_ = now.shown_ms;
    this.event_ms_ = undefined;
    this.came_ = undefined;
    const id = wanted.who ? this.hands_.find(wanted.who) : this.who_;
    const first = id === undefined ? undefined : this.hands_.observe(id, wanted.link);
    if (id === undefined || !first) this.came_ = false;
    else this.waiting_ = { wanted, id, first };
  }

  /** Notes what has come. @return whether the step is over */
  private step_is_over(now: Now): boolean {
    const step = this.steps_[this.index_] as DemonstrationStep;
    const begun = this.begun_ as Now;
    this.see(begun, now);
    if (this.ending_ || this.waiting_) return false;
    if (now.wall_s - begun.wall_s < this.read_s_) return false;
    if (this.in_past_) return this.hands_.again_is_over();
    return now.room_s - begun.room_s >= step.waitS;
  }

  private see(begun: Now, now: Now): void {
    const { waiting_: waiting } = this;
    if (!waiting) return;
    const seen = this.hands_.observe(waiting.id, waiting.wanted.link);
    if (!seen) return this.end('gone');
    if (has_come(waiting.wanted, waiting.first, seen)) {
      this.came_ = true;
      this.event_ms_ = now.shown_ms;
    } else if (now.room_s - begun.room_s >= waiting.wanted.withinS) {
      this.came_ = false;
    } else return;
    this.waiting_ = undefined;
  }
}
