#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "world/library/library.h"

namespace promenade::trial {

/// The causes of a fall: what happened in the two seconds before the loss of balance. The first
/// that applies counts.
enum class FallCause : int {
  kPerson,    // touched another person
  kThing,     // touched a thing or the side of a block
  kSetOff,    // stood: the walk began or ended
  kTurn,      // the course turned
  kSpeed,     // the speed asked for changed, or was not reached
  kOnCourse,  // nothing: the body cannot do what the style asks for
};
inline constexpr std::size_t kFallCauses = 6;
/// "person", "thing", "set off or stop", "turn", "speed", "on course"
const char* cause_name(FallCause cause);

/// One fall, with what was measured before it.
struct Fall {
  FallCause cause = FallCause::kOnCourse;
  std::string body, style;
  std::string other;          // body of the person who was touched; empty: none
  double at = 0;              // s
  double impulse = 0;         // m/s, of the touch, over the own mass
  double from = 0;            // rad, where it came from, seen along the heading: 0 from ahead
  double height = 0;          // of the standing height, where it was
  double turned = 0;          // rad, by which the course and the heading were furthest apart
  double asked = 0, got = 0;  // m/s, means over that time
  double changed = 0;         // m/s, between the least and the greatest speed asked for
  double nearest = 0;         // m, from the middle of the nearest other, at least
};

struct CrowdFalls {
  std::vector<Fall> falls;
  double minutes = 0;            // simulated
  double mean_speed = 0;         // m/s, of those that are up
  std::vector<std::string> who;  // [people] "body style"
  std::vector<int> fell;         // [people] times
};

/// Runs a scene with its people in full physics and looks at each fall.
/// @param seed  0: the scene's own
CrowdFalls watch_falls(std::shared_ptr<const Library> library, const std::string& scene,
                       double seconds, std::uint64_t seed);

inline constexpr const char* kMixedCrowd = "mixed-200";
inline constexpr int kMixedPeople = 200;
/// A library that also has a scene of kMixedPeople of the bodies and styles of `hundred`, who
/// stroll as close together as these do.
/// @throws std::runtime_error where the directory's files are wrong or cannot be copied
std::shared_ptr<const Library> with_mixed_crowd(const std::filesystem::path& data_dir);

}  // namespace promenade::trial
