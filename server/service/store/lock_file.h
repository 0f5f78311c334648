#pragma once

#include <filesystem>
#include <string>

namespace promenade::service {

/// A file that one process at a time can hold; the system lets go of it when the process ends,
/// however that is.
class LockFile {
 public:
  LockFile() = default;
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  enum class Outcome { kHeld, kTaken, kFailed };
  /// Makes the file if there is none and holds it until the end.
  Outcome hold(const std::filesystem::path& path);
  /// Whether another process holds the file now; makes none, and holds nothing.
  /// @return the holder, as text() tells it; empty: nobody
  static std::string holder(const std::filesystem::path& path);
  /// kTaken: the holder, as in "process 4711"; kFailed: the reason.
  const std::string& text() const { return text_; }
  /// kFailed: the errno.
  int error() const { return error_; }

 private:
  int descriptor_ = -1;
  int error_ = 0;
  std::string text_;
};

/// The file that the server which uses a state directory holds.
inline std::filesystem::path lock_of_state(const std::filesystem::path& directory) {
  return directory / "lock";
}

}  // namespace promenade::service
