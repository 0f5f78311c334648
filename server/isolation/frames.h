#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace promenade::isolation {

/// Kinds of frames. On the wire a frame is 4 bytes of length, 1 of the kind, and the content.
enum class FrameKind : std::uint8_t {
  kMessage = 1,  // RoomOrder to the process, RoomWord from it
  kSnapshot = 2  // of SnapshotEncoder
};
/// Bytes; longer contents are taken for damage.
inline constexpr std::size_t kMaxFrame = std::size_t{1} << 30;

void append_frame(FrameKind kind, std::string_view content, std::string& out);

struct Frame {
  FrameKind kind;
  std::string_view content;  // valid until bytes are added or the next frame is taken
};

/// Cuts the bytes of a stream into frames.
class FrameReader {
 public:
  void add(std::string_view bytes);
  /// The next whole frame; nothing where there is none yet, or bad() is true.
  std::optional<Frame> next();
  /// Whether bytes came that are no frame; nothing after them can be read.
  bool bad() const { return bad_; }

 private:
  std::string bytes_;
  std::size_t begin_ = 0;  // of what was not taken
  bool bad_ = false;
};

}  // namespace promenade::isolation
