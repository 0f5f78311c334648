#include "net/frame_watch.h"

#include <algorithm>
#include <limits>

namespace promenade::net {

void FrameWatch::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (payload_left_ > 0) {
      const auto taken = std::min<std::uint64_t>(payload_left_, bytes.size());
      payload_left_ -= taken;
      bytes.remove_prefix(static_cast<std::size_t>(taken));
      if (payload_left_ == 0) on_frame_end();
      continue;
    }
    header_[header_size_++] = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (header_size_ < header_length()) continue;
    on_header();
    header_size_ = 0;
    if (payload_left_ == 0) on_frame_end();
  }
}

std::size_t FrameWatch::header_length() const {
  if (header_size_ < 2) return 2;
  const int length = header_[1] & 0x7f;
  const std::size_t extended = length == 127 ? 8 : length == 126 ? 2 : 0;
  return 2 + extended + ((header_[1] & 0x80) != 0 ? 4 : 0);  // the last: the mask
}

void FrameWatch::on_header() {
  std::uint64_t length = header_[1] & 0x7f;
  if (length >= 126) {
    const std::size_t bytes = length == 126 ? 2 : 8;
    length = 0;
    for (std::size_t i = 0; i < bytes; ++i) length = length << 8 | header_[2 + i];
  }
  payload_left_ = length;
  final_ = (header_[0] & 0x80) != 0;
  control_ = (header_[0] & 0x08) != 0;
  if (control_) {
    ++controls_;
    return;
  }
  in_message_ = true;
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - message_bytes_;
  message_bytes_ += std::min(length, room);
  if (message_bytes_ > max_message_) oversized_ = true;
}

void FrameWatch::on_frame_end() {
  if (control_) {
    if (!in_message_) ++finished_;
  } else if (final_) {
    in_message_ = false;
    message_bytes_ = 0;
    ++finished_;
  }
}

}  // namespace promenade::net
