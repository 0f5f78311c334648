// Steps over the boards that lie ahead: where feet are placed before and behind them.
// Source: Coros2010 §5.4. How steps are counted is ours.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kNoLimit = 1e9;       // m
constexpr double kBehindFeet = 0.05;   // m, behind the heel of the rear foot, from where it looks
constexpr double kNearEnough = 0.08;   // m, from the place before it, from where one steps over
constexpr double kKept = 0.05;         // m, more, of a step that has begun
constexpr double kDecided = 0.15;      // of a step, after which it is not begun
constexpr double kSlowestOver = 0.2;   // m/s, at which one is stepped over
constexpr double kBeforeHigh = 0.3;    // of its height: the stance knee moves on as the body does
constexpr double kBehindHigh = 0.163;  // likewise: the shank of the leading leg leans back
constexpr double kPaceOver = 0.5;      // m/s, at which one nears an obstacle
constexpr double kTrailSlower = 2;     // times over_slow: the trailing foot takes its time
constexpr double kTrailPace = 0.9;     // of the speed of approach, behind it
constexpr double kTrailStep = 0.7;  // of a usual step, that the trailing foot lands ahead at least
constexpr double kStepsAhead = 6;   // from where on steps are counted
constexpr double kStretched = 0.293;   // of a step: what is left over makes the others longer
constexpr double kLongestStay = 1.3;   // of the speed of approach, in such steps
constexpr double kStairsSlack = 0.02;  // m, that a step before stairs is lengthened or shortened
constexpr double kMostBack = 0.2;      // m, that a step lands short because of an obstacle

}  // namespace

/// Whether steps over, up or down may lie ahead.
bool Gbwc::meets_steps() const {
  return features_.count(FeatureKind::kBoard) > 0 || features_.count(FeatureKind::kRiser) > 0 ||
         features_.count(FeatureKind::kDrop) > 0;
}

/// Where the ankle stands with the toes right before an obstacle, and with the heel right behind
/// it, m along the way.
double Gbwc::before(const Feature& board, int side) const {
  return board.near - body_.foot_reach[side].x() - p_->over_margin_m() * body_.length_scale -
         kBeforeHigh * board.height();
}
double Gbwc::behind(const Feature& board, int side) const {
  return board.far + body_.foot_reach[side].y() + p_->over_margin_m() * body_.length_scale +
         kBehindHigh * board.height();
}

/// Looks for what lies on the way, from the feet on.
void Gbwc::watch_way(const Frame& f, const Vec2& asked) {
  const bool forward = asked.x() > -kNoSpeed && asked.x() >= std::abs(asked.y());
  if (!f.view.has_relief() || p_->over_most_m() <= 0 || step_.standing || (!forward && over_ < 0)) {
    features_.clear();
    over_ = -1;
    places_ = false;
    return;
  }
  const auto along = [&](const Vec3& at) { return f.ahead.dot(at.head<2>()); };
  double feet = std::min(along(f.s.ankle[0]), along(f.s.ankle[1]));
  // What the swing foot is over begins behind it.
  if (over_ >= 0) feet = std::min(feet, along(swing_.lift_ankle));
  ahead::find_features(f.view, ahead::Way::through(f.s.com.head<2>(), f.ahead, body_.sight.lane),
                       feet - body_.foot_reach[0].y() - kBehindFeet * body_.length_scale,
                       along(f.s.com) + body_.sight.far + 2 * course_.velocity.norm(),
                       body_.sight.limits, features_);
}

/// Divides the way to a place before an obstacle into equal steps.
void Gbwc::approach(const Frame& f, double place) {
  const double from = along_way(f.s.ankle[step_.stance]), left = place - from;
  const double brisk = kPaceOver * body_.time_scale;
  const double usual = brisk * f.step_time;
  limit_ = place;
  if (left >= kStepsAhead * usual) return;
  const double steps = std::max(1.0, std::ceil(left / usual - kStretched));
  placed_ = from + std::max(0.0, left) / steps;
  places_ = true;
  over_speed_ = std::min(std::max(0.0, placed_ - from) / f.step_time, kLongestStay * brisk);
}

/// Where the swing foot is to land: right before the next obstacle in equal steps, behind it once
/// the other foot is there.
void Gbwc::plan_step_over(const Frame& f) {
  // A foot that is on its way over goes on, and one that is on its way elsewhere does not begin.
  const bool leads = over_ >= 0 && !trailing();
  places_ = nears_stairs_ = false;
  over_ = -1;
  const auto boards = features_.of(FeatureKind::kBoard);
  if (step_.standing || boards.size() == 0) return;
  const double l = body_.length_scale;
  const int swing = 1 - step_.stance;
  const double from = along_way(f.s.ankle[step_.stance]), lifted = along_way(swing_.lift_ankle);
  const double brisk = kPaceOver * body_.time_scale;
  const double usual = brisk * f.step_time;
  const double kept = leads ? kKept * l : 0;
  const Feature* next = nullptr;
  limit_ = kNoLimit;
  for (int i = 0; i < boards.size(); ++i) {
    const Feature& o = boards[i];
    const double middle = o.middle();
    if (lifted > middle) continue;
    if (from > middle) {  // the trailing foot
      over_ = i;
      placed_ = std::max(behind(o, swing), from + kTrailStep * usual);
      places_ = true;
      continue;
    }
    next = &o;
    if (over_ < 0 && (leads || step_.phase < kDecided) &&
        before(o, step_.stance) - from < kNearEnough * l + kept &&
        behind(o, swing) - from < p_->over_stride() * body_.biped.leg_length[swing] + kept) {
      over_ = i;
      placed_ = behind(o, swing);
      places_ = true;
      next = nullptr;
      continue;
    }
    break;
  }
  if (next && places_) {
    limit_ = before(*next, swing);
    placed_ = std::min(placed_, limit_);
  } else if (next) {
    approach(f, before(*next, swing));
  }
  if (over_ >= 0) over_height_ = boards[over_].height();
  if (over_ >= 0) over_speed_ = std::max(0.0, placed_ - from) / f.step_time;
  if (over_ >= 0)
    over_speed_ = trailing() ? std::max(over_speed_, kTrailPace * brisk) : over_speed_;
}

const Gbwc::Feature* Gbwc::stepped_over() const {
  const auto boards = features_.of(FeatureKind::kBoard);
  return over_ >= 0 && over_ < boards.size() ? &boards[over_] : nullptr;
}

/// Factor on the time of a step: high ones take longer.
double Gbwc::obstacle_step_time() const {
  if (climb_ > 0) return 1 + p_->climb_slow() * climb_ / (0.2 * body_.length_scale);
  if (over_ < 0) return 1;
  return 1 + (trailing() ? kTrailSlower : 1) * p_->over_slow() * over_height_ /
                 (0.6 * body_.length_scale);
}

/// The speed forward that is asked for where an obstacle says how long the step is, m/s.
double Gbwc::speed_over(const Frame&, double asked) {
  if (!places_) return asked;
  if (over_ < 0 && asked <= kNoSpeed) return asked;
  const double least = over_ < 0 ? 0 : kSlowestOver * body_.time_scale;
  return std::clamp(over_speed_, least, p_->over_speed_mps() * body_.time_scale);
}

/// How much further along the way than at `end`, where the pendulum has it, the swing ankle is to
/// land, m.
double Gbwc::placed_ahead(const Frame&, const Vec2& end) const {
  if (!places_) return 0;
  const double planned = features_.direction().dot(end), l = body_.length_scale;
  const double slack = (nears_stairs_ ? kStairsSlack : p_->over_slack_m()) * l;
  const double shift = std::clamp(placed_ - planned, -slack, slack);
  if (climb_ > 0 || descend_ > 0) return placed_ - planned;
  if (over_ >= 0) return std::max(placed_ - planned, std::min(0.0, limit_ - planned));
  return std::max(std::min(shift, limit_ - planned), -kMostBack * l);
}

}  // namespace promenade::control
