#pragma once

#include <google/protobuf/repeated_field.h>

#include "math/types.h"

namespace promenade {

/// Three numbers of a message as a vector.
/// @pre there are three; files are checked first
inline Vec3 vec3(const google::protobuf::RepeatedField<double>& values) {
  return {values[0], values[1], values[2]};
}

}  // namespace promenade
