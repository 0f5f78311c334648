#include "service/store/backup.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "api/digest.h"
#include "schema/message.h"
#include "service/utc.h"
#include "store/store.h"
#include "store/store_copy.h"
#include "world/journal/durable_file.h"
#include "world/journal/journal_set.h"
#include "world/journal/set_copy.h"

namespace promenade::service {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPartEnd = ".backup-part";

schema::FileError cannot(const fs::path& file, std::string what) {
  return {file.string(), 0, "", "", "", std::move(what)};
}

/// A directory that becomes the backup, held by this process; removed unless it did.
class Part {
 public:
  ~Part() {
    if (descriptor_ < 0) return;
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
    ::close(descriptor_);
  }

  std::optional<schema::FileError> make(const fs::path& to) {
    path_ = to;
    path_ += kPartEnd;
    if (::mkdir(path_.c_str(), 0700) != 0) {
      return cannot(path_, errno == EEXIST
                               ? std::string("is being written by another backup")
                               : std::string("cannot be made: ") + std::strerror(errno));
    }
    descriptor_ = hold(path_);
    if (descriptor_ < 0)
      return cannot(path_, std::string("cannot be held: ") + std::strerror(errno));
    return std::nullopt;
  }
  /// Gives it its name.
  std::optional<schema::FileError> finish(const fs::path& to) {
    int error = world::sync_directory(path_ / kStateFolder);
    if (!error) error = world::sync_directory(path_);
    if (!error && ::rename(path_.c_str(), to.c_str()) != 0) error = errno;
    if (error) return cannot(to, std::string("cannot be made: ") + std::strerror(error));
    kept_ = true;
    if (const int late = world::sync_directory(to.parent_path())) {
      return cannot(
          to, std::string("was written, but may not survive a power cut: ") + std::strerror(late));
    }
    return std::nullopt;
  }
  const fs::path& path() const { return path_; }

  /// Removes the folders beside `to` that killed backups have left.
  static void clear_beside(const fs::path& to) {
    const fs::path folder = to.has_parent_path() ? to.parent_path() : ".";
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
      const std::string name = it->path().filename().string();
      std::error_code ignored;
      if (!name.ends_with(kPartEnd) || !it->is_directory(ignored)) continue;
      const int held = hold(it->path());
      if (held < 0) continue;  // by a backup under way
      fs::remove_all(it->path(), ignored);
      ::close(held);
    }
  }

 private:
  /// @return a descriptor that holds the directory until it is closed, or -1
  static int hold(const fs::path& directory) {
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
    if (descriptor >= 0) ::close(descriptor);
    return -1;
  }

  fs::path path_;
  int descriptor_ = -1;
  bool kept_ = false;
};

/// A file that is named and not there is a mistake: a backup without it would show too late.
std::optional<schema::FileError> must_be_there(const fs::path& path, const std::string& flag) {
  std::error_code failed;
  if (fs::exists(path, failed)) return std::nullopt;
  return cannot(path, (failed ? "cannot be read: " + failed.message() : "does not exist") +
                          "; name the one that the server uses with " + flag);
}

std::optional<schema::FileError> keep_store(const fs::path& store, const fs::path& to) {
  if (store.empty() || store == ":memory:") return std::nullopt;
  if (auto error = must_be_there(store, "--store")) return error;
  try {
    store::copy_store(store, to / kStoreFile);
    store::check_store_copy(to / kStoreFile);
  } catch (const store::StoreError& error) {
    return cannot(to / kStoreFile, error.what());
  }
  return std::nullopt;
}

std::optional<schema::FileError> keep_tokens(const fs::path& file, const fs::path& to) {
  if (file.empty()) return std::nullopt;
  const auto text = schema::read_file(file);
  if (!text) return text.error();
  const fs::path copy = to / kTokensFile;
  if (const int error = world::write_durably(copy, *text)) {
    return cannot(copy, std::string("cannot be written: ") + std::strerror(error));
  }
  return std::nullopt;
}

std::optional<schema::FileError> keep_rooms(const fs::path& state_dir, const fs::path& to,
                                            v1::BackupManifest& manifest) {
  if (state_dir.empty()) return std::nullopt;
  if (auto error = must_be_there(state_dir, "--state-dir")) return error;
  for (const std::string& id : world::JournalSet::rooms_in(state_dir)) {
    const world::JournalSet set(state_dir, id);
    const auto copied = world::copy_room(set, to / kStateFolder);
    if (!copied) {
      if (!set.list().segments.empty()) return copied.error();
      continue;  // it was closed a moment ago
    }
    v1::BackupRoom& room = *manifest.add_rooms();
    room.set_id(id);
    room.set_version(copied->version);
    room.set_scene(copied->scene);
    room.set_tick(copied->tick);
    room.set_state_hash(copied->state_hash);
  }
  return std::nullopt;
}

/// Puts all files that are there into the manifest, and has the disk keep it.
std::optional<schema::FileError> write_manifest(const fs::path& in, v1::BackupManifest& manifest) {
  std::vector<fs::path> files;
  for (const fs::path& folder : {in, in / kStateFolder}) {
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end;
         it.increment(failed)) {
      if (it->is_regular_file()) files.push_back(it->path());
    }
    if (failed) return cannot(folder, "cannot be read: " + failed.message());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const auto digest = api::digest_of_file(file);
    std::error_code failed;
    const auto bytes = fs::file_size(file, failed);
    if (!digest || failed) return cannot(file, "cannot be read again");
    v1::BackupFile& entry = *manifest.add_files();
    entry.set_path(file.lexically_relative(in).generic_string());
    entry.set_bytes(bytes);
    entry.set_sha256(api::hex_of(*digest));
  }
  const fs::path path = in / kManifestFile;
  if (const int error = world::write_durably(path, schema::message_to_json(manifest) + "\n")) {
    return cannot(path, std::string("cannot be written: ") + std::strerror(error));
  }
  return std::nullopt;
}

}  // namespace

schema::Result<v1::BackupManifest> make_backup(const ServerFiles& from, const fs::path& given) {
  // Without the slash at the end, which would make the name beside it one inside.
  const fs::path to = given.has_filename() ? given : given.parent_path();
  std::error_code ignored;
  if (fs::exists(to, ignored)) return cannot(to, "exists already; name a new directory");
  ::umask(0077);
  std::error_code failed;
  if (to.has_parent_path()) fs::create_directories(to.parent_path(), failed);
  if (failed) return cannot(to.parent_path(), "cannot be made: " + failed.message());
  Part::clear_beside(to);
  Part part;
  if (auto error = part.make(to)) return *error;
  if (::mkdir((part.path() / kStateFolder).c_str(), 0700) != 0) {
    return cannot(part.path() / kStateFolder,
                  std::string("cannot be made: ") + std::strerror(errno));
  }
  v1::BackupManifest manifest;
  manifest.set_format(1);
  manifest.set_version(PROMENADE_VERSION);
  manifest.set_made_at(utc_text(utc_now_ms()));
  if (auto error = keep_store(from.store, part.path())) return *error;
  if (auto error = keep_tokens(from.token_file, part.path())) return *error;
  if (auto error = keep_rooms(from.state_dir, part.path(), manifest)) return *error;
  if (auto error = write_manifest(part.path(), manifest)) return *error;
  if (auto error = part.finish(to)) return *error;
  return manifest;
}

}  // namespace promenade::service
