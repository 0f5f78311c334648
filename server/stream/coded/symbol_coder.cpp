#include "stream/coded/symbol_coder.h"

#include <cmath>

namespace promenade::stream {
namespace {

__extension__ using Wide = unsigned __int128;

// One symbol onto a state, and the word that leaves it where it would grow too large.
inline std::uint32_t put(const Symbol& symbol, std::uint32_t state, std::uint16_t*& words) {
  const bool full = state >= symbol.most;  // nobody can foresee it: no branch
  *words = static_cast<std::uint16_t>(state);
  words += full;
  state = full ? state >> 16 : state;
  const auto times = static_cast<std::uint32_t>(Wide{state} * symbol.reciprocal >> 64);
  return state + symbol.added + times * symbol.others;
}

}  // namespace

void SymbolEncoder::finish(std::string& out) {
  // No symbol gives more than a word; the states are two each, and one is written in vain.
  const std::size_t most = count_ + 5;
  if (words_.size() < most) words_.resize(2 * most);
  std::uint16_t* at = words_.data();  // the last that will be read first
  const Symbol* const table = symbols().data();
  const std::uint16_t* const queue = queue_.data();
  std::array<std::uint32_t, 2> states{kStateLeast, kStateLeast};
  std::size_t i = count_;
  if (i & 1) {
    --i;
    states[0] = put(table[queue[i]], states[0], at);
  }
  std::uint32_t even = states[0], odd = states[1];
  while (i > 0) {
    i -= 2;
    odd = put(table[queue[i + 1]], odd, at);
    even = put(table[queue[i]], even, at);
  }
  for (const std::uint32_t state : {odd, even}) {
    *at++ = static_cast<std::uint16_t>(state >> 16);
    *at++ = static_cast<std::uint16_t>(state);
  }
  const auto plain_bytes = 4 * plain_words_ + static_cast<std::size_t>(plain_count_ + 7) / 8;
  if (plain_count_ > 0) {
    plain_waiting_ &= (std::uint64_t{1} << plain_count_) - 1;
    plain_count_ = 32;
    put_word();
  }
  const auto words = static_cast<std::size_t>(at - words_.data());
  const std::size_t before = out.size();
  out.resize(before + 2 * words + plain_bytes);
  char* byte = out.data() + before;
  for (; at != words_.data(); byte += 2) {
    --at;
    byte[0] = static_cast<char>(*at);
    byte[1] = static_cast<char>(*at >> 8);
  }
  char* const last = out.data() + out.size() - 1;
  for (std::size_t k = 0; k < plain_bytes; ++k) {
    *(last - k) = static_cast<char>(plain_[k / 4] >> 8 * (k % 4));
  }
}

double SymbolEncoder::bits(Mark from) const {
  double out = double(mark().plain) - double(from.plain);
  for (std::size_t i = from.symbols; i < count_; ++i) {
    out += kProbabilityBits - std::log2(double(symbols()[queue_[i]].frequency()));
  }
  return out;
}

}  // namespace promenade::stream
