#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "promenade/v1/checkpoint.pb.h"
#include "schema/error.h"
#include "world/room/room.h"

namespace promenade::world {

/// Must grow with every change of the members that an object visits, or of their order: states
/// that another version of the program saved are then refused, not misread.
inline constexpr std::uint32_t kCheckpointFormat = 12;
/// Bytes of a checkpoint, at most: a thousand characters take about 15 MB.
inline constexpr std::size_t kMaxCheckpointBytes = std::size_t{64} << 20;

/// The settings with which a room must be made to restore a checkpoint.
/// @param threads  workers; no effect on results
RoomSettings settings_of(const v1::Checkpoint& checkpoint, int threads);

/// The bytes of a v1::CheckpointFile.
std::string checkpoint_bytes(const v1::Checkpoint& checkpoint);
/// A checkpoint from such bytes, which are whole; their content is for Room::restore to check.
/// @param source  a file's name for errors; may be empty
schema::Result<v1::Checkpoint> parse_checkpoint(std::string_view bytes,
                                                const std::string& source = "");
schema::Result<v1::Checkpoint> read_checkpoint(const std::filesystem::path& path);
/// Replaces the file once all is on the disk. @return why it could not
std::optional<schema::FileError> write_checkpoint(const v1::Checkpoint& checkpoint,
                                                  const std::filesystem::path& path);

}  // namespace promenade::world
