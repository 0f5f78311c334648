#pragma once

#include <cmath>
#include <vector>

#include "math/types.h"
#include "world/command/command.h"

namespace promenade::world {

/// A camera that a room is shown to. World frame.
struct Eye {
  Vec3 place = Vec3::Zero();             // m
  Vec3 forward = Vec3::UnitX();          // of length 1
  double cosine = -1;                    // of half the angle that it sees
  double range = 0;                      // m: how far off joints can be made out
  static constexpr double kAround = 16;  // m: within, it sees everybody
  bool operator==(const Eye&) const = default;

  /// Whether the joints of somebody there may be seen.
  bool sees(const Vec3& at) const {
    const Vec3 way = at - place;
    const double square = way.squaredNorm();
    if (square > range * range) return false;
    return square < kAround * kAround || forward.dot(way) > cosine * std::sqrt(square);
  }
};

/// The eyes that look at joints. Other light characters are posed by turns, in each eighth snapshot
/// only: making poses takes more than moving the crowd.
struct Onlookers {
  bool all = true;  // somebody wants every pose
  std::vector<Eye> eyes;
  std::vector<CharacterId> chosen;  // wherever they are
  bool operator==(const Onlookers&) const = default;

  bool look_at(CharacterId id, const Vec3& place) const;
  /// Whether somebody may ask for all that is known of it.
  bool want_details_of(CharacterId id) const;
};

}  // namespace promenade::world
