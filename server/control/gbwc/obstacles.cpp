// What is stepped over: found ahead by the query of the ground, feet placed before it and behind.
// Source: Coros2010 §5.4. How obstacles are found and steps counted is ours.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kWayPoints = 0.04;    // m, between places that are looked at
constexpr double kNoLimit = 1e9;       // m
constexpr int kHalvings = 3;           // of that, to find an edge
constexpr double kEdge = 0.07;         // m, of an edge that is more than unevenness
constexpr double kDropBehind = 0.28;   // m, that the ground behind may be lower
constexpr double kRiseBehind = 0.12;   // m, likewise higher
constexpr double kEdgeSlack = 0.02;    // m, of what is measured
constexpr double kStoodOn = 0.12;      // m: what is no higher and deep enough is stepped onto
constexpr double kSight = 1.5;         // m beyond the COM, and the way of two seconds
constexpr double kLane = 0.14;         // m, to either side
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

/// Height of the ground on the way at a point, m: of what is stepped over, that of the ground
/// before it.
double Gbwc::way_height(const Frame& f, const Vec2& at) const {
  const double along = obstacle_way_.dot(at);
  for (int i = 0; i < obstacle_count_; ++i) {
    if (obstacles_[i].holds(along, 0.01 * length_scale_)) return obstacles_[i].base;
  }
  return f.ground_at(at);
}

/// Where the ankle stands with the toes right before an obstacle, and with the heel right behind
/// it, m along the way.
double Gbwc::before(const Obstacle& obstacle, int side) const {
  return obstacle.near - foot_reach_[side].x() - p_->over_margin_m() * length_scale_ -
         kBeforeHigh * (obstacle.top - obstacle.base);
}
double Gbwc::behind(const Obstacle& obstacle, int side) const {
  return obstacle.far + foot_reach_[side].y() + p_->over_margin_m() * length_scale_ +
         kBehindHigh * (obstacle.top - obstacle.base);
}

/// Looks for obstacles from the feet on.
void Gbwc::watch_obstacles(const Frame& f, const Vec2& asked) {
  const double l = length_scale_;
  const bool forward = asked.x() > -kNoSpeed && asked.x() >= std::abs(asked.y());
  if (!f.ground_now.ground->has_relief() || p_->over_most_m() <= 0 || standing_ ||
      (!forward && over_ < 0)) {
    obstacle_count_ = riser_count_ = drop_count_ = 0;
    over_ = -1;
    places_ = false;
    return;
  }
  obstacle_way_ = f.ahead;
  double feet = std::min(along_way(f.s.ankle[0]), along_way(f.s.ankle[1]));
  // What the swing foot is over begins behind it.
  if (over_ >= 0) feet = std::min(feet, along_way(lift_ankle_));
  obstacle_count_ = riser_count_ = drop_count_ = 0;
  find_obstacles(f, feet - foot_reach_[0].y() - 0.05 * l,
                 along_way(f.s.com) + kSight * l + 2 * velocity_.norm());
}

/// Fills obstacles_ with what rises and falls again within the greatest depth.
void Gbwc::find_obstacles(const Frame& f, double from, double to) {
  const double l = length_scale_, apart = kWayPoints * l, rise = kEdge * l;
  const Vec2 aside(-obstacle_way_.y(), obstacle_way_.x());
  const Vec2 com = f.s.com.head<2>();
  const Vec2 start = com - obstacle_way_.dot(com) * obstacle_way_;
  const auto height = [&](double along) {
    const Vec2 middle = start + along * obstacle_way_;
    return std::max(f.ground_at(Vec2(middle + kLane * l * aside)),
                    f.ground_at(Vec2(middle - kLane * l * aside)));
  };
  // Where the height passes `level` between two places; `high` is on its higher side.
  const auto edge = [&](double low, double high, double level) {
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      (height(middle) > level ? high : low) = middle;
    }
    return high;
  };
  const int most = int(p_->over_depth_m() / kWayPoints) + 2;
  double last = height(from);
  for (double at = from + apart; at < to && obstacle_count_ < int(obstacles_.size()); at += apart) {
    const double here = height(at), base = last;
    last = here;
    if (base - here > rise) add_drop({edge(at, at - apart, here + 0.5 * rise), base, here});
    if (here - base < rise) continue;
    Obstacle found{.top = here, .base = base};
    double falls = 0;
    for (int i = 1; i <= most && falls == 0; ++i) {
      const double next = height(at + i * apart);
      if (next < base + rise && next - base > -kDropBehind * l) falls = at + i * apart;
      found.top = std::max(found.top, next);
    }
    if (falls == 0) {
      add_riser({edge(at - apart, at, base + 0.5 * rise), here, base});
      continue;
    }
    found.near = edge(at - apart, at, base + 0.5 * rise);
    found.far = edge(falls, falls - apart, std::max(base, height(falls)) + 0.5 * rise);
    if (!is_stepped_over(found)) {
      add_riser({found.near, here, base});
      continue;
    }
    last = height(falls);
    at = falls;
    if (last - base > kRiseBehind * l) continue;
    add_obstacle(found);
  }
}

bool Gbwc::is_stepped_over(const Obstacle& found) const {
  const double l = length_scale_, sole = foot_reach_[0].x() + foot_reach_[0].y();
  const double high = found.top - found.base, deep = found.far - found.near;
  const double slack = kEdgeSlack * l;
  if (high > p_->over_most_m() * l + slack || deep > p_->over_depth_m() * l + slack ||
      high + deep > p_->over_both_m() * l + slack)
    return false;
  return high > kStoodOn * l || deep <= sole + slack;
}

void Gbwc::add_obstacle(const Obstacle& found) {
  const double l = length_scale_;
  const double sole = foot_reach_[0].x() + foot_reach_[0].y();
  if (obstacle_count_ > 0) {
    Obstacle& last = obstacles_[obstacle_count_ - 1];
    if (found.near - last.far < sole + 2 * p_->over_margin_m() * l) {  // no room for a foot between
      last.far = found.far;
      last.top = std::max(last.top, found.top);
      return;
    }
  }
  obstacles_[obstacle_count_++] = found;
}

/// Divides the way to a place before an obstacle into equal steps.
void Gbwc::approach(const Frame& f, double place) {
  const double from = along_way(f.s.ankle[stance_]), left = place - from;
  const double brisk = kPaceOver * time_scale_;
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
  if (standing_ || obstacle_count_ == 0) return;
  const double l = length_scale_;
  const int swing = 1 - stance_;
  const double from = along_way(f.s.ankle[stance_]), lifted = along_way(lift_ankle_);
  const double brisk = kPaceOver * time_scale_;
  const double usual = brisk * f.step_time;
  const double kept = leads ? kKept * l : 0;
  const Obstacle* next = nullptr;
  limit_ = kNoLimit;
  for (int i = 0; i < obstacle_count_; ++i) {
    const Obstacle& o = obstacles_[i];
    const double middle = 0.5 * (o.near + o.far);
    if (lifted > middle) continue;
    if (from > middle) {  // the trailing foot
      over_ = i;
      placed_ = std::max(behind(o, swing), from + kTrailStep * usual);
      places_ = true;
      continue;
    }
    next = &o;
    if (over_ < 0 && (leads || phase_ < kDecided) &&
        before(o, stance_) - from < kNearEnough * l + kept &&
        behind(o, swing) - from < p_->over_stride() * biped_.leg_length[swing] + kept) {
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
  if (over_ >= 0) over_height_ = obstacles_[over_].top - obstacles_[over_].base;
  if (over_ >= 0) over_speed_ = std::max(0.0, placed_ - from) / f.step_time;
  if (over_ >= 0)
    over_speed_ = trailing() ? std::max(over_speed_, kTrailPace * brisk) : over_speed_;
}

const Gbwc::Obstacle* Gbwc::stepped_over() const {
  return over_ >= 0 && over_ < obstacle_count_ ? &obstacles_[over_] : nullptr;
}

/// Factor on the time of a step: high ones take longer.
double Gbwc::obstacle_step_time() const {
  if (climb_ > 0) return 1 + p_->climb_slow() * climb_ / (0.2 * length_scale_);
  if (over_ < 0) return 1;
  return 1 +
         (trailing() ? kTrailSlower : 1) * p_->over_slow() * over_height_ / (0.6 * length_scale_);
}

/// The speed forward that is asked for where an obstacle says how long the step is, m/s.
double Gbwc::speed_over(const Frame&, double asked) {
  if (!places_) return asked;
  if (over_ < 0 && asked <= kNoSpeed) return asked;
  const double least = over_ < 0 ? 0 : kSlowestOver * time_scale_;
  return std::clamp(over_speed_, least, p_->over_speed_mps() * time_scale_);
}

/// How much further along the way than at `end`, where the pendulum has it, the swing ankle is to
/// land, m.
double Gbwc::placed_ahead(const Frame&, const Vec2& end) const {
  if (!places_) return 0;
  const double planned = obstacle_way_.dot(end), l = length_scale_;
  const double slack = (nears_stairs_ ? kStairsSlack : p_->over_slack_m()) * l;
  const double shift = std::clamp(placed_ - planned, -slack, slack);
  if (climb_ > 0 || descend_ > 0) return placed_ - planned;
  if (over_ >= 0) return std::max(placed_ - planned, std::min(0.0, limit_ - planned));
  return std::max(std::min(shift, limit_ - planned), -kMostBack * l);
}

}  // namespace promenade::control
