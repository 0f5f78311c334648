#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "api/digest.h"
#include "api/tokens.h"
#include "schema/message.h"
#include "schema/text.h"
#include "service/store/backup.h"
#include "store/store.h"
#include "store/store_copy.h"
#include "world/journal/journal.h"
#include "world/journal/journal_set.h"
#include "world/journal/recovery.h"

namespace promenade::service {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxManifestBytes = std::size_t{16} << 20;

schema::FileError wrong(const fs::path& file, std::string what) {
  return {file.string(), 0, "", "", "", std::move(what)};
}

/// Whether a path of a manifest stays in the backup.
bool is_inside(const fs::path& path) {
  return path.is_relative() && !path.empty() &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

std::optional<schema::FileError> check_file(const fs::path& backup, const v1::BackupFile& entry) {
  const fs::path file = backup / entry.path();
  if (!is_inside(entry.path())) {
    return schema::FileError{(backup / kManifestFile).string(),
                             0,
                             "files.path",
                             entry.path(),
                             "a path in the backup",
                             ""};
  }
  std::error_code failed;
  const auto bytes = fs::file_size(file, failed);
  if (failed) return wrong(file, "is missing: " + failed.message());
  if (bytes != entry.bytes()) {
    return wrong(file, "has " + std::to_string(bytes) + " bytes, but the manifest says " +
                           std::to_string(entry.bytes()));
  }
  const auto digest = api::digest_of_file(file);
  if (!digest) return wrong(file, "cannot be read");
  if (api::hex_of(*digest) != entry.sha256()) {
    return wrong(file, "is damaged: its SHA-256 is not the one in the manifest");
  }
  return std::nullopt;
}

}  // namespace

schema::Result<v1::BackupManifest> check_files(const fs::path& backup) {
  const fs::path path = backup / kManifestFile;
  const auto text = schema::read_file(path, kMaxManifestBytes);
  if (!text) return text.error();
  v1::BackupManifest manifest;
  if (auto error = schema::message_from_json(*text, &manifest)) {
    error->file = path.string();
    return *error;
  }
  if (manifest.format() != 1) {
    return schema::FileError{path.string(),
                             0,
                             "format",
                             std::to_string(manifest.format()),
                             "1; a newer version of Promenade made this backup and can restore it",
                             ""};
  }
  for (const v1::BackupFile& entry : manifest.files()) {
    if (auto error = check_file(backup, entry)) return *error;
  }
  return manifest;
}

schema::Result<std::unique_ptr<world::Room>> recovered_room(
    const fs::path& directory, const std::string& room,
    const std::shared_ptr<const Library>& library) {
  const fs::path name = directory / room;
  const auto files = world::JournalSet(directory, room).list();
  if (files.segments.empty()) return wrong(name, "contains no journals of a room of that name");
  std::optional<world::RoomSettings> settings;
  for (auto one = files.segments.rbegin(); one != files.segments.rend() && !settings; ++one) {
    const auto header = world::read_journal_header(one->path);
    if (!header) continue;
    world::Journal journal;
    journal.header = *header;
    settings = journal.settings(1);
  }
  if (!settings) return wrong(name, "contains no segment with a header");
  world::JournalSettings from;
  from.directory = directory;
  from.room = room;
  try {
    world::Recovered found = world::recover(library, *settings, from);
    if (found.goes_on && found.start.how == v1::CONTINUED) return std::move(found.room);
    std::string why = "does not lead to the state hashes in its journal";
    for (const auto* texts : {&found.losses, &found.notes}) {
      for (const std::string& text : *texts) why += "; " + text;
    }
    return wrong(name, std::move(why));
  } catch (const world::RoomError& error) {
    return wrong(name, error.what());
  }
}

std::optional<schema::FileError> check_all(const fs::path& backup,
                                           const v1::BackupManifest& manifest,
                                           const std::shared_ptr<const Library>& library) {
  for (const v1::BackupFile& entry : manifest.files()) {
    const fs::path file = backup / entry.path();
    if (entry.path() == kStoreFile) {
      try {
        store::check_store_copy(file);
      } catch (const store::StoreError& error) {
        return wrong(file, error.what());
      }
    } else if (entry.path() == kTokensFile) {
      const auto text = schema::read_text(file);
      if (!text) return text.error();
      if (const auto tokens = api::parse_token_file(*text, file.string()); !tokens) {
        return tokens.error();
      }
    }
  }
  for (const v1::BackupRoom& entry : manifest.rooms()) {
    const fs::path directory = backup / kStateFolder;
    if (entry.version() != PROMENADE_VERSION) {
      return wrong(directory / entry.id(), "was written by Promenade " + entry.version() +
                                               ", and only that version can continue it; this is " +
                                               PROMENADE_VERSION);
    }
    const auto room = recovered_room(directory, entry.id(), library);
    if (!room) return room.error();
    if ((*room)->tick_count() < entry.tick()) {
      return wrong(directory / entry.id(),
                   "continues at tick " + std::to_string((*room)->tick_count()) +
                       ", but the manifest says " + std::to_string(entry.tick()));
    }
    const std::string hash = world::format_hash((*room)->state_hash());
    if ((*room)->tick_count() == entry.tick() && !entry.state_hash().empty() &&
        hash != entry.state_hash()) {
      return wrong(directory / entry.id(), "continues with the state hash " + hash +
                                               ", but the manifest says " + entry.state_hash());
    }
  }
  return std::nullopt;
}

}  // namespace promenade::service
