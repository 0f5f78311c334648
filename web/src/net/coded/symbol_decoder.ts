// Symbols from bytes, by asymmetric numeral systems; the encoder is server/stream/coded/symbol_coder.h.
import { type Alphabet, kProbabilityBits } from './symbols';

const kLeast = 65536; // states are kept from there to 2^32

/** Reads symbols; after the end of the bytes there are zeros. Bytes of nobody's making give some symbols, never an access out of bounds. */
export class SymbolDecoder {
  private bytes_ = new Uint8Array(0);
  private at_ = 0;
  private state_ = 0; // that of the next symbol
  private other_ = 0;

  /** @param begin of the coded bytes in `bytes` */
  begin(bytes: Uint8Array, begin: number): void {
    this.bytes_ = bytes as Uint8Array<ArrayBuffer>;
    this.at_ = begin;
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

  /** Whether these were all symbols that there are. */
  at_end(): boolean {
    return this.state_ === kLeast && this.other_ === kLeast && this.at_ === this.bytes_.length;
  }

  private next(): number {
    const low = this.bytes_[this.at_];
    const high = this.bytes_[this.at_ + 1];
    if (low === undefined || high === undefined) return 0;
    this.at_ += 2;
    return low + high * 256;
  }
}
