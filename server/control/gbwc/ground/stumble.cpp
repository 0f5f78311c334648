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
    return c.position.z() - known > f.p.stumble().unknown_m() * f.body.length_scale;
  });
}

/// Remembers unevenness of the ground, m; what is too high to step up does not count in full.
void met_rough(const Frame& f, double height, StumbleState& stumble) {
  if (height > f.p.stumble().rough_m() * f.body.length_scale)
    stumble.rough = std::max(stumble.rough,
                             std::min(height, f.p.stumble().most_rough_m() * f.body.length_scale));
}

}  // namespace

void grow_wary(const Frame& f, double felt_before, double dt, StumbleState& stumble) {
  const v1::GbwcStumble& p = f.p.stumble();
  const double surprise = std::abs(f.underfoot.felt - felt_before) / dt;  // m/s
  const bool stubbed = !f.step.standing && !f.step.pushing && f.step.airborne &&
                       f.step.phase > p.stub_from() && f.step.phase < p.stub_until() &&
                       f.load[1 - f.step.stance] > p.stub_load();
  stumble.wary = std::max(0.0, stumble.wary - dt / (p.wary_for_s() * f.body.time_scale));
  const bool upset = f.fine_clock > 0 || f.view.has_relief() ||
                     std::abs(f.underfoot.felt) > p.unknown_m() * f.body.length_scale;
  const double hard =
      upset ? 1 : std::max(1.0, f.course.velocity.norm() / (p.soft_mps() * f.body.time_scale));
  const double least = hard * p.surprise_mps() * f.body.length_scale;
  if ((stubbed && (upset || met_unknown(f))) || (surprise > least && (upset || !f.step.standing)))
    stumble.wary = 1;
  if (stumble.wary <= 0) stumble.rough = 0;
}

double wary_height(const Frame& f, double phase) {
  return std::min(1.0, 2 * f.stumble.wary) *
         std::max(f.p.stumble().wary_height_m() * f.body.length_scale,
                  f.stumble.rough + f.p.stumble().over_top_m() * f.body.length_scale) *
         std::sin(kPi * std::clamp(phase, 0.0, 1.0));
}

double wary_search(const Frame& f, double phase) {
  const v1::GbwcStumble& p = f.p.stumble();
  if (f.stumble.rough < p.rough_m() * f.body.length_scale) return 0;
  return std::min(1.0, 2 * f.stumble.wary) * p.search_m() * f.body.length_scale *
         ramp01(phase, p.search_from(), p.search_until());
}

void feel_stub(const Frame& f, StumbleState& stumble) {
  const v1::GbwcStumble& p = f.p.stumble();
  if (f.step.standing || f.step.pushing || !f.step.airborne || f.plan.crosses()) return;
  if (near_wall(f)) return;  // a wall is not stepped over
  const int side = 1 - f.step.stance;
  const Vec3& ankle = f.s.ankle[side];
  for (const physics::ContactPoint& c : f.state.contacts()) {
    if (c.link != f.body.biped.link[kLeftFoot + side] &&
        c.link != f.body.biped.link[kLeftToes + side])
      continue;
    if (!c.on_ground || c.normal.z() > p.floor_normal() ||
        f.in_heading(c.normal).x() > -p.edge_normal())
      continue;
    if (!stumble.stubbed) {
      stumble.at = ankle.head<2>() - p.lifted_back_m() * f.body.length_scale * f.ahead;
      stumble.top = c.position.z();
      stumble.lowers = f.step.phase > p.raise_until();
    }
    stumble.stubbed = true;
    met_rough(f, stumble.top - f.ground, stumble);
    stumble.top = std::max(stumble.top, c.position.z());
  }
}

bool stands_early(const Frame& f) {
  const v1::GbwcStumble& p = f.p.stumble();
  const int side = 1 - f.step.stance;
  if (!f.step.airborne || f.load[side] < p.stands_load()) return false;
  if (f.view.has_relief() && f.load[side] > p.carries_load()) return true;
  for (const physics::ContactPoint& c : f.state.contacts()) {
    if (c.link != f.body.biped.link[kLeftFoot + side] &&
        c.link != f.body.biped.link[kLeftToes + side])
      continue;
    if (c.on_ground && c.normal.z() > p.floor_normal() &&
        ((f.stumble.stubbed && f.stumble.lowers) ||
         c.position.z() - f.ground_at(c.position) > p.rough_m() * f.body.length_scale))
      return true;
  }
  return false;
}

Vec3 stubbed_ankle(const Frame& f, double phase, const Vec3& usual) {
  const v1::GbwcStumble& p = f.p.stumble();
  if (!f.stumble.stubbed) return usual;
  const double l = f.body.length_scale, flat = f.body.biped.ankle_height[1 - f.step.stance];
  Vec3 out = usual;
  const auto stay_before = [&] {
    const double beyond = f.ahead.dot(out.head<2>() - f.stumble.at);
    if (beyond > 0) out.head<2>() -= beyond * f.ahead;
  };
  if (f.stumble.lowers) {
    stay_before();
    out.z() = f.way_height(Vec2(out.head<2>())) + flat - p.press_down_m() * l;
    return out;
  }
  const double over = p.over_top_m() * (1 - ramp01(phase, p.lower_from(), 1.0));
  out.z() = std::max(out.z(), f.stumble.top + flat + over * l);
  if (f.s.ankle[1 - f.step.stance].z() < f.stumble.top + flat + p.free_from_m() * l) stay_before();
  return out;
}

}  // namespace promenade::control::gbwc
