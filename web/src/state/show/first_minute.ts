// The lessons of a page that is open for the first time, one after another. They have no clock of their own.

export type Lesson =
  | 'wait' // for a visitor who looks first
  | 'watch' // a hand shows a push
  | 'push' // the visitor's turn
  | 'pushed'
  | 'turn' // the camera
  | 'turned'
  | 'scenes'
  | 'over';

/** An act of the visitor; `other`: one that these lessons are not about. */
export type Deed = 'push' | 'turn' | 'scene' | 'other';

const kIdle_s = 2.5; // a visitor who does nothing for this long may not know what there is to do
const kPatience_s = 25; // nobody has to do any of it

/** How long each lesson takes, s. */
const kLasts_s: Readonly<Record<Exclude<Lesson, 'over'>, number>> = {
  ...{ wait: kIdle_s, watch: 3.6, push: kPatience_s, pushed: 4.5 },
  ...{ turn: kPatience_s, turned: 2.5, scenes: kPatience_s },
};

export class FirstMinute {
  private lesson_: Lesson = 'wait';
  private since_s_ = 0;
  private can_turn_ = false; // has done that already

  /**
   * @param may_push whether this visitor may push at all
   * @param may_show whether there is a scene's demonstration that this visitor may begin
   */
  constructor(
    private readonly may_push_: () => boolean,
    private readonly may_show_: () => boolean,
  ) {}

  get lesson(): Lesson {
    return this.lesson_;
  }

  /** How long it has been shown, s. */
  get since_s(): number {
    return this.since_s_;
  }

  advance(elapsed_s: number): void {
    if (this.lesson_ === 'over') return;
    this.since_s_ += elapsed_s;
    if (this.since_s_ >= kLasts_s[this.lesson_]) this.go(this.next(this.lesson_));
  }

  did(deed: Deed): void {
    if (deed === 'turn') this.can_turn_ = true;
    switch (this.lesson_) {
      case 'over':
        return;
      case 'wait':
      case 'watch':
      case 'push':
        if (deed === 'push') return this.go('pushed');
        if (deed !== 'turn') return this.go('over');
        if (this.lesson_ === 'wait') this.since_s_ = 0;
        return;
      case 'turn':
        if (deed === 'turn') return this.go('turned');
        break;
      default:
        break;
    }
    // More pushes and turns are welcome meanwhile; a visitor who does something else needs no help.
    if (deed === 'scene' || deed === 'other') this.go('over');
  }

  private next(lesson: Exclude<Lesson, 'over'>): Lesson {
    switch (lesson) {
      case 'wait':
        return this.may_push_() ? 'watch' : this.after_push;
      case 'watch':
        return 'push';
      case 'pushed':
        return this.after_push;
      case 'turned':
        return this.after_turn;
      default:
        return 'over'; // nobody has taken it up
    }
  }

  private get after_push(): Lesson {
    return this.can_turn_ ? this.after_turn : 'turn';
  }

  private get after_turn(): Lesson {
    return this.may_show_() ? 'scenes' : 'over';
  }

  private go(lesson: Lesson): void {
    this.lesson_ = lesson;
    this.since_s_ = 0;
  }
}
