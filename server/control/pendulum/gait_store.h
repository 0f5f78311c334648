#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "control/pendulum/gait_table.h"

namespace promenade::control::pendulum {

/// Tables in files, one each, named by a digest of all that they were measured from. A file that is
/// damaged, or does not fit, counts as not there. May be used by many threads and processes.
class GaitStore {
 public:
  GaitStore() = default;  // keeps nothing
  /// @param ready  where tables were put beforehand; only read
  /// @param keep  where new ones go; made when needed; empty: nowhere
  GaitStore(std::vector<std::filesystem::path> ready, std::filesystem::path keep)
      : ready_(std::move(ready)), keep_(std::move(keep)) {}

  /// The name of the file of a table that was measured from these. Everything counts that decides
  /// its bits, the program too. @return empty where the program has no build id
  static std::string name_of(const std::string& creature, const std::string& style,
                             const std::string& parameters);

  /// @param links  of the creature
  /// @return null: there is none
  std::shared_ptr<const GaitTable> find(const std::string& name, std::size_t links) const;
  /// Writes it, whole or not at all. Where the disk does not take it, it is measured again next
  /// time. @return whether the file is there
  bool keep(const std::string& name, const GaitTable& table) const;
  const std::filesystem::path& directory() const { return keep_; }

 private:
  std::vector<std::filesystem::path> ready_;
  std::filesystem::path keep_;
};

}  // namespace promenade::control::pendulum
