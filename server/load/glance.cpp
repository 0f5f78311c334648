#include "load/glance.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include "promenade/v1/wire.pb.h"

namespace promenade::load {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// Reads one piece of the frame up to `end`: the shared one, or this viewer's own behind it.
bool read_piece(CodedInputStream& in, int end, Glance& into) {
  while (in.CurrentPosition() < end) {
    const std::uint32_t tag = in.ReadTag();
    const int field = WireFormatLite::GetTagFieldNumber(tag);
    std::uint64_t value = 0;
    if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_VARINT) {
      // Arrays come after the numbers that are wanted; what is left of this piece is skipped.
      if (into.server_time_us != 0) return in.Skip(end - in.CurrentPosition());
      if (!WireFormatLite::SkipField(&in, tag)) return false;
      continue;
    }
    if (!in.ReadVarint64(&value)) return false;
    if (field == v1::Frame::kServerTimeUsFieldNumber) into.server_time_us = value;
    if (field == v1::Frame::kDroppedFieldNumber) into.dropped = value;
  }
  return true;
}

}  // namespace

std::optional<Glance> glance_at_frame(std::string_view message) {
  CodedInputStream in(reinterpret_cast<const std::uint8_t*>(message.data()),
                      static_cast<int>(message.size()));
  Glance found;
  bool is_frame = false;
  while (const std::uint32_t tag = in.ReadTag()) {
    std::uint32_t size = 0;
    if (WireFormatLite::GetTagFieldNumber(tag) != v1::ServerMessage::kFrameFieldNumber ||
        !in.ReadVarint32(&size)) {
      return std::nullopt;
    }
    is_frame = true;
    if (!read_piece(in, in.CurrentPosition() + static_cast<int>(size), found)) return std::nullopt;
  }
  if (!is_frame) return std::nullopt;
  return found;
}

}  // namespace promenade::load
