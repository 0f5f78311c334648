#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

// Files whose content must be there after a crash of the process or of the machine. Functions give
// 0 or the errno of what failed; none throws.
namespace promenade::world {

/// Writes a file whole: under another name first, kept by the disk, then renamed. After a crash at
/// any moment there is the file as it was before or as it is now, never a part.
int write_durably(const std::filesystem::path& path, std::string_view bytes);

/// Has the disk keep what was created, renamed or removed in a directory.
int sync_directory(const std::filesystem::path& directory);

/// A file of lines that grows at its end. Not a std::ofstream: that keeps data it could not write
/// and does not say how much was written. append() and sync() may run on two threads at once.
class LineFile {
 public:
  enum class Open { kNew, kReplace };  // kNew fails with EEXIST where there is a file
  LineFile() = default;
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// @pre not open
  int open(const std::filesystem::path& path, Open how);

  struct Written {
    std::size_t lines = 0;  // that are in the file
    int error = 0;          // why not all are
  };
  /// Writes lines that end in '\n'. Where not all fit, the half line at the end is taken out again,
  /// so that the next line does not continue it. A call that fails is repeated once.
  Written append(std::string_view lines);
  int sync();
  std::uint64_t size() const { return size_; }  // bytes, of whole lines

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace promenade::world
