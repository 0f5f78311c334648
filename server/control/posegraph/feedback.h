#pragma once

#include <array>
#include <memory>
#include <vector>

#include "creature/creature.h"
#include "physics/articulated_body.h"
#include "promenade/v1/gait.pb.h"
#include "schema/check.h"

// What a toy feels of its own motion and does about it: the source leaves balance open ("lack of
// active balance in the control"); this is the least that does something for it.
namespace promenade::control::posegraph {

/// What the trunk does, in the frame of its heading. The order is that of the columns of gains.
enum class Sense : std::uint8_t {
  kRoll,       // rad, tilt to the right
  kRollRate,   // rad/s
  kPitch,      // rad, tilt forward
  kPitchRate,  // rad/s
  kSideways,   // m/s, of the trunk, to the left
  kForward,    // m/s, of the trunk, more than the gait's speed
  kYawRate,    // rad/s, to the left
};
inline constexpr std::size_t kSenses = 7;
using Sensed = std::array<double, kSenses>;
/// Whether a sense changes its sign in the mirror of the middle plane.
constexpr bool is_lateral(Sense sense) {
  return sense != Sense::kPitch && sense != Sense::kPitchRate && sense != Sense::kForward;
}

/// @param speed  m/s, of the gait
Sensed sense(const Creature& creature, const physics::ArticulatedBody& body, double speed);

/// Gains from what is sensed to the targets of joints, apart for legs that bear and legs in the
/// air.
struct Feedback {
  struct Gain {
    int link = 0, coordinate = 0;  // of the joint to the link's parent
    int limb = 0;                  // index of Creature::limbs, whose contact counts
    bool bearing = false;
    std::array<double, kSenses> of{};  // rad for a unit of the sense
  };
  std::vector<Gain> gains;

  static constexpr double kMost = 0.5;       // rad, of what is added to a target
  static constexpr double kMostGain = 1000;  // of a gain, in its unit
  static constexpr std::size_t kMostGains = 200;
};

/// Empty where the message is. `check` gets its first mistake.
Feedback build_feedback(const v1::GaitFeedback& message, const Creature& creature,
                        schema::Checker& check);
void write_feedback(const Feedback& feedback, const Creature& creature, v1::GaitFeedback& out);

/// The joints that feedback can move: those of the legs that are driven and turn about axes.
/// @return a gain of zeros for each of their coordinates, in the air and bearing
std::vector<Feedback::Gain> free_gains(const Creature& creature);

}  // namespace promenade::control::posegraph
