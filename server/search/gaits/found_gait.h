#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "promenade/v1/gait.pb.h"
#include "promenade/v1/search.pb.h"
#include "schema/error.h"
#include "search/gaits/gait_space.h"

namespace promenade::search {

/// What is known of a candidate besides its numbers.
struct FoundFacts {
  std::string kind;         // by its footfalls
  double speed = 0;         // m/s, forward
  double score = 0;         // more is better
  std::uint64_t trial = 0;  // number of the candidate, from 0
};

/// The file of a candidate's gait, with the search that comes to it again.
/// @param name        empty: creature and kind
/// @param in_library  the creature is one of the library: the search names it alone
v1::Gait found_gait(const GaitSpace& space, const Vector& places, const v1::SearchStart& start,
                    const FoundFacts& facts, const std::string& name, bool in_library);

/// An objective of gaits by its name in the data directory, or by its file, which has a / or ends
/// with .json.
schema::Result<v1::GaitObjective> load_gait_objective(const std::filesystem::path& data_dir,
                                                      const std::string& name);

}  // namespace promenade::search
