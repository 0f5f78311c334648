#include "world/library/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "support/paths.h"
#include "world_fixture.h"

namespace promenade {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using world::testing::TemporaryDirectory;

// The error of loading where the line of a field in a group of a file is another one, or is not
// there.
std::string error_in(const std::string& file, const std::string& group, const std::string& field,
                     const std::string& line) {
  const TemporaryDirectory directory;
  const auto data = directory.path() / "data";
  std::filesystem::copy(test::data_dir(), data, std::filesystem::copy_options::recursive);
  std::string text = *schema::read_file(data / file);
  const auto begin = text.find("  \"" + group + "\": {");
  const auto at = text.find("    \"" + field + "\":", begin);
  if (begin == std::string::npos || at == std::string::npos) return "no such key";
  text.replace(at, text.find('\n', at) + 1 - at, line);
  directory.write("data/" + file, text);
  const auto library = Library::load(data);
  return library.ok() ? "" : library.error().text();
}

// Likewise of a number of the walk that has another value; null: it is not there.
std::string error_of(const std::string& group, const std::string& field, const char* value) {
  return error_in("controllers/gbwc.json", group, field,
                  value ? "\"" + field + "\": " + value + ",\n" : "");
}

TEST(Library, RefusesNumbersOfTasksThatItCannotTake) {
  const auto error = [](const std::string& key, const std::string& line) {
    return error_in("tasks.json", "pick_up", key, line);
  };
  EXPECT_THAT(error("lift_s", "\"lift_s\": 0,\n"),
              AllOf(HasSubstr("tasks.json:"),
                    HasSubstr("pick_up.lift_s: 0 is not allowed, must be from 0.05 to 20")));
  EXPECT_THAT(error("grip_height", ""),
              AllOf(HasSubstr("tasks.json:"), HasSubstr("pick_up.grip_height"),
                    HasSubstr("is missing"), HasSubstr("from -1 to 1")));
  EXPECT_THAT(error("grip_height", "\"grip_hight\": 0.5,\n"), HasSubstr("grip_hight"));
  EXPECT_EQ(error("lift_s", "\"lift_s\": 2,\n"), "");
}

TEST(Library, RefusesADirectoryWithoutNumbersOfTasks) {
  const TemporaryDirectory directory;
  const auto data = directory.path() / "data";
  std::filesystem::copy(test::data_dir(), data, std::filesystem::copy_options::recursive);
  std::filesystem::remove(data / "tasks.json");
  const auto library = Library::load(data);
  ASSERT_FALSE(library.ok());
  EXPECT_THAT(library.error().text(), HasSubstr("tasks.json"));
}

TEST(Library, RefusesParametersOfTheControllerThatItCannotTake) {
  const std::pair<const char*, const char*> above_zero[] = {
      {"servos", "straighten_phase"}, {"pelvis", "full_load"}, {"hurry", "swing_speed_mps"},
      {"turning", "slow_rad"},        {"idle", "look_for_s"},  {"up_body", "hip_way_m"}};
  for (const auto& [group, field] : above_zero) {
    const std::string key = std::string(group) + "." + field;
    EXPECT_THAT(error_of(group, field, "0"),
                AllOf(HasSubstr("gbwc.json:"), HasSubstr(key + ": 0 is not allowed")));
  }
  EXPECT_THAT(error_of("pelvis", "kp_nm", "0"),
              HasSubstr("gbwc.json:3: pelvis.kp_nm: 0 is not allowed, must be from 1"));
  EXPECT_THAT(error_of("strike", "early_phase", nullptr),
              AllOf(HasSubstr("gbwc.json:"), HasSubstr("strike.early_phase: is missing")));
  EXPECT_THAT(error_of("hurry", "most", "1e999"),
              AllOf(HasSubstr("gbwc.json:"), HasSubstr("hurry.most"), HasSubstr("finite")));
  EXPECT_THAT(error_of("pelvis", "spine_kp_nm", "-20"), HasSubstr("from 0"));
  EXPECT_EQ(error_of("idle", "shift", "0"), "");
}

}  // namespace
}  // namespace promenade
