// A person meets ice, a pit, a door, a seesaw and a ball, in the scenes that we ship.
#include "shared.h"
#include "study/trial/encounter.h"

namespace promenade {
namespace {

class Encounters : public ::testing::TestWithParam<trial::Encounter> {};

TEST_P(Encounters, ComeOutAsExpectedWithMostSeeds) {
  constexpr int kSeeds = 6;
  int good = 0;
  std::string stories;
  for (std::uint64_t seed = 901; seed < 901 + kSeeds; ++seed) {
    const trial::EncounterRun run = trial::run_encounter(shipped(), GetParam(), seed);
    good += run.as_expected;
    stories += run.story + "\n";
  }
  EXPECT_GE(good, kSeeds - 2) << GetParam().expected << "\n" << stories;
}

TEST_P(Encounters, DifferWithTheSeedAndNotWithoutIt) {
  trial::Encounter brief = GetParam();
  brief.seconds = 0.5;
  const auto story = [&](std::uint64_t seed) {
    return trial::run_encounter(shipped(), brief, seed).story;
  };
  EXPECT_EQ(story(3), story(3));
  EXPECT_NE(story(3), story(4));
}

INSTANTIATE_TEST_SUITE_P(All, Encounters, ::testing::ValuesIn(trial::encounters()),
                         [](const auto& tested) { return std::string(tested.param.scene); });

}  // namespace
}  // namespace promenade
