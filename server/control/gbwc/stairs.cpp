// What going up and going down stairs share: the last steps before a flight, when a step onto a
// tread ends, when the trailing foot lifts. Source: not in Coros2010.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kCounted = 4;  // steps to the first tread, that are made equal
// m beyond the next foothold, going up and down: where the capture point is when a step ends. The
// foot is put down before, so that on landing it is about over it.
constexpr double kEndsUp = 0.18, kEndsDown = 0.1;
// m, more, going up, by the load in own masses: who carries something loses more speed on landing.
constexpr double kEndsLoaded = 0.7;
// Of the usual rate, the least going up and down, and the greatest.
constexpr double kSlowestUp = 0.7, kSlowestDown = 0.5, kFastestStairs = 1.6;
constexpr double kReadyDown = 0;  // m, in place of climb_ready_m going down
// m beyond the leading ankle outwards, which the capture point must not pass; further on by a share
// of what it still lacks forward.
constexpr double kAsideReady = -0.02, kAsideMore = 0.4;

}  // namespace

/// Whether the feet are on two treads of a flight.
bool Gbwc::on_stairs(const Frame& f) const { return step_.descended > 0 || climbs_by(f) > 0; }

/// Whether something that is stepped over begins between two distances along the way, m.
bool Gbwc::board_between(double from, double to) const {
  const auto boards = features_.of(FeatureKind::kBoard);
  for (int i = 0; i < boards.size(); ++i)
    if (boards[i].near > from && boards[i].near < to) return true;
  return false;
}

/// Divides the way to the first tread into equal steps, of which the last but one does not go
/// beyond `stop`: no tiny step is left over. m along the way.
void Gbwc::approach_stairs(const Frame& f, double stop, double first, double longest) {
  const double from = along_way(f.s.ankle[step_.stance]), all = first - from;
  limit_ = stop;
  const double steps = std::max(2.0, std::ceil(all / longest));
  if (steps > kCounted) return;
  placed_ = from + std::max(0.0, std::min(all / steps, (stop - from) / (steps - 1)));
  places_ = nears_stairs_ = true;
  over_speed_ = std::max(0.0, placed_ - from) / f.step_time;
}

/// Where the capture point is to be when a step onto a tread ends, m beyond that foothold.
double Gbwc::beyond_tread(const Frame& f) const {
  const double up = kEndsUp + kEndsLoaded * (heavier(f) - 1);
  return (climb_ > 0 ? up : kEndsDown) * body_.length_scale;
}

/// The rate of the phase of a step onto a tread, 1/s. The foothold is given, so the time is free:
/// the step ends when the capture point is where the next one needs it.
/// Law:    t_left = log(x_end / xi) / omega, xi the distance of the capture point from the stance
///         ankle, x_end what it is to be
/// @param capture  m, xi
/// @param to_go    of the phase
double Gbwc::stairs_rate(const Frame& f, double capture, double to_go, double regular) const {
  constexpr double kLongAfter = 10, kAtOnce = 1e-3;  // s
  const bool up = climb_ > 0;
  const double end = given_capture(f);
  const double left = capture > 0
                          ? std::min(kLongAfter, std::log(std::max(1.0, end / capture)) / f.omega)
                          : kLongAfter;
  return std::clamp(to_go / std::max(left, kAtOnce), (up ? kSlowestUp : kSlowestDown) * regular,
                    kFastestStairs * regular);
}

/// Whether the weight has moved far enough to the leading foot for the trailing one to lift. To the
/// side it must not move too far: both feet bearing do not stop it.
bool Gbwc::stairs_ready(const Frame& f) const {
  const Vec2 capture = f.in_heading(f.s.com - f.s.ankle[step_.stance]) + f.velocity / f.omega;
  const double ready =
      (step_.descended > 0 ? kReadyDown : p_->climb_ready_m()) * body_.length_scale;
  const double lacks = std::max(0.0, ready - capture.x());
  const double aside = side_sign(step_.stance) * capture.y();
  return lacks <= 0 || aside > kAsideReady * body_.length_scale + kAsideMore * lacks;
}

}  // namespace promenade::control
