#pragma once

#include <span>

#include "control/parameters.h"
#include "promenade/v1/controller.pb.h"

namespace promenade::control {

/// Parameters of generalized walking; units and meaning in proto/promenade/v1/controller.proto.
using GbwcParameters = v1::GbwcParameters;

/// Of every field, in the order of the message.
std::span<const ParameterRange> gbwc_ranges();

}  // namespace promenade::control
