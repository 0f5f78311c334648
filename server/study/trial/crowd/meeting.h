#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "world/library/library.h"

namespace promenade::trial {

/// The obstacle that a person is steered into, straight ahead; no way around it is looked for.
enum class Met : int {
  kWall,      // 2 m high and 6 m wide
  kBench,     // a box 0.45 m high and deep, 2 m wide
  kStanding,  // another person, facing the first
  kWalking    // another person, who comes the other way as fast
};
inline constexpr Met kAllMet[] = {Met::kWall, Met::kBench, Met::kStanding, Met::kWalking};
/// "wall", "bench", "standing", "walking"
const char* met_name(Met met);

inline constexpr double kMeetingSeconds = 12;

struct MeetingRun {
  bool up = false;        // nobody fell
  bool other_up = false;  // nobody but the one who was steered fell, or there is no other
  double closest =
      0;  // m, from the steered person's root to the front of the obstacle, or to the other's root
};

/// A library that also has the scenes of meetings.
/// @throws std::runtime_error where the directory's files are wrong or cannot be copied
std::shared_ptr<const Library> with_meetings(const std::filesystem::path& data_dir);

/// A room in which a human in the normal style is steered at 1 m/s into what stands 3 m ahead, and
/// goes on being steered so for the rest of 12 s. The seed moves the start by up to 0.3 m, so that
/// steps meet it at any phase, and another person's by up to 0.1 m, and turns both by up to 2
/// degrees.
/// @param library  one made by with_meetings()
MeetingRun run_meeting(const std::shared_ptr<const Library>& library, Met met, std::uint64_t seed);

}  // namespace promenade::trial
