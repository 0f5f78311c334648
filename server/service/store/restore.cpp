#include "service/store/restore.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "schema/message.h"
#include "service/store/lock_file.h"
#include "world/journal/durable_file.h"
#include "world/journal/journal_set.h"
#include "world/journal/set_aside.h"
#include "world/journal/start_count.h"

namespace promenade::service {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 32;
constexpr const char* kNewEnd = ".restored";  // end of files that do not have their names yet

schema::FileError cannot(const fs::path& file, const std::string& what, int error) {
  return {file.string(), 0, "", "", "", what + ": " + std::strerror(error)};
}

fs::path with_end(fs::path path, const std::string& end) {
  path += end;
  return path;
}

/// Where new files come and old ones go, in one place after the other.
class Restoring {
 public:
  Restoring() : before_("before-" + world::time_for_names()) {}
  ~Restoring() {  // of what did not come to its end
    std::error_code ignored;
    for (const Move& move : moves_) fs::remove(move.written, ignored);
  }

  std::optional<schema::FileError> lock(const fs::path& path, LockFile& lock,
                                        const std::string& what) {
    switch (lock.hold(path)) {
      case LockFile::Outcome::kHeld:
        give_to_owner_of(path.parent_path(), path);
        return std::nullopt;
      case LockFile::Outcome::kTaken:
        return schema::FileError{path.string(),
                                 0,
                                 "",
                                 "",
                                 "",
                                 what + " is in use by a running server, " + lock.text() +
                                     "; stop that server first, or put the state of one room into "
                                     "it with --room and --server"};
      case LockFile::Outcome::kFailed:
        break;
    }
    return schema::FileError{path.string(), 0, "", "", "", "cannot be written: " + lock.text()};
  }

  /// Writes a file of the backup beside its place.
  std::optional<schema::FileError> bring(const fs::path& from, const fs::path& place) {
    const auto bytes = schema::read_file(from, kMaxFileBytes);
    if (!bytes) return bytes.error();
    const fs::path written = with_end(place, kNewEnd);
    moves_.push_back({written, place});
    if (const int error = world::write_durably(written, *bytes)) {
      return cannot(written, "cannot be written", error);
    }
    give_to_owner_of(place.parent_path(), written);
    return std::nullopt;
  }
  /// Gives a file that is in the way another name, once all is written.
  void set_aside(const fs::path& place, const fs::path& name) {
    std::error_code ignored;
    if (fs::exists(place, ignored)) aside_.emplace_back(place, name);
  }
  const std::string& before() const { return before_; }
  bool sets_aside() const { return !aside_.empty(); }

  /// Moves the old files away and the new ones into place.
  std::optional<schema::FileError> finish() {
    for (const auto& [place, name] : aside_) {
      std::error_code failed;
      if (name.has_parent_path()) fs::create_directories(name.parent_path(), failed);
      if (::rename(place.c_str(), name.c_str()) != 0) {
        return cannot(place, "cannot be set aside as " + name.string(), errno);
      }
    }
    for (const Move& move : moves_) {
      if (::rename(move.written.c_str(), move.place.c_str()) != 0) {
        return cannot(move.place, "cannot be put into place", errno);
      }
      if (const int error = world::sync_directory(move.place.parent_path())) {
        return cannot(move.place, "was written, but may not survive a power cut", error);
      }
    }
    for (const auto& [place, name] : aside_) {
      if (const int error = world::sync_directory(name.parent_path())) {
        return cannot(name, "was written, but may not survive a power cut", error);
      }
    }
    moves_.clear();
    return std::nullopt;
  }

 private:
  struct Move {
    fs::path written, place;
  };

  /// Root restores for a server of another user.
  static void give_to_owner_of(const fs::path& directory, const fs::path& file) {
    struct stat owner {};
    if (::geteuid() != 0 || ::stat(directory.empty() ? "." : directory.c_str(), &owner) != 0) {
      return;
    }
    [[maybe_unused]] const int refused = ::lchown(file.c_str(), owner.st_uid, owner.st_gid);
  }

  const std::string before_;
  std::vector<Move> moves_;
  std::vector<std::pair<fs::path, fs::path>> aside_;
};

bool has(const v1::BackupManifest& manifest, const std::string& path) {
  for (const v1::BackupFile& file : manifest.files()) {
    if (file.path() == path) return true;
  }
  return false;
}

}  // namespace

std::optional<schema::FileError> restore_files(const fs::path& backup,
                                               const v1::BackupManifest& manifest,
                                               const ServerFiles& to,
                                               std::vector<std::string>& notes) {
  ::umask(0077);
  LockFile state_lock, store_lock;
  Restoring restoring;
  const std::string end = "." + restoring.before();
  const auto make_directory = [](const fs::path& directory) -> std::optional<schema::FileError> {
    std::error_code failed;
    if (!directory.empty()) fs::create_directories(directory, failed);
    if (!failed) return std::nullopt;
    return schema::FileError{
        directory.string(), 0, "", "", "", "cannot be made: " + failed.message()};
  };

  const bool store = has(manifest, kStoreFile) && !to.store.empty() && to.store != ":memory:";
  const bool state = manifest.rooms_size() > 0 && !to.state_dir.empty();
  const bool tokens = has(manifest, kTokensFile) && !to.token_file.empty();
  // Both locks before anything is written: a server is in the way as a whole or not at all.
  if (store) {
    if (auto error = make_directory(to.store.parent_path())) return error;
    if (auto error = restoring.lock(with_end(to.store, ".lock"), store_lock, "the store")) {
      return error;
    }
  }
  if (!to.state_dir.empty()) {
    if (auto error = make_directory(to.state_dir)) return error;
    if (auto error =
            restoring.lock(lock_of_state(to.state_dir), state_lock, "the state directory")) {
      return error;
    }
  }
  if (store) {
    if (auto error = restoring.bring(backup / kStoreFile, to.store)) return error;
    // SQLite finds a log by its file's name: it goes along.
    for (const char* part : {"", "-wal", "-shm"}) {
      restoring.set_aside(with_end(to.store, part), with_end(to.store, end + part));
    }
    notes.push_back("store " + to.store.string());
  }
  if (tokens) {
    if (auto error = make_directory(to.token_file.parent_path())) return error;
    if (auto error = restoring.bring(backup / kTokensFile, to.token_file)) return error;
    restoring.set_aside(to.token_file, with_end(to.token_file, end));
    notes.push_back("tokens " + to.token_file.string());
  }
  if (state) {
    const fs::path before = to.state_dir / restoring.before();
    for (const std::string& room : world::JournalSet::rooms_in(to.state_dir)) {
      const world::JournalSet set(to.state_dir, room);
      const auto files = set.list();
      for (const auto& one : files.segments) {
        restoring.set_aside(one.path, before / one.path.filename());
      }
      for (const auto& one : files.points) {
        restoring.set_aside(one.path, before / one.path.filename());
      }
      world::forget_starts(set);
    }
    for (const v1::BackupFile& file : manifest.files()) {
      const fs::path path = file.path();
      if (path.parent_path() != kStateFolder) continue;
      if (auto error = restoring.bring(backup / path, to.state_dir / path.filename())) return error;
    }
    for (const v1::BackupRoom& room : manifest.rooms()) {
      notes.push_back("room " + room.id() + " at tick " + std::to_string(room.tick()));
    }
  }
  if (auto error = restoring.finish()) return error;
  if (restoring.sets_aside()) {
    notes.push_back("what was there before has " + restoring.before() + " in its name");
  }
  if (has(manifest, kTokensFile) && !tokens) {
    notes.push_back("the tokens were not restored: --token-file is not given");
  }
  if (manifest.rooms_size() > 0 && !state) {
    notes.push_back("the rooms were not restored: --state-dir is not given");
  }
  return std::nullopt;
}

}  // namespace promenade::service
