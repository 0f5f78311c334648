#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

void follow_velocity(const Frame& f, const Goal& goal, double dt, CourseState& course);
void follow_heading(const Frame& f, const Goal& goal, double dt, CourseState& course);

}  // namespace promenade::control::gbwc
