#pragma once

#include <filesystem>
#include <memory>

#include "control/posegraph/gait.h"
#include "schema/error.h"
#include "study/trial/gait/gait_trial.h"
#include "world/library/library.h"

namespace promenade::app {

/// The file of a gait whose creature is in the library, and trials of that creature.
struct GaitFile {
  v1::Gait message;
  schema::Source source;
  std::shared_ptr<const control::posegraph::Gait> gait;
  trial::GaitTrial trial;
};

/// @param body  a creature's file in place of the one in the library; empty: none
/// @return the first mistake of the files
schema::Result<GaitFile> load_gait_file(const Library& library, const std::filesystem::path& path,
                                        const std::filesystem::path& body = {});

/// Writes the file of a gait and says so, or complains.
/// @return the exit code of `search gait`
int write_gait_file(const v1::Gait& gait, const std::filesystem::path& path);

}  // namespace promenade::app
