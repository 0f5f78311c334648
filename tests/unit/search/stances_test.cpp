// The second judgement of footfalls, by the spans in which feet bear.
#include "study/trial/gait/stances.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "objectives.h"

namespace promenade::trial {
namespace {

constexpr double kPeriod = 0.5;  // s
constexpr int kStrides = 8;

const Legs& legs_of(const std::string& name) {
  static std::vector<std::unique_ptr<Legs>> kept;
  kept.push_back(std::make_unique<Legs>(Legs::of(*search::shipped().bodies().find(name)->body)));
  return *kept.back();
}

using Stances = std::vector<std::vector<Stance>>;

// Legs that come down at these shares of each stride and bear for such a share of it.
Stances stances_of(const std::vector<double>& down, const std::vector<double>& duty) {
  Stances out(down.size());
  for (std::size_t leg = 0; leg < down.size(); ++leg) {
    for (int stride = -1; stride <= kStrides; ++stride) {
      const double from = (stride + down[leg]) * kPeriod;
      out[leg].push_back({from, from + duty[leg] * kPeriod});
    }
  }
  return out;
}

std::string name_of(const Legs& legs, const Stances& stances) {
  return std::string(name_by_stances(legs, stances, kPeriod, 0, kStrides * kPeriod));
}

// Left and right of the fore pair, then of the hind pair, in the order of the creature's legs.
std::vector<double> of_four(const Legs& legs, double left_fore, double right_fore, double left_hind,
                            double right_hind) {
  std::vector<double> out(4);
  out[std::size_t(legs.pairs[0].left)] = left_fore;
  out[std::size_t(legs.pairs[0].right)] = right_fore;
  out[std::size_t(legs.pairs[1].left)] = left_hind;
  out[std::size_t(legs.pairs[1].right)] = right_hind;
  return out;
}

TEST(NameByStances, OfFourLegsFollowsHildebrand) {
  const Legs& cat = legs_of("cat");
  const auto name = [&](double fore, double lag, double hind, double duty) {
    return name_of(cat,
                   stances_of(of_four(cat, lag, lag + fore, 0, hind), {duty, duty, duty, duty}));
  };
  EXPECT_EQ(name(0.5, 0.5, 0.5, 0.4), "trot");
  EXPECT_EQ(name(0.45, 0.4, 0.45, 0.7), "trot");
  EXPECT_EQ(name(0.5, 0.05, 0.5, 0.4), "rack");
  EXPECT_EQ(name(0.5, 0.95, 0.5, 0.4), "rack");
  EXPECT_EQ(name(0.5, 0.25, 0.5, 0.7), "walk");
  EXPECT_EQ(name(0.5, 0.25, 0.5, 0.3), "amble");
  EXPECT_EQ(name(0.5, 0.75, 0.5, 0.7), "diagonal_walk");
  EXPECT_EQ(name(0.05, 0.5, 0.02, 0.3), "bound");
  EXPECT_EQ(name(0.02, 0.03, 0.05, 0.3), "pronk");
  EXPECT_EQ(name(0.2, 0.5, 0.2, 0.3), "gallop");
  EXPECT_EQ(name(0.5, 0.5, 0.02, 0.3), "shuffle") << "one pair takes turns, the other does not";
}

TEST(NameByStances, LooksAtTheMiddleOfTheStance) {
  const Legs& cat = legs_of("cat");
  // Fore feet bear for much longer than the hind feet of the other side, about the same moment.
  EXPECT_EQ(
      name_of(cat, stances_of(of_four(cat, 0.25, 0.75, 0, 0.5), of_four(cat, 0.8, 0.8, 0.3, 0.3))),
      "trot");
}

TEST(NameByStances, LeavesOutShortLiftsAndShortTouches) {
  const Legs& cat = legs_of("cat");
  Stances stances = stances_of(of_four(cat, 0.5, 0, 0, 0.5), {0.4, 0.4, 0.4, 0.4});
  auto& leg = stances[std::size_t(cat.pairs[0].left)];
  Stances::value_type chattering;
  for (const Stance& one : leg) {
    const double middle = (one.from + one.to) / 2;
    chattering.push_back({one.from, middle});
    chattering.push_back({middle + 0.01 * kPeriod, one.to});
    chattering.push_back({one.to + 0.2 * kPeriod, one.to + 0.22 * kPeriod});
  }
  leg = chattering;
  EXPECT_EQ(name_of(cat, stances), "trot");
}

TEST(NameByStances, IsNoneWhereSomeLegsStepTwiceAStride) {
  const Legs& cat = legs_of("cat");
  Stances stances = stances_of(of_four(cat, 0.5, 0, 0, 0.5), {0.3, 0.3, 0.3, 0.3});
  const auto add_second = [&](int leg) {
    auto& all = stances[std::size_t(leg)];
    const auto once = all;
    for (const Stance& one : once) all.push_back({one.from + kPeriod / 2, one.to + kPeriod / 2});
    std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.from < b.from; });
  };
  add_second(cat.pairs[0].left);
  EXPECT_EQ(name_of(cat, stances), "shuffle");
  for (const int leg : {cat.pairs[0].right, cat.pairs[1].left, cat.pairs[1].right}) add_second(leg);
  EXPECT_EQ(name_of(cat, stances), "pronk") << "all legs at once, twice a stride";
}

TEST(NameByStances, OfOtherNumbersOfLegs) {
  const Legs& lamp = legs_of("luxo");
  EXPECT_EQ(name_of(lamp, stances_of({0.3}, {0.5})), "hop");
  EXPECT_EQ(name_of(lamp, {{{-1, 100}}}), "stands");
  const Legs& monster = legs_of("monster");
  EXPECT_EQ(name_of(monster, stances_of({0, 0.5}, {0.7, 0.7})), "walk");
  EXPECT_EQ(name_of(monster, stances_of({0, 0.5}, {0.3, 0.3})), "run");
  EXPECT_EQ(name_of(monster, stances_of({0, 0.05}, {0.3, 0.3})), "hop");
  EXPECT_EQ(name_of(monster, stances_of({0, 0.25}, {0.3, 0.3})), "skip");
  const Legs& ant = legs_of("ant");
  const auto of_ant = [&](double lag, double sides) {
    std::vector<double> down(6);
    for (std::size_t i = 0; i < 3; ++i) {
      down[std::size_t(ant.pairs[i].left)] = lag * double(2 - i);
      down[std::size_t(ant.pairs[i].right)] = lag * double(2 - i) + sides;
    }
    for (double& at : down) at = phase_lag(at, 0);
    return name_of(ant, stances_of(down, std::vector<double>(6, 0.5)));
  };
  EXPECT_EQ(of_ant(0.5, 0.5), "tripod");
  EXPECT_EQ(of_ant(0.2, 0.5), "ripple");
  EXPECT_EQ(of_ant(0.3, 0), "wave");
  EXPECT_EQ(of_ant(0.02, 0), "pronk");
}

TEST(StanceRecorder, NotesFromWhenToWhenALegBears) {
  StanceRecorder recorder(2);
  constexpr double kStep = 0.25;  // s, exact in binary
  for (int i = 1; i <= 8; ++i) {
    recorder.note({i <= 2 || i >= 5, i == 8}, i * kStep, kStep);
  }
  const auto& stances = recorder.stances();
  ASSERT_EQ(stances[0].size(), 2u);
  EXPECT_EQ(stances[0][0].from, 0);
  EXPECT_EQ(stances[0][0].to, 0.5);
  EXPECT_EQ(stances[0][1].from, 1);
  EXPECT_EQ(stances[0][1].to, 2);
  ASSERT_EQ(stances[1].size(), 1u);
  EXPECT_EQ(footfall_bars({"left", "r"}, stances, 0, 2, 8), "  left ##..####\n  r    .......#\n");
}

}  // namespace
}  // namespace promenade::trial
