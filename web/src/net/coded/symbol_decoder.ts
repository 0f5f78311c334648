// Symbols from bytes, by asymmetric numeral systems; the encoder is server/stream/coded/symbol_coder.h.
import { type Alphabet, kProbabilityBits } from './symbols';

const kLeast = 65536; // states are kept from there to 2^32

/** Reads symbols; after the end of the bytes there are zeros. Bytes of nobody's making give some symbols, never an access out of bounds. */
export class SymbolDecoder {
  private bytes_ = new Uint8Array(0);
  private at_ = 0;
  private state_ = 0; // that of the next symbol
  private other_ = 0;
  private end_ = 0; // of the plain bits that were not read yet
  private plain_ = 0; // those of a byte that was begun,
  private plain_count_ = 0; // and how many

  /** @param begin of the coded bytes in `bytes` */
  begin(bytes: Uint8Array, begin: number): void {
    this.bytes_ = bytes as Uint8Array<ArrayBuffer>;
    this.at_ = begin;
    this.end_ = bytes.length;
    this.plain_ = this.plain_count_ = 0;
    this.state_ = this.next() + this.next() * 65536;
    this.other_ = this.next() + this.next() * 65536;
  }

  symbol({ symbol, frequency, start }: Alphabet): number {
    const state = this.state_;
    const slot = state & ((1 << kProbabilityBits) - 1);
    const found = symbol[slot] as number;
    // Below 2^32, in numbers that have no sign.
    let now =
      (frequency[found] as number) * (state >>> kProbabilityBits) + slot - (start[found] as number);
    if (now < kLeast) now = now * 65536 + this.next();
    this.state_ = this.other_;
    this.other_ = now;
    return found;
  }

  /** So many plain bits, at most 32. They stand behind the symbols, the first in the last byte. */
  plain(count: number): number {
    let value = 0;
    for (let have = 0; have < count;) {
      if (this.plain_count_ === 0) {
        this.plain_ = this.end_ > 0 ? (this.bytes_[--this.end_] as number) : 0;
        this.plain_count_ = 8;
      }
      const taken = Math.min(count - have, this.plain_count_);
      value += (this.plain_ & ((1 << taken) - 1)) * 2 ** have;
      this.plain_ >>= taken;
      this.plain_count_ -= taken;
      have += taken;
    }
    return value;
  }

  /** Whether that was everything. */
  at_end(): boolean {
    return this.state_ === kLeast && this.other_ === kLeast && this.at_ === this.end_;
  }

  private next(): number {
    const low = this.bytes_[this.at_];
    const high = this.bytes_[this.at_ + 1];
    if (low === undefined || high === undefined) return 0;
    this.at_ += 2;
    return low + high * 256;
  }
}
