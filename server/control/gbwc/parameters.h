#pragma once

#include "promenade/v1/controller.pb.h"

namespace promenade::control {

/// Parameters of generalized walking; units and meaning in proto/promenade/v1/controller.proto.
using GbwcParameters = v1::GbwcParameters;

}  // namespace promenade::control
