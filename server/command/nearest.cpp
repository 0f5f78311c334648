#include "command/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace promenade::command {
namespace {

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({exchanged, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view text, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 64;  // nobody means a name by a longer word
  if (text.empty() || text.size() > kLongest) return "";
  std::string best;
  std::size_t least = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const std::string& name : names) {
    const std::size_t apart = distance(text, name);
    if (apart >= least) continue;
    least = apart;
    best = name;
  }
  return best;
}

std::string meant(std::string_view text, const std::vector<std::string>& names) {
  const std::string name = nearest(text, names);
  return name.empty() ? "" : " (did you mean " + name + "?)";
}

}  // namespace promenade::command
