#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "world/library/library.h"

namespace promenade::trial {

struct Track;

/// A scene in which a person meets something, and what is expected to come of it.
struct Encounter {
  const char* scene;
  const char* expected;  // in words, for a table
  double seconds;        // simulated
  /// Whether it came so.
  bool (*judge)(const Track& track);
};

/// Ice, a pit, a swing door, a seesaw, a ball.
std::span<const Encounter> encounters();

/// The outcome for a room's first character and first thing.
struct EncounterRun {
  bool as_expected = false;
  std::string story;  // one line: where the person went, falls, what the thing did
};

/// Runs the scene in a room of one thread. The seed moves the person's start as the scene's
/// `scatter_m` and `scatter_deg` say.
EncounterRun run_encounter(std::shared_ptr<const Library> library, const Encounter& encounter,
                           std::uint64_t seed);

}  // namespace promenade::trial
