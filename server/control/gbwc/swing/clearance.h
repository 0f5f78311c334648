#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// How much of the swing is over, 0 to 1.
double clearing_done(const Frame& f, double phase);
/// The ankle's place over the obstacle; along the way and in height alone, aside it is as usual.
Vec3 clearing_ankle(const Frame& f, double phase, double ahead, const Vec3& usual);
/// By how much the knee has to be turned outwards to be above the obstacle, rad.
double turned_over(const Frame& f, const Vec3& hip, const Vec3& ankle, const Vec3& axis,
                   double upper, double lower);
/// By how much the knee is turned outwards, rad: otherwise the knee of the trailing leg would meet
/// the obstacle before it is high enough.
double clearing_twist(const Frame& f);
/// Pitch of the swing foot, rad.
double clearing_pitch(const Frame& f, double usual);

}  // namespace promenade::control::gbwc
