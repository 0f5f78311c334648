#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "store/records.h"

namespace promenade::store {

/// The file cannot be opened, read or written. The text is one line for people.
struct StoreError : std::runtime_error {
  explicit StoreError(const std::string& text, bool of_no_room = false)
      : std::runtime_error(text), no_room(of_no_room) {}
  /// The disk is full or may only be read: the same may be possible later.
  bool no_room = false;
};

enum class Kind { kStyle, kBody, kGait };
/// "style", "body", "gait".
const char* kind_name(Kind kind);

/// One version of what was saved under a name.
struct Record {
  std::string name;
  std::uint32_t version = 0;     // 1, 2, ... of its name
  std::int64_t saved_at_ms = 0;  // since 1970, UTC
  bool deleted = false;          // this version deletes the name; `content` is empty
  std::string content;
};

/// The outcome of a save or a deletion.
struct Outcome {
  enum class What {
    kDone,
    kConflict,  // the version named is not `newest`
    kNotThere,  // there is nothing of that name to delete
    kFull,      // there are kMaxNames names already
    kTooLarge,  // the file would grow beyond the limit of the store
  };
  What what = What::kDone;
  Record record;             // kDone: what is stored now
  std::uint32_t newest = 0;  // kConflict: the version in force; 0: there is none
};

/// Styles, bodies and gaits by name and version in a file of SQLite. A version never changes. The
/// newest kMaxVersions of a name can be read; older ones are deleted. A call's changes are on the
/// disk when it returns: they survive a kill at any moment and the loss of power. Calls take as
/// long as the disk does. Not thread-safe; other processes may use the same file at the same time.
class Store {
 public:
  static constexpr std::size_t kMaxNames = 1000;     // in force, of each kind
  static constexpr std::int64_t kMaxVersions = 100;  // of a name, deletions among them

  /// Opens the file; makes it and its directory if it is not there. ":memory:" keeps everything in
  /// memory. Throws StoreError, also where the file is damaged or of a newer program.
  /// @param max_bytes  in use in the file: a save beyond is refused
  explicit Store(const std::filesystem::path& file,
                 std::int64_t max_bytes = std::int64_t{512} << 20);
  /// A copy in memory of what the file holds now: for a disk on which a store cannot be opened
  /// because there is no room. Changing it throws StoreError with `why`. Throws as the constructor
  /// does.
  static std::unique_ptr<Store> copy_in_memory(const std::filesystem::path& file,
                                               const std::string& why);
  /// Why nothing can be changed; empty: it can.
  const std::string& closed() const;
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Adds a version; if there are more than kMaxVersions then, the oldest is deleted.
  /// @param based_on  the version in force as the caller knows it; 0: none, or deleted
  Outcome save(Kind kind, const std::string& name, const std::string& content,
               std::uint32_t based_on);
  /// Adds a version that says that the name is free again.
  /// @param based_on  as for save(); none: any version in force
  Outcome remove(Kind kind, const std::string& name, std::optional<std::uint32_t> based_on);

  /// The versions in force, ordered by name.
  std::vector<Record> in_force(Kind kind) const;
  /// Nothing if there is no such version.
  std::optional<Record> find(Kind kind, const std::string& name, std::uint32_t version) const;
  /// The versions of a name that are there, newest first.
  std::vector<Record> versions(Kind kind, const std::string& name) const;

  /// The records: other texts in the same file.
  Records& records();

  /// Bytes in use in the file.
  std::int64_t used_bytes() const;

  /// Changes whenever another process has written to the file.
  std::int64_t foreign_changes() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace promenade::store
