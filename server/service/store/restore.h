#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "schema/error.h"
#include "service/store/backup.h"

namespace promenade::service {

/// Puts the files of a backup into place, with no server running there. Files that were there are
/// set aside, never deleted: the store and the token file as NAME.before-TIME beside them, the
/// files of all rooms in STATE_DIR/before-TIME. All that is new is written first, so that a full
/// disk, or a kill before that is done, changes nothing; a kill later is mended by restoring again.
/// @param backup  has passed check_files()
/// @param to  empty paths: these files of the backup are left where they are
/// @param notes  gets what was done, for people
/// @return the error, with file; a server that runs there is one
std::optional<schema::FileError> restore_files(const std::filesystem::path& backup,
                                               const v1::BackupManifest& manifest,
                                               const ServerFiles& to,
                                               std::vector<std::string>& notes);

}  // namespace promenade::service
