#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "behaviour/tasks/task.h"
#include "world/library/library.h"

namespace promenade::study {

/// A character that does a task. Places and sizes are scaled by the leg, things held between the
/// hands by the shorter arm, masses by the body's.
struct Somebody {
  std::string body = "human", style = "normal";
  double scale = 1, arm = 1, weight = 1;  // over the human's
};

Somebody somebody(const Library& library, const std::string& body, const std::string& style);

/// Brings a hand to a point within 3 m: within 3 cm.
/// @param height  m, of a human
/// @param speed   m/s, at which it comes; 0: as it likes
bool reaches(const std::shared_ptr<const Library>& library, const Somebody& who, double height,
             double speed, std::uint64_t seed);

/// Carries a crate of 5 kg, of a human, 10 m with two turns and puts it down within 5 cm: from the
/// ground and to the ground, or where that is refused as too low, as arms are too short for it,
/// from one table to another.
bool carries(const std::shared_ptr<const Library>& library, const Somebody& who,
             std::uint64_t seed);

struct Haul {
  std::string id;
  behaviour::tasks::TaskKind kind = behaviour::tasks::TaskKind::kPushTo;
  double mass = 100;  // kg, of a human
  double asked = 95;  // %
};

/// Moves a crate 5 m on smooth ground: within 0.2 m and 10 degrees.
bool hauls(const std::shared_ptr<const Library>& library, const Haul& haul, std::uint64_t seed,
           const Somebody& who = {});

}  // namespace promenade::study
