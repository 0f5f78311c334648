#pragma once

#include <optional>

#include "study/trial/walk/gait_quality.h"
#include "study/trial/walk/recovery.h"

namespace promenade::trial {

struct PushCase {
  double speed = 0.6;             // m/s; with `standing`, not used
  bool standing = false;          // pushed while it stands
  double force = 300;             // N
  double duration = 0.1;          // s
  double direction = 0;           // rad from the heading, positive to the left
  double watch = 8;               // s after the push
  std::optional<Part> part = {};  // of a biped, whose centre of mass is pushed; none: the trunk
  /// rad/s, at which the heading asked for turns from before the push until 1 s after it; the
  /// direction then counts from the heading that the character has. Not with `standing`.
  double turn_rate = 0;
  bool look = false;  // also observes the quality of the steps, which takes time
};

struct PushOutcome {
  bool up = false;
  bool recovered = false;   // and does what was asked again: walks so (Recovery), or stands still
  double survived = 0;      // s after the push began
  double seconds = 0;       // of the whole trial, until its end or the fall
  double whole = 0;         // s, that it lasts without a fall
  double drift = 0;         // m, of the COM across the heading asked for
  bool quiet = false;       // stands at the end and has not stepped for 2 s
  std::uint64_t steps = 0;  // after the push began
  GaitQuality quality;      // from the push to the end or the fall, with PushCase::look
};

/// Pushes the torso's centre of mass, or another part's, at a random phase of the step.
PushOutcome push_once(const Walker& walker, const PushCase& push, std::uint64_t seed);

struct Straying {
  bool up = false;
  double speed = 0;  // m/s to the left of the heading asked for
};

/// Pushes as push_once() and measures how fast the character still moves aside: the mean over the
/// stride that begins 3 s after the push, so that the sway of steps cancels.
/// @pre not `standing`
Straying stray_after(const Walker& walker, const PushCase& push, std::uint64_t seed);

}  // namespace promenade::trial
