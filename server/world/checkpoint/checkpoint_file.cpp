// Checkpoints as bytes and files.
#include <cerrno>
#include <cstring>
#include <fstream>

#include "schema/message.h"
#include "schema/refusal.h"
#include "world/checkpoint/checkpoint.h"

namespace promenade::world {

schema::Result<v1::Checkpoint> parse_checkpoint(std::string_view bytes, const std::string& source) {
  schema::FileError error;
  error.file = source;
  if (bytes.size() > kMaxCheckpointBytes) {
    error.value = std::to_string(bytes.size()) + " bytes";
    error.allowed = "at most " + std::to_string(kMaxCheckpointBytes) + " bytes";
    return error;
  }
  v1::Checkpoint message;
  if (bytes.empty() || !message.ParseFromArray(bytes.data(), int(bytes.size()))) {
    error.message = "is no checkpoint: " + std::to_string(bytes.size()) +
                    " bytes that are damaged or cut short";
    return error;
  }
  return message;
}

schema::Result<v1::Checkpoint> read_checkpoint(const std::filesystem::path& path) {
  const auto bytes = schema::read_file(path, kMaxCheckpointBytes);
  if (!bytes) return bytes.error();
  return parse_checkpoint(*bytes, path.string());
}

std::optional<schema::FileError> write_checkpoint(const v1::Checkpoint& checkpoint,
                                                  const std::filesystem::path& path) {
  std::filesystem::path beside = path;
  beside += ".part";
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  std::error_code failed;
  if (checkpoint.SerializeToOstream(&out) && out.flush().good()) {
    std::filesystem::rename(beside, path, failed);
    if (!failed) return std::nullopt;
  }
  schema::FileError error;
  error.file = path.string();
  error.message =
      std::string("cannot be written: ") + (failed ? failed.message() : std::strerror(errno));
  std::filesystem::remove(beside, failed);
  return error;
}

}  // namespace promenade::world
