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

// The error of loading where a number of controllers/gbwc.json has another value; none: it is not
// there.
std::string error_of(const std::string& group, const std::string& field, const char* value) {
  const TemporaryDirectory directory;
  const auto data = directory.path() / "data";
  std::filesystem::copy(test::data_dir(), data, std::filesystem::copy_options::recursive);
  std::string text = *schema::read_file(data / "controllers/gbwc.json");
  const auto begin = text.find("  \"" + group + "\": {");
  const auto at = text.find("    \"" + field + "\":", begin);
  if (begin == std::string::npos || at == std::string::npos) return "no such key";
  const std::string line = value ? "\"" + field + "\": " + value + ",\n" : "";
  text.replace(at, text.find('\n', at) + 1 - at, line);
  directory.write("data/controllers/gbwc.json", text);
  const auto library = Library::load(data);
  return library.ok() ? "" : library.error().text();
}

TEST(Library, RefusesParametersOfTheControllerThatItCannotTake) {
  const std::pair<const char*, const char*> above_zero[] = {{"servos", "straighten_phase"},
                                                            {"pelvis", "full_load"},
                                                            {"hurry", "swing_speed_mps"},
                                                            {"turning", "slow_rad"},
                                                            {"idle", "look_for_s"},
                                                            {"up_body", "hip_way_m"}};
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
