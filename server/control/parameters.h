#pragma once

#include <google/protobuf/message.h>

#include <optional>
#include <span>

#include "schema/error.h"
#include "schema/message.h"

namespace promenade::control {

/// The values that a field of a family's parameters may have, both ends included.
struct ParameterRange {
  const char* key;
  double low, high;
};

/// Whether each field is given in the file, finite and within its range. A field that was left out
/// would be 0, which would switch a part of the controller off unnoticed or be a divisor.
/// @param ranges  one for each field of the message, all of type double
/// @return the first fault, with file and line; nothing if all is well
std::optional<schema::FileError> check_parameters(const google::protobuf::Message& parameters,
                                                  const schema::Source& source,
                                                  std::span<const ParameterRange> ranges);

}  // namespace promenade::control
