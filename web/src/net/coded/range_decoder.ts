// Binary range decoder with adaptive models; the encoder is server/stream/coded/range_coder.h.
const kTop = 2 ** 24; // the range is kept at or above

/** How likely the next bit of each kind is 0, learnt from those before: the mean of a fast and a slow estimate, of 2^16. */
export class BitModels {
  readonly fast: Uint16Array;
  readonly slow: Uint16Array;

  constructor(count: number) {
    this.fast = new Uint16Array(count);
    this.slow = new Uint16Array(count);
    this.reset();
  }

  /** Forgets what was learnt. */
  reset(): void {
    this.fast.fill(1 << 15);
    this.slow.fill(1 << 15);
  }
}

/** Reads bits; after the end of the bytes there are zeros. Bytes of nobody's making give some bits, never an access out of bounds. */
export class RangeDecoder {
  private bytes_ = new Uint8Array(0);
  private at_ = 0;
  private range_ = 0; // of 32 bits without a sign, as is code_
  private code_ = 0;

  private readonly fast_: Uint16Array;
  private readonly slow_: Uint16Array;

  constructor({ fast, slow }: BitModels) {
    this.fast_ = fast;
    this.slow_ = slow;
  }

  /** @param begin of the coded bytes in `bytes` */
  begin(bytes: Uint8Array, begin: number): void {
    this.bytes_ = bytes as Uint8Array<ArrayBuffer>;
    this.at_ = begin;
    this.range_ = 0xffffffff;
    this.code_ = 0;
    for (let i = 0; i < 4; ++i) this.code_ = this.code_ * 256 + this.next();
  }

  /** The next bit of a kind. @param model index of the kind */
  bit(model: number): 0 | 1 {
    const f = this.fast_[model] as number;
    const s = this.slow_[model] as number;
    // Below 2^32: 20 bits times 12.
    const bound = (this.range_ >>> 12) * ((f + s) >>> 5);
    let bit: 0 | 1;
    if (this.code_ >= bound) {
      this.code_ -= bound;
      this.range_ -= bound;
      this.fast_[model] = f - (f >> 5);
      this.slow_[model] = s - (s >> 7);
      bit = 1;
    } else {
      this.range_ = bound;
      this.fast_[model] = f + ((0xffff - f) >> 5);
      this.slow_[model] = s + ((0xffff - s) >> 7);
      bit = 0;
    }
    while (this.range_ < kTop) this.refill();
    return bit;
  }

  /** Bits of which each is as likely 0 as 1, the highest first. @param count at most 16 */
  plain(count: number): number {
    let value = 0;
    for (let i = 0; i < count; ++i) {
      this.range_ = this.range_ >>> 1;
      const bit = this.code_ >= this.range_;
      if (bit) this.code_ -= this.range_;
      value = value * 2 + (bit ? 1 : 0);
      while (this.range_ < kTop) this.refill();
    }
    return value;
  }

  private refill(): void {
    // Both stay below 2^32: code is less than range.
    this.range_ *= 256;
    this.code_ = this.code_ * 256 + this.next();
  }

  private next(): number {
    return this.bytes_[this.at_++] ?? 0;
  }
}
