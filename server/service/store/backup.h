#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "promenade/v1/backup.pb.h"
#include "schema/error.h"
#include "world/library/library.h"
#include "world/room/room.h"

// A backup is a directory:
//   manifest.json           a v1::BackupManifest: what is in it, with SHA-256 digests
//   store.db                the store, at one moment
//   tokens                  the token file, if one was named
//   state/ROOM.*            of each room its newest segment and the states in it
// Only its owner can read it.
namespace promenade::service {

/// The files that belong to a server; an empty path: it has none.
struct ServerFiles {
  std::filesystem::path store;      // ":memory:" as well: nothing to keep
  std::filesystem::path state_dir;  // of rooms
  std::filesystem::path token_file;
};

/// Names in a backup.
inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kStoreFile = "store.db";
inline constexpr const char* kTokensFile = "tokens";
inline constexpr const char* kStateFolder = "state";

/// Writes a backup while a server may use the files. It has its name only once it is whole and on
/// the disk: a process that is killed leaves NAME.backup-part, which the next one beside it
/// removes.
/// @param to  must not be there
/// @return the error, with file, of what is named and not there, or could not be read or written;
///         nothing is left then
schema::Result<v1::BackupManifest> make_backup(const ServerFiles& from,
                                               const std::filesystem::path& to);

/// Reads a backup's manifest and compares every file with it.
schema::Result<v1::BackupManifest> check_files(const std::filesystem::path& backup);

/// A room as it goes on from files in a directory, of a backup or of any other; no file is changed.
/// @return the error where it would not go on from there, or not to the hashes in its journal
schema::Result<std::unique_ptr<world::Room>> recovered_room(
    const std::filesystem::path& directory, const std::string& room,
    const std::shared_ptr<const Library>& library);

/// Checks files, store, tokens and that every room goes on from its state to the hash that the
/// manifest says.
std::optional<schema::FileError> check_all(const std::filesystem::path& backup,
                                           const v1::BackupManifest& manifest,
                                           const std::shared_ptr<const Library>& library);

}  // namespace promenade::service
