#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "control/posegraph/gait.h"
#include "creature/creature_library.h"
#include "schema/error.h"

namespace promenade {

/// Every gait of a directory, checked against its creature. Never changed once loaded, so threads
/// share it.
class GaitLibrary {
 public:
  struct Entry {
    v1::Gait message;
    std::shared_ptr<const control::posegraph::Gait> gait;
  };
  /// Loads every *.json of a directory, which need not be there. A file's name is its gait's name.
  static schema::Result<GaitLibrary> load(const std::filesystem::path& directory,
                                          const CreatureLibrary& creatures);

  /// nullptr if there is none.
  const Entry* find(const std::string& name) const;
  /// Sorted.
  const std::vector<std::string>& names() const { return names_; }
  /// The gait of a creature for which none is named: the fastest of its own, or of those of
  /// creatures whose joints have the same names. Null: it has none.
  std::shared_ptr<const control::posegraph::Gait> usual_for(const Creature& creature) const;

 private:
  std::map<std::string, Entry> gaits_;
  std::vector<std::string> names_;
};

}  // namespace promenade
