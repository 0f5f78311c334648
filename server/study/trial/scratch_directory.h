#pragma once

#include <filesystem>

namespace promenade::trial {

/// An empty directory of its own, gone with all that is in it when this ends. Throws
/// std::runtime_error where none can be made.
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
