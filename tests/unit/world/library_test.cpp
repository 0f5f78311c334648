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

// The error of loading where a line of controllers/gbwc.json is another one, or is not there.
std::string error_of(const std::string& key, const std::string& line) {
  const TemporaryDirectory directory;
  const auto data = directory.path() / "data";
  std::filesystem::copy(test::data_dir(), data, std::filesystem::copy_options::recursive);
  std::string text = *schema::read_file(data / "controllers/gbwc.json");
  const auto at = text.find("  \"" + key + "\":");
  if (at == std::string::npos) return "no such key";
  text.replace(at, text.find('\n', at) + 1 - at, line);
  directory.write("data/controllers/gbwc.json", text);
  const auto library = Library::load(data);
  return library.ok() ? "" : library.error().text();
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
