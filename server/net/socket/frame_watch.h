#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace promenade::net {

/// Reads the headers of WebSocket frames as their bytes come in, before the payload is there: how
/// large a message says that it is, how many control frames come, and whether anything has begun
/// and is not whole. It does not judge the protocol; faults are for the WebSocket to find. Beast
/// finds all but close codes above 4999, which it would answer in kind: these become one that it
/// refuses.
/// Source: RFC 6455 §5.2, §7.4.
class FrameWatch {
 public:
  explicit FrameWatch(std::size_t max_message_bytes) : max_message_(max_message_bytes) {}

  /// @param bytes  may be changed: see above
  void feed(std::span<char> bytes);

  /// A message has begun whose frames, as far as their headers have come, hold more than the limit.
  bool oversized() const { return oversized_; }
  /// A frame or message has begun and is not whole.
  bool unfinished() const { return in_message_ || header_size_ > 0 || payload_left_ > 0; }
  /// Number of messages that are whole, and of control frames between messages.
  std::uint64_t finished() const { return finished_; }
  /// Number of control frames (ping, pong, close) that have begun.
  std::uint64_t controls() const { return controls_; }

 private:
  std::size_t header_length() const;
  void on_header();
  void on_close_code(std::span<char> bytes);
  void on_frame_end();

  const std::size_t max_message_;
  std::array<unsigned char, 14> header_{};
  std::size_t header_size_ = 0;  // bytes of a header that has begun
  std::uint64_t payload_left_ = 0;
  std::uint64_t message_bytes_ = 0;  // that the headers of this message have said so far
  std::array<unsigned char, 4> mask_{};
  int code_left_ = 0;             // bytes of a close code that are still to come: 2, 1 or 0
  bool first_code_byte_ = false;  // of a split code: its first byte was kLastFirstByte
  bool in_message_ = false, final_ = false, control_ = false, oversized_ = false;
  std::uint64_t finished_ = 0, controls_ = 0;
};

}  // namespace promenade::net
