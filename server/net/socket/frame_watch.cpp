#include "net/socket/frame_watch.h"

#include <algorithm>
#include <limits>

namespace promenade::net {
namespace {

constexpr unsigned kClose = 8;        // opcode of a close frame
constexpr unsigned kLastCode = 4999;  // RFC 6455 §7.4.2: nobody may use those above
constexpr unsigned kLastFirstByte = kLastCode >> 8;
constexpr unsigned kRefused = 1005, kTaken = 1000;  // codes that Beast refuses and takes

}  // namespace

void FrameWatch::feed(std::span<char> bytes) {
  while (!bytes.empty()) {
    if (payload_left_ > 0) {
      if (code_left_ > 0) on_close_code(bytes);
      const auto taken = std::min<std::uint64_t>(payload_left_, bytes.size());
      payload_left_ -= taken;
      bytes = bytes.subspan(static_cast<std::size_t>(taken));
      if (payload_left_ == 0) on_frame_end();
      continue;
    }
    header_[header_size_++] = static_cast<unsigned char>(bytes.front());
    bytes = bytes.subspan(1);
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
  const bool masked = (header_[1] & 0x80) != 0;
  mask_ = {};
  if (masked) std::copy_n(header_.begin() + static_cast<int>(header_size_) - 4, 4, mask_.begin());
  code_left_ = (header_[0] & 0x0f) == kClose && length >= 2 ? 2 : 0;
  if (control_) {
    ++controls_;
    return;
  }
  in_message_ = true;
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - message_bytes_;
  message_bytes_ += std::min(length, room);
  if (message_bytes_ > max_message_) oversized_ = true;
}

// Where only the first byte has come it has to go on before the second is known: that of 4864 to
// 4999 becomes that of 1000, which is right with one second byte and wrong with another.
void FrameWatch::on_close_code(std::span<char> bytes) {
  const auto read = [&](std::size_t i, int of_code) {
    return static_cast<unsigned>(static_cast<unsigned char>(bytes[i]) ^
                                 mask_[static_cast<std::size_t>(of_code)]);
  };
  const auto write = [&](std::size_t i, int of_code, unsigned value) {
    bytes[i] = static_cast<char>(value ^ mask_[static_cast<std::size_t>(of_code)]);
  };
  if (code_left_ == 1) {
    code_left_ = 0;
    if (!first_code_byte_) return;
    const bool taken = read(0, 1) <= (kLastCode & 0xff);
    return write(0, 1, (taken ? kTaken : 0) & 0xff);
  }
  const unsigned first = read(0, 0);
  if (bytes.size() == 1) {
    code_left_ = 1;
    first_code_byte_ = first == kLastFirstByte;
    if (first >= kLastFirstByte) write(0, 0, first_code_byte_ ? kTaken >> 8 : 0);
    return;
  }
  code_left_ = 0;
  if ((first << 8 | read(1, 1)) <= kLastCode) return;
  write(0, 0, kRefused >> 8);
  write(1, 1, kRefused & 0xff);
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
