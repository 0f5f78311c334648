#pragma once

#include "control/gbwc/style.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// What the style adds to a joint about an axis at this phase, rad.
double style_offset(const Frame& f, StyleJoint joint, int axis);
/// Share of a stand on the toes that is left: who turns sharply comes down on the soles, as on the
/// toes nobody holds the twist, and so does who pushes or pulls hard. 1 in styles that land on the
/// sole or the heel.
double tiptoe_share(const Frame& f);
/// By how much lower than its style asks a foot swings, m: it lands no higher above the ground than
/// toes reach that point down as far as they do at this speed.
double soles_down(const Frame& f);
/// What the style adds to a joint, rad, and how fast that changes, rad/s.
struct StyleMotion {
  double offset, rate;
};
StyleMotion style_motion(const Frame& f, StyleJoint joint, int axis);

}  // namespace promenade::control::gbwc
