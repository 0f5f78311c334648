#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "creature/creature.h"
#include "promenade/v1/creature.pb.h"
#include "schema/error.h"

namespace promenade {

/// Every body of a directory, checked and resolved. Never changed once loaded, so threads share it.
class CreatureLibrary {
 public:
  struct Entry {
    v1::Creature character;  // whole: links and joints in the order of `body`, no base
    std::shared_ptr<const Creature> body;
  };

  /// Loads every *.json of a directory. A file's name is its body's name. A body may be an edit of
  /// another, which may be an edit again, but never of itself.
  static schema::Result<CreatureLibrary> load(const std::filesystem::path& directory);

  /// nullptr if there is none.
  const Entry* find(const std::string& name) const;
  /// Sorted.
  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }

 private:
  std::map<std::string, Entry> entries_;
  std::vector<std::string> names_;
};

}  // namespace promenade
