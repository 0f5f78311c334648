#include "isolation/frames.h"

#include <cstring>

namespace promenade::isolation {
namespace {

constexpr std::size_t kHead = 5;  // bytes before the content

}  // namespace

void append_frame(FrameKind kind, std::string_view content, std::string& out) {
  const auto length = static_cast<std::uint32_t>(content.size());
  char head[kHead];
  std::memcpy(head, &length, sizeof length);
  head[4] = static_cast<char>(kind);
  out.append(head, kHead);
  out.append(content);
}

void FrameReader::add(std::string_view bytes) {
  if (begin_ > 0 && begin_ * 2 >= bytes_.size()) {
    bytes_.erase(0, begin_);
    begin_ = 0;
  }
  bytes_.append(bytes);
}

std::optional<Frame> FrameReader::next() {
  const std::string_view rest = std::string_view(bytes_).substr(begin_);
  if (bad_ || rest.size() < kHead) return std::nullopt;
  std::uint32_t length = 0;
  std::memcpy(&length, rest.data(), sizeof length);
  const auto kind = static_cast<FrameKind>(rest[4]);
  if (length > kMaxFrame || (kind != FrameKind::kMessage && kind != FrameKind::kSnapshot)) {
    bad_ = true;
    return std::nullopt;
  }
  if (rest.size() < kHead + length) return std::nullopt;
  begin_ += kHead + length;
  return Frame{kind, rest.substr(kHead, length)};
}

}  // namespace promenade::isolation
