#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "world/showing/snapshot.h"

namespace promenade::stream {

/// Things of a Frame or a Rest, in the encoding of packed arrays.
struct ThingArrays {
  std::string things, positions, rotations, joints;
  void clear() {
    for (std::string* array : {&things, &positions, &rotations, &joints}) array->clear();
  }
  void add(const world::Snapshot& snapshot, std::size_t index);
};

/// [joint coordinates] of a body of the roster, whether it is a length; empty: none is.
const std::vector<bool>& lengths_of(const world::Roster& roster, int body);

/// A whole ServerMessage with a Frame whose characters are `coded`, by CodedFrameEncoder.
/// @param dropped  frames that this viewer did not get
std::string coded_frame(const world::Snapshot& snapshot, std::uint32_t viewers,
                        std::uint64_t dropped, std::string_view coded);

/// Snapshots to Frame messages. Keeps its buffers, so one encoder serves one thread at a time.
class FrameEncoder {
 public:
  /// A whole ServerMessage with a Frame, the same for every viewer: everything but `dropped`.
  /// @param viewers  now in the room
  std::string encode(const world::Snapshot& snapshot, std::uint32_t viewers);

 private:
  std::string positions_, rotations_, joints_, flags_, limbs_, presences_, frame_;
  ThingArrays things_;
};

/// A ServerMessage with a Rest of the things that fell asleep after the tick `since` and still
/// sleep; empty if there are none. @param since  0: all that sleep
std::string encode_rest(const world::Snapshot& snapshot, std::uint64_t since);

/// The bytes of one viewer's frame after the shared ones: `dropped`, as a second piece of the same
/// field. Protobuf parsers merge the pieces. Empty for none dropped.
std::string frame_tail(std::uint64_t dropped);

}  // namespace promenade::stream
