#pragma once

#include <memory>
#include <string>
#include <vector>

#include "control/pendulum/gait_store.h"
#include "world/library.h"

// How the library's bodies walk in its styles, which light characters need to know.
namespace promenade::world {

/// Where tables of these are looked for and kept from now on.
void keep_gaits(const Library& library, control::pendulum::GaitStore store);

/// A body and a style of the library.
struct GaitPair {
  std::shared_ptr<const Creature> body;
  std::shared_ptr<const Style> style;
};
/// All that a light controller can drive.
std::vector<GaitPair> all_gaits(const Library& library);
/// Those that a scene needs before its people can walk.
std::vector<GaitPair> gaits_of(const Scene& scene, const Library& library);

/// The name of the file in which its table is kept: see GaitStore.
std::string file_of(const Library& library, const GaitPair& pair);

/// Measures a gait, or finds it. @return whether it was measured
bool know_gait(const Library& library, const GaitPair& pair);
bool is_known(const Library& library, const GaitPair& pair);

}  // namespace promenade::world
