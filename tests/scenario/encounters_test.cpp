// A person meets ice, a pit, a door, a seesaw and a ball, in the scenes that we ship; and a wall, a
// bench and other people, in scenes of the experiment.
#include "shared.h"
#include "study/trial/crowd/encounter.h"
#include "study/trial/crowd/meeting.h"

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

class Meetings : public ::testing::TestWithParam<trial::Met> {
 protected:
  static trial::MeetingRun run(std::uint64_t seed) {
    static const std::shared_ptr<const Library> library = trial::with_meetings(test::data_dir());
    return trial::run_meeting(library, GetParam(), seed);
  }
};

TEST_P(Meetings, ComeAboutAndDependOnTheSeedAlone) {
  const trial::MeetingRun one = run(3);
  EXPECT_LT(one.closest, 1) << "m: else nothing was met";
  EXPECT_EQ(one.closest, run(3).closest);
  EXPECT_NE(one.closest, run(4).closest);
}

TEST_P(Meetings, FellNobody) {
  constexpr int kSeeds = 10;
  int up = 0;
  for (std::uint64_t seed = 901; seed < 901 + kSeeds; ++seed) {
    const trial::MeetingRun met = run(seed);
    up += met.up && met.other_up;
  }
  EXPECT_GE(up, kSeeds - 1);
}

INSTANTIATE_TEST_SUITE_P(All, Meetings, ::testing::ValuesIn(trial::kAllMet),
                         [](const auto& tested) { return std::string(met_name(tested.param)); });

}  // namespace
}  // namespace promenade
