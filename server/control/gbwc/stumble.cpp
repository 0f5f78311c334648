// What feet meet that was not known to be there: a foot that stubs is lifted over, and whoever has
// met unknown ground lifts the feet for a while. Source: not in Coros2010. The lifting of a stubbed
// foot is that of people: Eng, Winter and Patla 1994, "Strategies for recovery from a trip in early
// and late swing during human walking".
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kStub = 0.02;  // of the weight
constexpr double kStubFrom = 0.15,
                 kStubTo = 0.75;      // of a step: a foot that lands later has arrived
constexpr double kUnknown = 0.006;    // m, above the known ground: more than a sole gives way
constexpr double kSurprise = 0.15;    // m/s, by which the felt ground rises or falls
constexpr double kSoft = 0.85;        // m/s: faster walks land harder, in proportion
constexpr double kWaryFor = 6;        // s
constexpr double kWaryHeight = 0.05;  // m, by which wary feet are lifted more
constexpr double kBears = 0.6;      // of the normal's height, from which on something bears a foot
constexpr double kHolds = 0.3;      // of the normal, against the way, of what holds a foot up
constexpr double kRough = 0.03;     // m, of unevenness that was felt
constexpr double kMostRough = 0.1;  // m
constexpr double kSearch = 0.08;    // m, by which a wary foot looks for ground below
constexpr double kSearchFrom = 0.9, kSearchTo = 1.15;  // of a step
constexpr double kStands = 0.06;                       // of the weight, of a foot that has landed
constexpr double kCarries = 0.3;                       // likewise, whatever it stands on
constexpr double kOverTop = 0.035;    // m, by which a sole passes above what it has met
constexpr double kFreeFrom = 0.005;   // m, above it, from where on the foot goes on
constexpr double kLiftedBack = 0.03;  // m, from it, where the foot is lifted
constexpr double kRaiseUntil = 0.5;   // of a step: later a foot is put down before it
constexpr double kPressDown = 0.02;   // m, below the ground, to where it then goes
constexpr double kLowerFrom = 0.8;    // of a step, from which on the foot comes down

}  // namespace

/// Whether the swing foot touches something above the ground that is known.
bool Gbwc::met_unknown(const Frame& f) const {
  const int side = 1 - step_.stance;
  const auto& contacts = f.state.contacts();
  return std::any_of(contacts.begin(), contacts.end(), [&](const physics::ContactPoint& c) {
    if (c.link != body_.biped.link[kLeftFoot + side] &&
        c.link != body_.biped.link[kLeftToes + side])
      return false;
    const double known =
        f.ground_now.clearance(c.position.x(), c.position.y(), f.view.hanging_from, c.position.z())
            .floor;
    return c.position.z() - known > kUnknown * body_.length_scale;
  });
}

/// A foot that meets ground where none should be, or a step on other ground than the known one,
/// makes wary for some seconds: wary walkers lift their feet and do not hurry. On course over level
/// ground a foot that scuffs or lands hard means nothing; otherwise it is taken for a warning.
void Gbwc::grow_wary(const Frame& f, double felt_before, double dt) {
  const double surprise = std::abs(ground_.felt - felt_before) / dt;  // m/s
  const bool stubbed = !step_.standing && !step_.pushing && step_.airborne &&
                       step_.phase > kStubFrom && step_.phase < kStubTo &&
                       f.load[1 - step_.stance] > kStub;
  stumble_.wary = std::max(0.0, stumble_.wary - dt / (kWaryFor * body_.time_scale));
  const bool upset = fine_clock_ > 0 || f.view.has_relief() ||
                     std::abs(ground_.felt) > kUnknown * body_.length_scale;
  const double hard =
      upset ? 1 : std::max(1.0, course_.velocity.norm() / (kSoft * body_.time_scale));
  const double least = hard * kSurprise * body_.length_scale;
  if ((stubbed && (upset || met_unknown(f))) || (surprise > least && (upset || !step_.standing)))
    stumble_.wary = 1;
  if (stumble_.wary <= 0) stumble_.rough = 0;
}

/// Remembers unevenness of the ground, m; what is too high to step up does not count in full.
void Gbwc::met_rough(double height) {
  if (height > kRough * body_.length_scale)
    stumble_.rough = std::max(stumble_.rough, std::min(height, kMostRough * body_.length_scale));
}

/// How much higher wary feet are lifted, m.
double Gbwc::wary_height(double phase) const {
  return std::min(1.0, 2 * stumble_.wary) *
         std::max(kWaryHeight * body_.length_scale,
                  stumble_.rough + kOverTop * body_.length_scale) *
         std::sin(kPi * std::clamp(phase, 0.0, 1.0));
}

/// How much lower than the ground a wary foot goes at the end of its step, to find ground there, m.
double Gbwc::wary_search(double phase) const {
  if (stumble_.rough < kRough * body_.length_scale) return 0;
  return std::min(1.0, 2 * stumble_.wary) * kSearch * body_.length_scale *
         ramp01(phase, kSearchFrom, kSearchTo);
}

/// Feels whether the swing foot is held up by something in its way: sets stumble_.stubbed,
/// stumble_.top and stumble_.at, stumble_.lowers and stumble_.rough.
void Gbwc::feel_stub(const Frame& f) {
  if (step_.standing || step_.pushing || !step_.airborne || over_ >= 0 || climb_ > 0 ||
      descend_ > 0)
    return;
  if (near_wall()) return;  // a wall is not stepped over
  const int side = 1 - step_.stance;
  const Vec3& ankle = f.s.ankle[side];
  for (const physics::ContactPoint& c : f.state.contacts()) {
    if (c.link != body_.biped.link[kLeftFoot + side] &&
        c.link != body_.biped.link[kLeftToes + side])
      continue;
    if (!c.on_ground || c.normal.z() > kBears || f.in_heading(c.normal).x() > -kHolds) continue;
    if (!stumble_.stubbed) {
      stumble_.at = ankle.head<2>() - kLiftedBack * body_.length_scale * f.ahead;
      stumble_.top = c.position.z();
      stumble_.lowers = step_.phase > kRaiseUntil;
    }
    stumble_.stubbed = true;
    met_rough(stumble_.top - f.ground);
    stumble_.top = std::max(stumble_.top, c.position.z());
  }
}

/// Whether the swing foot stands on something, though higher than it was to land, or with its ankle
/// high over an edge.
bool Gbwc::stands_early(const Frame& f) const {
  const int side = 1 - step_.stance;
  if (!step_.airborne || f.load[side] < kStands) return false;
  if (f.view.has_relief() && f.load[side] > kCarries) return true;
  for (const physics::ContactPoint& c : f.state.contacts()) {
    if (c.link != body_.biped.link[kLeftFoot + side] &&
        c.link != body_.biped.link[kLeftToes + side])
      continue;
    if (c.on_ground && c.normal.z() > kBears &&
        ((stumble_.stubbed && stumble_.lowers) ||
         c.position.z() - f.ground_at(c.position) > kRough * body_.length_scale))
      return true;
  }
  return false;
}

/// Takes the ankle of a stubbed foot up before what it has met, and then over it; or, late in the
/// step, down before it.
/// @param usual  where it would be without
Vec3 Gbwc::stubbed_ankle(const Frame& f, double phase, const Vec3& usual) const {
  if (!stumble_.stubbed) return usual;
  const double l = body_.length_scale, flat = body_.biped.ankle_height[1 - step_.stance];
  Vec3 out = usual;
  const auto stay_before = [&] {
    const double beyond = f.ahead.dot(out.head<2>() - stumble_.at);
    if (beyond > 0) out.head<2>() -= beyond * f.ahead;
  };
  if (stumble_.lowers) {
    stay_before();
    out.z() = way_height(f, Vec2(out.head<2>())) + flat - kPressDown * l;
    return out;
  }
  const double over = kOverTop * (1 - ramp01(phase, kLowerFrom, 1.0));
  out.z() = std::max(out.z(), stumble_.top + flat + over * l);
  if (f.s.ankle[1 - step_.stance].z() < stumble_.top + flat + kFreeFrom * l) stay_before();
  return out;
}

}  // namespace promenade::control
