#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "world/snapshot.h"

namespace promenade::stream {

/// Snapshots to Frame messages. Keeps its buffers, so one encoder serves one thread at a time.
class FrameEncoder {
 public:
  /// A whole ServerMessage with a Frame, the same for every viewer: everything but `dropped`.
  /// @param viewers  now in the room
  std::string encode(const world::Snapshot& snapshot, std::uint32_t viewers);

 private:
  std::string positions_, rotations_, joints_, flags_, frame_;
};

/// What one viewer's frame has after the shared bytes: `dropped`, as a second piece of the same
/// field. Protobuf parsers merge the pieces. Empty for none dropped.
std::string frame_tail(std::uint64_t dropped);

}  // namespace promenade::stream
