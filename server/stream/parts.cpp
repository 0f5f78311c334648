#include "stream/parts.h"

#include <string_view>

#include "promenade/v1/wire.pb.h"
#include "stream/wire_writer.h"

namespace promenade::stream {

std::vector<std::string> in_parts(std::string message) {
  std::vector<std::string> out;
  if (message.size() <= kMaxWholeBytes) {
    out.push_back(std::move(message));
    return out;
  }
  constexpr std::size_t kEnvelope = 32;  // bytes of tags, lengths and `left`, at most
  constexpr std::size_t kMost = kMaxWholeBytes - kEnvelope;
  const std::size_t count = (message.size() + kMost - 1) / kMost;
  const std::string_view whole = message;
  for (std::size_t i = 0; i < count; ++i) {
    std::string part;
    part.reserve(kMaxWholeBytes);
    put_bytes(part, v1::Part::kDataFieldNumber, whole.substr(i * kMost, kMost));
    put_uint(part, v1::Part::kLeftFieldNumber, count - 1 - i);
    std::string& out_part = out.emplace_back();
    out_part.reserve(kMaxWholeBytes);
    put_bytes(out_part, v1::ServerMessage::kPartFieldNumber, part);
  }
  return out;
}

}  // namespace promenade::stream
