#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "world/command/command.h"

namespace promenade::service {

/// A directory for files that end with this process, which no other user reads or writes, under a
/// name that nobody knows beforehand. Empty until it is made; removed with all that is in it.
class PrivateDirectory {
 public:
  /// @param name  what its name begins with
  explicit PrivateDirectory(std::string name) : name_(std::move(name)) {}
  ~PrivateDirectory() { remove(); }
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;

  /// Makes it unless it is there. @return its path; empty where it cannot be made
  const std::filesystem::path& make();
  void remove();

 private:
  const std::string name_;
  std::filesystem::path path_;
};

/// The error where none can be made. @param field  what it was for
world::CommandError no_directory(std::string field);

}  // namespace promenade::service
