// What feet meet that was not known to be there: a foot that stubs is lifted over, and whoever has
// met unknown ground lifts the feet for a while. Source: not in Coros2010. The lifting of a stubbed
// foot is that of people: Eng, Winter and Patla 1994, "Strategies for recovery from a trip in early
// and late swing during human walking".
#include "control/gbwc/ground/stumble.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/ground/underfoot.h"

namespace promenade::control::gbwc {
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

/// Whether the swing foot touches something above the ground that is known.
bool met_unknown(const Frame& f) {
  const int side = 1 - f.step.stance;
  const auto& contacts = f.state.contacts();
  return std::any_of(contacts.begin(), contacts.end(), [&](const physics::ContactPoint& c) {
    if (c.link != f.body.biped.link[kLeftFoot + side] &&
        c.link != f.body.biped.link[kLeftToes + side])
      return false;
    const double known =
        f.ground_now.clearance(c.position.x(), c.position.y(), f.view.hanging_from, c.position.z())
            .floor;
    return c.position.z() - known > kUnknown * f.body.length_scale;
  });
}

/// Remembers unevenness of the ground, m; what is too high to step up does not count in full.
void met_rough(const Frame& f, double height, StumbleState& stumble) {
  if (height > kRough * f.body.length_scale)
    stumble.rough = std::max(stumble.rough, std::min(height, kMostRough * f.body.length_scale));
}

}  // namespace

void grow_wary(const Frame& f, double felt_before, double dt, StumbleState& stumble) {
  const double surprise = std::abs(f.underfoot.felt - felt_before) / dt;  // m/s
  const bool stubbed = !f.step.standing && !f.step.pushing && f.step.airborne &&
                       f.step.phase > kStubFrom && f.step.phase < kStubTo &&
                       f.load[1 - f.step.stance] > kStub;
  stumble.wary = std::max(0.0, stumble.wary - dt / (kWaryFor * f.body.time_scale));
  const bool upset = f.fine_clock > 0 || f.view.has_relief() ||
                     std::abs(f.underfoot.felt) > kUnknown * f.body.length_scale;
  const double hard =
      upset ? 1 : std::max(1.0, f.course.velocity.norm() / (kSoft * f.body.time_scale));
  const double least = hard * kSurprise * f.body.length_scale;
  if ((stubbed && (upset || met_unknown(f))) || (surprise > least && (upset || !f.step.standing)))
    stumble.wary = 1;
  if (stumble.wary <= 0) stumble.rough = 0;
}

double wary_height(const Frame& f, double phase) {
  return std::min(1.0, 2 * f.stumble.wary) *
         std::max(kWaryHeight * f.body.length_scale,
                  f.stumble.rough + kOverTop * f.body.length_scale) *
         std::sin(kPi * std::clamp(phase, 0.0, 1.0));
}

double wary_search(const Frame& f, double phase) {
  if (f.stumble.rough < kRough * f.body.length_scale) return 0;
  return std::min(1.0, 2 * f.stumble.wary) * kSearch * f.body.length_scale *
         ramp01(phase, kSearchFrom, kSearchTo);
}

void feel_stub(const Frame& f, StumbleState& stumble) {
  if (f.step.standing || f.step.pushing || !f.step.airborne || f.plan.over >= 0 ||
      f.plan.climb > 0 || f.plan.descend > 0)
    return;
  if (near_wall(f)) return;  // a wall is not stepped over
  const int side = 1 - f.step.stance;
  const Vec3& ankle = f.s.ankle[side];
  for (const physics::ContactPoint& c : f.state.contacts()) {
    if (c.link != f.body.biped.link[kLeftFoot + side] &&
        c.link != f.body.biped.link[kLeftToes + side])
      continue;
    if (!c.on_ground || c.normal.z() > kBears || f.in_heading(c.normal).x() > -kHolds) continue;
    if (!stumble.stubbed) {
      stumble.at = ankle.head<2>() - kLiftedBack * f.body.length_scale * f.ahead;
      stumble.top = c.position.z();
      stumble.lowers = f.step.phase > kRaiseUntil;
    }
    stumble.stubbed = true;
    met_rough(f, stumble.top - f.ground, stumble);
    stumble.top = std::max(stumble.top, c.position.z());
  }
}

bool stands_early(const Frame& f) {
  const int side = 1 - f.step.stance;
  if (!f.step.airborne || f.load[side] < kStands) return false;
  if (f.view.has_relief() && f.load[side] > kCarries) return true;
  for (const physics::ContactPoint& c : f.state.contacts()) {
    if (c.link != f.body.biped.link[kLeftFoot + side] &&
        c.link != f.body.biped.link[kLeftToes + side])
      continue;
    if (c.on_ground && c.normal.z() > kBears &&
        ((f.stumble.stubbed && f.stumble.lowers) ||
         c.position.z() - f.ground_at(c.position) > kRough * f.body.length_scale))
      return true;
  }
  return false;
}

Vec3 stubbed_ankle(const Frame& f, double phase, const Vec3& usual) {
  if (!f.stumble.stubbed) return usual;
  const double l = f.body.length_scale, flat = f.body.biped.ankle_height[1 - f.step.stance];
  Vec3 out = usual;
  const auto stay_before = [&] {
    const double beyond = f.ahead.dot(out.head<2>() - f.stumble.at);
    if (beyond > 0) out.head<2>() -= beyond * f.ahead;
  };
  if (f.stumble.lowers) {
    stay_before();
    out.z() = f.way_height(Vec2(out.head<2>())) + flat - kPressDown * l;
    return out;
  }
  const double over = kOverTop * (1 - ramp01(phase, kLowerFrom, 1.0));
  out.z() = std::max(out.z(), f.stumble.top + flat + over * l);
  if (f.s.ankle[1 - f.step.stance].z() < f.stumble.top + flat + kFreeFrom * l) stay_before();
  return out;
}

}  // namespace promenade::control::gbwc
