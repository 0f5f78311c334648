#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "control/pendulum/gait_store.h"
#include "world/library/library.h"
#include "world/step/workers.h"

// How the library's bodies walk in its styles, which light characters need to know.
namespace promenade::world {

/// Where tables of these are looked for and kept from now on.
void keep_gaits(const Library& library, control::pendulum::GaitStore store);

/// A body and a style of the library.
struct GaitPair {
  std::shared_ptr<const Creature> body;
  std::shared_ptr<const Style> style;
};
/// All pairs that a light controller can drive.
std::vector<GaitPair> all_gaits(const Library& library);
/// The pairs that a scene needs before its people can walk.
std::vector<GaitPair> gaits_of(const Scene& scene, const Library& library);

/// The pairs of the first `count` members of a crowd.
std::vector<GaitPair> gaits_of(const CrowdMix& mix, std::size_t count, const Library& library);
/// Whether a light character of this kind is made at once.
bool knows_gait(const Library& library, const GaitPair& pair);

/// The name under which its table is kept: see GaitStore.
std::string name_of(const Library& library, const GaitPair& pair);

/// How much is done, 0 to 1, and what, for people: "measuring how people walk, 12 of 30". Called on
/// any thread, one call after the other. @return false: the rest is not wanted
using GaitProgress = std::function<bool(double share, const std::string& doing)>;

/// Finds the tables of these, and measures those that are not kept: 0.2 s of a processor each.
/// @param threads  that share the work, 1 or more
/// @return false: the rest was not wanted
bool know_gaits(const Library& library, std::span<const GaitPair> pairs, int threads,
                const GaitProgress& tell = {});
/// Measures the gaits of a crowd that is moved outside the physics, by all threads, before its
/// members need them one by one: of `count` of them, from the one dealt as `first`.
/// @param in_physics  of the scene: 0 where only those of a light family are outside the physics
void measure_gaits(const Library& library, Workers& workers, std::uint32_t in_physics,
                   const CrowdMix& mix, std::size_t first, std::size_t count);
/// How many tables were measured so far, and not found.
std::size_t gaits_measured(const Library& library);
/// For a log: "measured 30 gaits, as no tables of them were kept".
std::string gaits_note(std::size_t measured);

}  // namespace promenade::world
