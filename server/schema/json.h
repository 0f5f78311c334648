#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "schema/error.h"

namespace promenade::schema {

struct JsonMember;

/// A JSON document that remembers the line of everything in it.
struct JsonValue {
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  int line = 1;
  bool boolean = false;
  std::string text;                 // string: its content, UTF-8; number: as written
  std::vector<JsonValue> items;     // array
  std::vector<JsonMember> members;  // object, in the order of the text
  std::size_t begin = 0;            // where it stands in the text, in bytes

  /// As a person would recognise it in an error: at most about 60 characters.
  std::string brief() const;
};

struct JsonMember {
  std::string key;
  int line = 1;
  JsonValue value;
};

/// At most `longest` bytes of UTF-8 text, cut between characters, with "..." where it was cut.
std::string shortened(std::string_view text, std::size_t longest = 60);

struct JsonLimits {
  std::size_t max_bytes = 1 << 20;
  int max_depth = 32;  // of objects and arrays within each other
};

/// Strict JSON (RFC 8259): no comments, trailing commas, NaN or Infinity, no key twice in an
/// object; UTF-8, in front of which a byte-order mark may stand. Errors carry line and key path.
Result<JsonValue> parse_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace promenade::schema
