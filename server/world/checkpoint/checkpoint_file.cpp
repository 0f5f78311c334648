// Checkpoints as bytes and files.
#include <cstring>

#include "math/hash.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "world/checkpoint/checkpoint.h"
#include "world/journal/durable_file.h"

namespace promenade::world {
namespace {

std::uint64_t checksum(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.value();
}

}  // namespace

std::string checkpoint_bytes(const v1::Checkpoint& checkpoint) {
  v1::CheckpointFile file;
  file.set_state(checkpoint.SerializeAsString());
  file.set_checksum(checksum(file.state()));
  return file.SerializeAsString();
}

schema::Result<v1::Checkpoint> parse_checkpoint(std::string_view bytes, const std::string& source) {
  schema::FileError error;
  error.file = source;
  if (bytes.size() > kMaxCheckpointBytes) {
    error.value = std::to_string(bytes.size()) + " bytes";
    error.allowed = "at most " + std::to_string(kMaxCheckpointBytes) + " bytes";
    return error;
  }
  v1::CheckpointFile file;
  v1::Checkpoint message;
  if (!file.ParseFromArray(bytes.data(), int(bytes.size())) || file.state().empty() ||
      file.checksum() != checksum(file.state()) || !message.ParseFromString(file.state())) {
    error.message = "is not a checkpoint: " + std::to_string(bytes.size()) +
                    " bytes that are damaged or cut short";
    return error;
  }
  // Protobuf takes files that follow each other for one, of which the last counts, and passes over
  // fields that it does not know.
  file.DiscardUnknownFields();
  if (const std::size_t whole = file.ByteSizeLong(); whole != bytes.size()) {
    error.message = "is not a checkpoint: the state in it takes " + std::to_string(whole) +
                    " of its " + std::to_string(bytes.size()) + " bytes";
    error.allowed = "one state and nothing else";
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
  const int failed = write_durably(path, checkpoint_bytes(checkpoint));
  if (!failed) return std::nullopt;
  schema::FileError error;
  error.file = path.string();
  error.message = std::string("cannot be written: ") + std::strerror(failed);
  return error;
}

}  // namespace promenade::world
