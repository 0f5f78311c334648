#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "control/pendulum/gait_table.h"

namespace promenade::control::pendulum {

/// Tables in files, one each, named by a digest of all that they were measured from, the program
/// too. A file that is damaged, or does not fit, counts as not there. May be used by many threads
/// and processes.
class GaitStore {
 public:
  enum class For {
    /// Tables that belong to an installation: each machine on which the program runs takes them, so
    /// that all compute from the same bits.
    kInstallation,
    /// Tables that this machine would measure to the same bits again: the names tell its libraries
    /// and its kind of processor, too.
    kMachine,
  };

  GaitStore() = default;  // keeps nothing
  /// @param ready  where tables of the installation were put beforehand; only read
  /// @param keep  where new ones go; made when needed; empty: nowhere
  GaitStore(std::vector<std::filesystem::path> ready, std::filesystem::path keep,
            For kept_for = For::kMachine)
      : ready_(std::move(ready)), keep_(std::move(keep)), kept_for_(kept_for) {}

  /// The name under which a table is kept that was measured from these.
  /// @return empty where the program has no build id
  static std::string name_of(const std::string& creature, const std::string& style,
                             const std::string& parameters);

  /// @param links  of the creature
  /// @return null: there is none
  std::shared_ptr<const GaitTable> find(const std::string& name, std::size_t links) const;
  /// Writes it, whole or not at all. Where the disk does not take it, it is measured again next
  /// time. @return whether the file is there
  bool keep(const std::string& name, const GaitTable& table) const;
  /// Removes the tables of other programs where new ones go.
  /// @param names  of those that stay
  void remove_others(const std::vector<std::string>& names) const;

 private:
  std::string kept_file(const std::string& name) const;

  std::vector<std::filesystem::path> ready_;
  std::filesystem::path keep_;
  For kept_for_ = For::kMachine;
};

}  // namespace promenade::control::pendulum
