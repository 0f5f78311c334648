#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <optional>

#include "promenade/v1/rules.pb.h"
#include "schema/error.h"
#include "schema/message.h"

namespace promenade::schema {

/// What the schema says that a number may be, both ends included; nothing if it does not say.
std::optional<v1::Limits> limits_of(const google::protobuf::FieldDescriptor& number);

/// Whether each number of a file of parameters is given, finite and within the limits that stand
/// beside it in the schema. A number that was left out would be 0, which would switch something off
/// unnoticed or be a divisor.
/// @param parameters  numbers of type double, each with limits, and groups of them, all singular
/// @return the first fault, with file and line; nothing if all is well
std::optional<FileError> check_parameters(const google::protobuf::Message& parameters,
                                          const Source& source);

}  // namespace promenade::schema
