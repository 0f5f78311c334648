#pragma once

#include <filesystem>

namespace promenade::trial {

/// Makes an empty directory and removes it, with all its contents, when destroyed. Throws
/// std::runtime_error if it cannot be made.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace promenade::trial
