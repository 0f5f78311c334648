#pragma once

#include <filesystem>
#include <memory>

#include "promenade/v1/creature.pb.h"
#include "promenade/v1/scene.pb.h"
#include "study/trial/rig/scratch_directory.h"
#include "world/library/library.h"

namespace promenade::trial {

/// A copy of a data directory to which an experiment adds creatures and scenes of its own. Removed
/// when destroyed. Throws std::runtime_error where a file cannot be written or the data are wrong.
class DataCopy {
 public:
  explicit DataCopy(const std::filesystem::path& data_dir);
  void add(const v1::Creature& creature) const;
  void add(const v1::Scene& scene) const;
  /// The library outlives the copy.
  std::shared_ptr<const Library> load() const;

 private:
  ScratchDirectory scratch_;
};

}  // namespace promenade::trial
