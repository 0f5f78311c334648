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

std::optional<schema::FileError> make_directory(const fs::path& directory) {
  std::error_code failed;
  if (!directory.empty()) fs::create_directories(directory, failed);
  if (!failed) return std::nullopt;
  return schema::FileError{
      directory.string(), 0, "", "", "", "cannot be made: " + failed.message()};
}

/// A backup on its way to the places of a server. Each step returns what is in its way.
class Restore {
 public:
  using Fault = std::optional<schema::FileError>;

  Restore(const fs::path& backup, const v1::BackupManifest& manifest, const ServerFiles& to,
          std::vector<std::string>& notes)
      : backup_(backup),
        manifest_(manifest),
        to_(to),
        notes_(notes),
        store_(has(manifest, kStoreFile) && !to.store.empty() && to.store != ":memory:"),
        tokens_(has(manifest, kTokensFile) && !to.token_file.empty()),
        state_(manifest.rooms_size() > 0 && !to.state_dir.empty()) {}

  Fault run() {
    // Both locks before anything is written: a server is in the way as a whole or not at all.
    if (auto error = lock()) return error;
    if (auto error = bring_store()) return error;
    if (auto error = bring_tokens()) return error;
    if (auto error = bring_rooms()) return error;
    if (auto error = restoring_.finish()) return error;
    note_the_rest();
    return std::nullopt;
  }

 private:
  Fault lock();
  Fault bring_store();
  Fault bring_tokens();
  Fault bring_rooms();
  void set_rooms_aside();
  /// Tells of old files, and of what was not restored.
  void note_the_rest();

  const fs::path& backup_;
  const v1::BackupManifest& manifest_;
  const ServerFiles& to_;
  std::vector<std::string>& notes_;
  const bool store_, tokens_, state_;  // what is brought
  LockFile state_lock_, store_lock_;   // longer than restoring_
  Restoring restoring_;
};

Restore::Fault Restore::lock() {
  if (store_) {
    if (auto error = make_directory(to_.store.parent_path())) return error;
    if (auto error = restoring_.lock(with_end(to_.store, ".lock"), store_lock_, "the store")) {
      return error;
    }
  }
  if (to_.state_dir.empty()) return std::nullopt;
  if (auto error = make_directory(to_.state_dir)) return error;
  return restoring_.lock(lock_of_state(to_.state_dir), state_lock_, "the state directory");
}

Restore::Fault Restore::bring_store() {
  if (!store_) return std::nullopt;
  if (auto error = restoring_.bring(backup_ / kStoreFile, to_.store)) return error;
  // SQLite finds a log by its file's name: it goes along.
  const std::string end = "." + restoring_.before();
  for (const char* part : {"", "-wal", "-shm"}) {
    restoring_.set_aside(with_end(to_.store, part), with_end(to_.store, end + part));
  }
  notes_.push_back("store " + to_.store.string());
  return std::nullopt;
}

Restore::Fault Restore::bring_tokens() {
  if (!tokens_) return std::nullopt;
  if (auto error = make_directory(to_.token_file.parent_path())) return error;
  if (auto error = restoring_.bring(backup_ / kTokensFile, to_.token_file)) return error;
  restoring_.set_aside(to_.token_file, with_end(to_.token_file, "." + restoring_.before()));
  notes_.push_back("tokens " + to_.token_file.string());
  return std::nullopt;
}

Restore::Fault Restore::bring_rooms() {
  if (!state_) return std::nullopt;
  set_rooms_aside();
  for (const v1::BackupFile& file : manifest_.files()) {
    const fs::path path = file.path();
    if (path.parent_path() != kStateFolder) continue;
    if (auto error = restoring_.bring(backup_ / path, to_.state_dir / path.filename())) {
      return error;
    }
  }
  for (const v1::BackupRoom& room : manifest_.rooms()) {
    notes_.push_back("room " + room.id() + " at tick " + std::to_string(room.tick()));
  }
  return std::nullopt;
}

void Restore::set_rooms_aside() {
  const fs::path before = to_.state_dir / restoring_.before();
  for (const std::string& room : world::JournalSet::rooms_in(to_.state_dir)) {
    const world::JournalSet set(to_.state_dir, room);
    const auto files = set.list();
    for (const auto& one : files.segments) {
      restoring_.set_aside(one.path, before / one.path.filename());
    }
    for (const auto& one : files.points) {
      restoring_.set_aside(one.path, before / one.path.filename());
    }
    world::forget_starts(set);
  }
}

void Restore::note_the_rest() {
  if (restoring_.sets_aside()) {
    notes_.push_back("what was there before has " + restoring_.before() + " in its name");
  }
  if (has(manifest_, kTokensFile) && !tokens_) {
    notes_.push_back("the tokens were not restored: --token-file is not given");
  }
  if (manifest_.rooms_size() > 0 && !state_) {
    notes_.push_back("the rooms were not restored: --state-dir is not given");
  }
}

}  // namespace

std::optional<schema::FileError> restore_files(const fs::path& backup,
                                               const v1::BackupManifest& manifest,
                                               const ServerFiles& to,
                                               std::vector<std::string>& notes) {
  ::umask(0077);
  return Restore(backup, manifest, to, notes).run();
}

}  // namespace promenade::service
