#include "study/trial/gait/footfalls.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kLeastHarmonic = 0.03;  // below this amplitude the contact has no rhythm
constexpr double kStepsTwice = 1.5;  // second harmonic over the first of what steps twice a stride

// Where the joint of a link is along x, in the zero pose, m.
double joint_along(const physics::ArticulationModel& model, int link) {
  double x = 0;
  for (int i = link; i > 0; i = model.links[std::size_t(i)].parent) {
    const physics::LinkModel& at = model.links[std::size_t(i)];
    x += at.at_parent.x() - (i == link ? 0 : at.at_child.x());
  }
  return x;
}

double wrapped(double turns) { return turns - std::floor(turns); }

}  // namespace

Legs Legs::of(const Creature& creature) {
  Legs out;
  out.leg_of.assign(creature.model->links.size(), -1);
  for (std::size_t i = 0; i < creature.limbs.size(); ++i) {
    const Limb& limb = creature.limbs[i];
    if (limb.kind != LimbKind::kLeg) continue;
    const int leg = int(out.limbs.size());
    const int soles = std::clamp(limb.soles, 1, int(limb.links.size()));
    for (int k = int(limb.links.size()) - soles; k < int(limb.links.size()); ++k) {
      out.leg_of[std::size_t(limb.links[std::size_t(k)])] = leg;
    }
    out.limbs.push_back(int(i));
  }
  constexpr std::string_view kLeft = "left", kRight = "right";
  for (const int l : out.limbs) {
    const std::string& left = creature.limbs[std::size_t(l)].name;
    if (!left.starts_with(kLeft)) continue;
    const std::string wanted = std::string(kRight) + left.substr(kLeft.size());
    for (const int r : out.limbs) {
      if (creature.limbs[std::size_t(r)].name != wanted) continue;
      const int first = creature.limbs[std::size_t(l)].links.front();
      out.pairs.push_back({l, r, joint_along(*creature.model, first)});
    }
  }
  std::stable_sort(out.pairs.begin(), out.pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.along > b.along; });
  // From limbs to legs.
  const auto leg_of_limb = [&](int limb) {
    return int(std::find(out.limbs.begin(), out.limbs.end(), limb) - out.limbs.begin());
  };
  for (Pair& pair : out.pairs) {
    pair.left = leg_of_limb(pair.left);
    pair.right = leg_of_limb(pair.right);
  }
  return out;
}

bool Footfalls::steps() const {
  return !legs.empty() && std::all_of(legs.begin(), legs.end(), [](const LegPhase& leg) {
    return std::max(leg.first, leg.second) > kLeastHarmonic;
  });
}

std::optional<Footfalls> Footfalls::in_step() const {
  const auto twice = std::size_t(std::count_if(legs.begin(), legs.end(), [](const LegPhase& leg) {
    return leg.second > kStepsTwice * leg.first;
  }));
  const bool all = twice == legs.size();
  if (!all && 2 * twice >= legs.size()) return std::nullopt;
  Footfalls out = *this;
  for (LegPhase& leg : out.legs) leg.phase = all ? leg.twice : leg.once;
  return out;
}

double Footfalls::mean_duty() const {
  double sum = 0;
  for (const LegPhase& leg : legs) sum += leg.duty;
  return legs.empty() ? 0 : sum / double(legs.size());
}

FootfallRecorder::FootfallRecorder(const Legs& legs, double period)
    : period_(period), sums_(legs.limbs.size()) {}

void FootfallRecorder::note(const std::vector<bool>& bears, bool anything, double time, double dt) {
  seconds_ += dt;
  if (!anything) airborne_ += dt;
  const double angle = 2 * kPi * (time - 0.5 * dt) / period_;
  const double c = std::cos(angle), s = std::sin(angle);
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    if (!bears[i]) continue;
    Sums& sum = sums_[i];
    sum.on += dt;
    sum.cos1 += c * dt;
    sum.sin1 += s * dt;
    sum.cos2 += (c * c - s * s) * dt;
    sum.sin2 += 2 * c * s * dt;
  }
}

Footfalls FootfallRecorder::result() const {
  Footfalls out;
  if (seconds_ <= 0) return out;
  out.airborne = airborne_ / seconds_;
  // Legs that step twice a stride are told by the second harmonic, all of them alike.
  double first = 0, second = 0;
  for (const Sums& sum : sums_) {
    first += std::hypot(sum.cos1, sum.sin1);
    second += std::hypot(sum.cos2, sum.sin2);
  }
  const bool twice = second > kStepsTwice * first;
  for (const Sums& sum : sums_) {
    LegPhase& leg = out.legs.emplace_back();
    leg.duty = sum.on / seconds_;
    leg.first = std::hypot(sum.cos1, sum.sin1) / seconds_;
    leg.second = std::hypot(sum.cos2, sum.sin2) / seconds_;
    leg.once = wrapped(std::atan2(sum.sin1, sum.cos1) / (2 * kPi));
    leg.twice = wrapped(std::atan2(sum.sin2, sum.cos2) / (2 * kPi));
    leg.phase = twice ? leg.twice : leg.once;
  }
  return out;
}

double phase_lag(double a, double b) { return wrapped(a - b); }

double phase_distance(double a, double b) {
  const double lag = phase_lag(a, b);
  return std::min(lag, 1 - lag);
}

}  // namespace promenade::trial
