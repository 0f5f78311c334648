#pragma once

#include "control/controller.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// How long a step lasts, s: by the style, the body, the speed and what is in the way.
double step_time_of(const Frame& f, const Goal& goal);
/// How far apart the feet are, m, likewise.
double step_width_of(const Frame& f, const Goal& goal);

}  // namespace promenade::control::gbwc
