#include "behaviour/flow/formation.h"

#include <array>

namespace promenade::behaviour::flow {
namespace {

constexpr double kApart = 0.8;  // m, between two side by side
constexpr double kBend = 0.3;   // m, the ends before the middle
constexpr double kRows = 1.0;   // m, between the rows of five

struct Offset {
  double ahead, left;
};
using Formation = std::array<Offset, kMostInParty>;

constexpr std::array<Formation, kMostInParty + 1> kFormations = {{
    {},
    {},
    {{{0, 0.5 * kApart}, {0, -0.5 * kApart}}},
    {{{kBend / 3, kApart}, {-2 * kBend / 3, 0}, {kBend / 3, -kApart}}},
    {{{kBend / 2, 1.5 * kApart},
      {-kBend / 2, 0.5 * kApart},
      {-kBend / 2, -0.5 * kApart},
      {kBend / 2, -1.5 * kApart}}},
    {{{0.4 * kRows, kApart},
      {0.4 * kRows, 0},
      {0.4 * kRows, -kApart},
      {-0.6 * kRows, 0.5 * kApart},
      {-0.6 * kRows, -0.5 * kApart}}},
}};

}  // namespace

Vec2 formation_offset(std::size_t members, std::size_t member) {
  if (members > kMostInParty || member >= members) return Vec2::Zero();
  const Offset& offset = kFormations[members][member];
  return {offset.ahead, offset.left};
}

double group_pace(std::size_t members) { return (1.26 - 0.04 * double(members)) / 1.22; }

}  // namespace promenade::behaviour::flow
