#include "stream/coded/symbol_coder.h"

#include <cmath>

namespace promenade::stream {
namespace {

__extension__ using Wide = unsigned __int128;

// One symbol onto a state, and the word that leaves it where it would grow too large.
inline std::uint32_t put(const Symbol& symbol, std::uint32_t state, std::uint16_t*& words) {
  constexpr int kSpare = 32 - kProbabilityBits;
  const bool full = state >> kSpare >= symbol.frequency;
  words[-1] = static_cast<std::uint16_t>(state);
  words -= full;
  state = full ? state >> 16 : state;
  const auto times = static_cast<std::uint32_t>(Wide{state} * symbol.reciprocal >> 64);
  return state + symbol.added + times * (kCertain - symbol.frequency);
}

}  // namespace

void SymbolEncoder::finish(std::string& out) {
  // No symbol gives more than a word; the states are two each, and one is written in vain.
  const std::size_t most = count_ + 5;
  if (words_.size() < most) words_.resize(2 * most);
  std::uint16_t* const end = words_.data() + words_.size();
  std::uint16_t* at = end;
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
    *--at = static_cast<std::uint16_t>(state >> 16);
    *--at = static_cast<std::uint16_t>(state);
  }
  const std::size_t before = out.size();
  out.resize(before + 2 * static_cast<std::size_t>(end - at));
  char* byte = out.data() + before;
  for (; at != end; ++at) {
    *byte++ = static_cast<char>(*at);
    *byte++ = static_cast<char>(*at >> 8);
  }
}

double SymbolEncoder::bits(std::size_t first) const {
  double out = 0;
  for (std::size_t i = first; i < count_; ++i) {
    out += kProbabilityBits - std::log2(double(symbols()[queue_[i]].frequency));
  }
  return out;
}

}  // namespace promenade::stream
