// Motion without jerks.

/**
 * A critically damped spring in each of some numbers: it comes to what it is after without swinging, and at an even
 * speed of that keeps 2 / rate seconds behind.
 */
export class Spring {
  private readonly speed_: number[];

  /** @param rate 1/s: how fast it comes after; greater is stiffer */
  constructor(
    private readonly value_: number[],
    private readonly rate_: number,
  ) {
    this.speed_ = value_.map(() => 0);
  }

  get value(): readonly number[] {
    return this.value_;
  }

  /** Of each number, a second. */
  get speed(): readonly number[] {
    return this.speed_;
  }

  /** How far it stays behind what moves evenly, s. */
  get lag_s(): number {
    return 2 / this.rate_;
  }

  /** Law: x'' = rate^2 (goal - x) - 2 rate x', solved for a goal that stays as it is meanwhile. */
  step(goal: readonly number[], elapsed_s: number): void {
    const { rate_: w } = this;
    const fade = Math.exp(-w * elapsed_s);
    for (let i = 0; i < this.value_.length; ++i) {
      const off = (this.value_[i] ?? 0) - (goal[i] ?? 0);
      const speed = this.speed_[i] ?? 0;
      const k = speed + w * off;
      this.value_[i] = (goal[i] ?? 0) + (off + k * elapsed_s) * fade;
      this.speed_[i] = (speed - w * k * elapsed_s) * fade;
    }
  }
}
