// Steps up: one foot on each tread, the trailing leg lifts the body onto the leading one.
// Source: Coros2010 §5.4 shows stairs and tells nothing of them.
#include <algorithm>
#include <cmath>

#include "control/gbwc/five_points.h"
#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

// m, behind a heel on a tread, at least; less by a share of what a step is higher than kUsualRise,
// as the shank leans further there, and before the first tread; the ankle stays over the tread.
constexpr double kHeelRoom = 0.02, kLessRoom = 1.3, kUsualRise = 0.2, kFirstBack = 0.02;
constexpr double kOverTread = 0.005;
constexpr double kBehindHeel = 0.01;  // m, more, where the tread is deep enough
constexpr double kToeRoom = 0.02;     // m, from the toes to the next riser
constexpr double kFootRoom = 0.06;  // m, from the toes to the riser before which steps are counted
constexpr double kOntoFirst = 0.46, kLongestNear = 0.38;  // m, steps onto the first tread, before
constexpr double kPace = 0.9;        // of the speed that a regular step of that length has
constexpr double kLoadedPace = 1.5;  // more, by the load in own masses
// Of the swing ankle's way: it is there at this phase, descends over the last bit, and passes the
// first of two risers earlier and lower.
constexpr double kThereAt = 0.85, kDownFrom = 0.01, kToesPast = 0.01, kLowerFirst = 0.014;
constexpr double kRound = 0.02;  // m, that each part of it counts longer
// Of the hip's way: a slope as steep as the stairs, up to a nearly straight leg with the hip this
// far ahead of the ankle, m; there at this phase at the latest.
constexpr double kStraight = 0.994, kHipEnds = 0.15, kSteeper = 1.03, kRisenAt = 0.85;
constexpr double kHipBegins = 0.17, kHipWay = 0.35;  // m behind the ankle, and the whole way
constexpr double kTread = 0.3;                       // m, of usual stairs

}  // namespace

/// Whether a riser is one of a flight: single steps and wide ones are walked onto.
bool Gbwc::of_flight(int riser) const {
  return step_.climbed > 0 ||
         features_.of(FeatureKind::kRiser).has_neighbour(riser, body_.sight.up_treads);
}

/// Where the ankle is to be on the tread behind a riser, m along the way.
double Gbwc::tread_place(int riser, int side) const {
  const double l = body_.length_scale;
  const auto risers = features_.of(FeatureKind::kRiser);
  const Feature& r = risers[riser];
  const double room = kHeelRoom * l - kLessRoom * std::max(0.0, r.height() - kUsualRise * l) -
                      (step_.climbed > 0 ? 0 : kFirstBack * l);
  const double first = r.near + std::max(kOverTread * l, body_.foot_reach[side].y() + room);
  if (riser + 1 == risers.size()) return first;
  const double last = risers[riser + 1].near - body_.foot_reach[side].x() - kToeRoom * l;
  return last < first ? last : std::min(0.5 * (first + last), first + kBehindHeel * l);
}

/// Places the swing foot on the next tread, or in equal steps before the first.
void Gbwc::plan_climb(const Frame& f) {
  climb_ = tread_ = 0;
  const auto risers = features_.of(FeatureKind::kRiser);
  if (step_.standing || risers.size() == 0 || over_ >= 0) return;
  const double l = body_.length_scale;
  const int swing = 1 - step_.stance;
  const double from = along_way(f.s.ankle[step_.stance]);
  int next = 0;
  while (next < risers.size() && risers[next].near < from) ++next;
  if (next == risers.size() || !of_flight(next)) return;
  if (board_between(from, risers[next].near)) return;
  tread_ = risers[next].height();
  const double stop = risers[next].near - body_.foot_reach[swing].x() - kFootRoom * l;
  const double first = tread_place(next, swing);
  if (first - from < kOntoFirst * l) {
    climb_ = tread_;
    placed_ = first;
    places_ = true;
    const double load = heavier(f) - 1;
    over_speed_ = (kPace + kLoadedPace * load) * (placed_ - from) / f.step_time;
    return;
  }
  approach_stairs(f, stop, first, kLongestNear * l);
}

/// The swing ankle over the risers between where it was and its tread; aside it is as usual.
Vec3 Gbwc::climbing_ankle(const Frame&, double phase, const Vec3& usual) const {
  const double l = body_.length_scale;
  const int side = 1 - step_.stance;
  const double from = along_way(swing_.lift_ankle), flat = body_.biped.ankle_height[side];
  const auto risers = features_.of(FeatureKind::kRiser);
  int first = -1, last = -1;
  for (int i = 0; i < risers.size(); ++i) {
    if (risers[i].near < from || risers[i].near > placed_) continue;
    if (first < 0) first = i;
    last = i;
  }
  if (first < 0) return usual;
  const double clear = p_->climb_clear_m() * l;
  const auto toes_at = [&](int i) {
    return risers[i].near - body_.foot_reach[side].x() - 0.01 * l;
  };
  const double end = placed_, ground = risers[last].top + flat;
  const double high = ground + clear;
  std::array<double, 5> x{from, 0, 0, end - kDownFrom * l, end};
  std::array<double, 5> z{swing_.lift_ankle.z(), 0, 0, high, ground};
  x[2] = std::max(from, toes_at(last));
  z[2] = high;
  if (first == last) {
    x[1] = std::lerp(from, x[2], 0.6);
    z[1] = std::lerp(z[0], high, 0.7);
  } else {
    x[1] = std::max(from, toes_at(first) + kToesPast * l);
    z[1] = risers[first].top + flat + clear - kLowerFirst * l;
  }
  std::array<double, 5> at{};
  for (int i = 1; i < 5; ++i)
    at[i] = at[i - 1] + kRound * l + std::hypot(x[i] - x[i - 1], z[i] - z[i - 1]);
  for (double& t : at) t /= at[4];
  const FivePoints along{at, x}, height{at, z};
  const double done = clearing_done(phase / kThereAt);
  Vec3 out = usual;
  out.head<2>() +=
      (along(done) - features_.direction().dot(usual.head<2>())) * features_.direction();
  out.z() = height(done);
  return out;
}

/// The stance knee that carries the hip along a slope as steep as the stairs, rad.
double Gbwc::climbing_knee(const Frame& f, int side, double ahead) const {
  const auto& links = body_.creature->model->links;
  const int thigh = body_.biped.link[kLeftThigh + side],
            shank = body_.biped.link[kLeftShank + side];
  const double upper = (links[shank].at_parent - links[thigh].at_child).norm();
  const double lower =
      (links[body_.biped.link[kLeftFoot + side]].at_parent - links[shank].at_child).norm();
  const Vec3 apart = f.s.hip[side] - f.s.ankle[side];
  Vec2 at = f.in_heading(apart) + ahead * f.velocity;
  const double l = body_.length_scale, full = kStraight * (upper + lower);
  const double end = kHipEnds * l;
  at.x() =
      std::max(at.x(), std::lerp(-kHipBegins * l, end,
                                 std::min(1.0, (step_.phase + ahead * f.phase_rate) / kRisenAt)));
  const double top = std::sqrt(std::max(0.0, full * full - end * end - at.y() * at.y()));
  const double slope = kSteeper * step_.climbed / (kTread * l);
  const double height = top - slope * std::clamp(end - at.x(), 0.0, kHipWay * l);
  const double length = std::clamp(std::hypot(height, at.norm()), 0.5 * full, full);
  const double cosine = (upper * upper + lower * lower - length * length) / (2 * upper * lower);
  return kPi - std::acos(std::clamp(cosine, -1.0, 1.0));
}

/// How much higher the leading foot stands than the trailing one, behind a riser, m.
double Gbwc::climbs_by(const Frame& f) const {
  const double rear = along_way(f.s.ankle[1 - step_.stance]),
               lead = along_way(f.s.ankle[step_.stance]);
  const auto risers = features_.of(FeatureKind::kRiser);
  for (int i = 0; i < risers.size(); ++i) {
    if (risers[i].near > rear && risers[i].near < lead && of_flight(i))
      return f.ground_at(f.s.ankle[step_.stance]) - f.ground_at(f.s.ankle[1 - step_.stance]);
  }
  return 0;
}

}  // namespace promenade::control
