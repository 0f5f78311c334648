#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// The few pieces of protobuf's encoding that frames need, without the message objects in between.
// https://protobuf.dev/programming-guides/encoding/
namespace promenade::stream {

enum class WireType : std::uint32_t { kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5 };

inline void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

inline std::uint32_t zigzag(std::int32_t value) {
  return (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31);
}

inline void put_tag(std::string& out, int field, WireType type) {
  put_varint(out, static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(type));
}

/// Fields at their default are not written, as proto3 has it.
inline void put_uint(std::string& out, int field, std::uint64_t value) {
  if (value == 0) return;
  put_tag(out, field, WireType::kVarint);
  put_varint(out, value);
}

/// Little-endian, whatever the machine.
inline void put_fixed32(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(value >> shift));
}

inline void put_fixed64(std::string& out, int field, std::uint64_t value) {
  if (value == 0) return;
  put_tag(out, field, WireType::kFixed64);
  put_fixed32(out, static_cast<std::uint32_t>(value));
  put_fixed32(out, static_cast<std::uint32_t>(value >> 32));
}

inline void put_float(std::string& out, int field, float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (bits == 0) return;
  put_tag(out, field, WireType::kFixed32);
  put_fixed32(out, bits);
}

/// A packed array, a string or a message, already encoded.
inline void put_bytes(std::string& out, int field, std::string_view bytes) {
  if (bytes.empty()) return;
  put_tag(out, field, WireType::kLength);
  put_varint(out, bytes.size());
  out.append(bytes);
}

}  // namespace promenade::stream
