#pragma once

#include "control/gbwc/walk_state.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

struct Frame;

/// The swing ankle past the edge of the tread that the other foot is on; aside it is as usual.
Vec3 descending_ankle(const Frame& f, double phase, const Vec3& usual);
/// The drop between where the swing foot lifted and where the other stands, or -1: of a foot that
/// comes off the last tread.
int comes_off(const Frame& f);
/// The swing ankle of a foot that comes off the last tread: its sole, which hangs by then, has to
/// clear the edge.
Vec3 off_tread(const Frame& f, const Vec3& usual);
/// The stance knee that lets the body down to the next tread, rad.
/// Law:    the leg becomes shorter by a share of the drop; angle = 2 acos(s cos(usual / 2)), s its
///         length over that with the usual angle, for thigh and shank of one length
double descending_knee(const Frame& f, int side, double usual);
/// How much lower the leading foot stands than the trailing one, behind a drop, m.
double descends_by(const Frame& f);

}  // namespace promenade::control::gbwc
