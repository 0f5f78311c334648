#include "world/library/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/paths.h"
#include "world_fixture.h"

namespace promenade {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using world::testing::TemporaryDirectory;

// The error of loading where the first line of a key in a file is another one, or is not there.
std::string error_in(const std::string& file, const std::string& key, const std::string& line) {
  const TemporaryDirectory directory;
  const auto data = directory.path() / "data";
  std::filesystem::copy(test::data_dir(), data, std::filesystem::copy_options::recursive);
  std::string text = *schema::read_file(data / file);
  const auto at = text.find("  \"" + key + "\":");
  if (at == std::string::npos) return "no such key";
  text.replace(at, text.find('\n', at) + 1 - at, line);
  directory.write("data/" + file, text);
  const auto library = Library::load(data);
  return library.ok() ? "" : library.error().text();
}

std::string error_of(const std::string& key, const std::string& line) {
  return error_in("controllers/gbwc.json", key, line);
}

TEST(Library, RefusesNumbersOfTasksThatItCannotTake) {
  const auto error = [](const std::string& key, const std::string& line) {
    return error_in("tasks.json", key, line);
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
  for (const char* key : {"straighten_phase", "full_load", "swing_speed_mps", "turn_slow_rad"}) {
    EXPECT_THAT(error_of(key, "\n\"" + std::string(key) + "\": 0,\n"),
                AllOf(HasSubstr("gbwc.json:"), HasSubstr(std::string(key) + ": 0 is not allowed")));
  }
  EXPECT_THAT(error_of("root_kp_nm", "\"root_kp_nm\": 0,\n"),
              HasSubstr("gbwc.json:2: root_kp_nm: 0 is not allowed, must be from 1"));
  EXPECT_THAT(error_of("early_phase", ""),
              AllOf(HasSubstr("gbwc.json:"), HasSubstr("early_phase: is missing")));
  EXPECT_THAT(error_of("hurry", "\"hurry\": 1e999,\n"),
              AllOf(HasSubstr("gbwc.json:"), HasSubstr("hurry"), HasSubstr("finite")));
  EXPECT_THAT(error_of("spine_kd_nms", "\"spine_kd_nms\": -20,\n"), HasSubstr("from 0"));
  EXPECT_EQ(error_of("idle_shift", "\"idle_shift\": 0,\n"), "");
}

}  // namespace
}  // namespace promenade
