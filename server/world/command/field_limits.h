#pragma once

#include <google/protobuf/message.h>

#include <optional>
#include <string>

// The ranges of numbers in commands, found by what the schema says of their fields: the option
// `limits` of promenade/v1/rules.proto.
namespace promenade::world {

/// A value that is out of the limits of its field.
struct OutOfLimits {
  std::string field;  // path, as in "path.points[3].x_m"
  std::string value;  // as given: "7", "2 numbers"
  std::string allowed;
};

/// The first number, or count of entries, in a message or below it that is out of its limits.
/// @param path  of the message, with which the path of the field begins; may be empty
std::optional<OutOfLimits> find_out_of_limits(const google::protobuf::Message& message,
                                              const std::string& path = "");

}  // namespace promenade::world
