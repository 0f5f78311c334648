#include "control/pendulum/measure_gait.h"

#include <algorithm>
#include <cmath>

#include "control/pendulum/sole.h"
#include "control/pendulum/swing.h"
#include "creature/biped/biped_state.h"
#include "creature/fallen.h"
#include "creature/pose.h"
#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kStep = 1.0 / 480;  // s, of physics
constexpr int kSeen = 4;             // steps of physics between two moments that are measured
constexpr double kSettle = 6;        // s, until a walk is steady
constexpr double kLongest = 8;       // s, in which the strides must then be done
constexpr std::size_t kStrides = 3;  // strides that a cycle is the mean of
constexpr double kHurry = 0.6;       // m/s^2, from a stand to the speed
constexpr double kEven = 1.15;       // longest over shortest time of a stride, at most
constexpr double kNear = 0.3;        // share by which the speed may be off
constexpr double kStand = 2;         // s, until it stands still
constexpr double kShares[] = {-0.5, 0.3, 0.6, 1.0, 1.4, 1.8};  // speeds as shares of the usual one

/// One moment of a walk, as measured. Arrays are left, right.
struct Moment {
  double time = 0;
  GaitSample sample;
  Vec2 mass = Vec2::Zero();
  std::array<Vec3, 2> middle;  // of the feet's circles, see sole.h
  std::array<bool, 2> loaded{};
};

/// Moments at which the feet touch down, of a stride: left, right, left.
struct Stride {
  std::size_t begin = 0, right = 0, end = 0;
};

class Walker {
 public:
  Walker(const ControllerSetup& setup, const Biped& biped, double speed)
      : creature_(*setup.creature),
        biped_(biped),
        speed_(speed),
        soles_(soles_of(creature_, biped)),
        body_(creature_.model),
        controller_(find_family("gbwc")->make(setup)) {
    Pose root;
    root.position.z() = creature_.standing_height + 0.001;
    body_.set_state(rest_state(creature_, root));
    goal_.stand = speed == 0;
    controller_->reset(body_, goal_);
    left_ = controller_->report().left_stance;
  }

  physics::ArticulatedBody& body() { return body_; }
  Manner manner() const { return controller_->manner(); }
  /// Whether there is nothing more to see.
  bool done() const { return fell_ || strides_.size() >= kStrides; }
  bool fell() const { return fell_; }
  const std::vector<Moment>& moments() const { return moments_; }
  const std::vector<Stride>& strides() const { return strides_; }

  /// Whether the strides are those of a steady walk at about the speed that was asked for.
  bool steady() const {
    if (fell_ || strides_.size() < kStrides) return false;
    const auto time = [&](const Stride& s) {
      return moments_[s.end].time - moments_[s.begin].time;
    };
    const auto [least, most] =
        std::minmax_element(strides_.begin(), strides_.end(),
                            [&](const Stride& a, const Stride& b) { return time(a) < time(b); });
    const Stride &first = strides_.front(), &last = strides_.back();
    const double way = moments_[last.end].mass.x() - moments_[first.begin].mass.x();
    const double speed = way / (moments_[last.end].time - moments_[first.begin].time);
    return time(*most) < kEven * time(*least) &&
           std::abs(speed - speed_) < kNear * std::abs(speed_);
  }

  void decide(const physics::GroundNow& ground) {
    goal_.velocity.x() = std::clamp(speed_, -kHurry * ground.time, kHurry * ground.time);
    controller_->update(body_, ground, goal_, kStep);
  }
  void look(double time, bool steady) {
    fell_ = fell_ || has_fallen(creature_, body_, 0);
    const bool left = controller_->report().left_stance;
    if (steady && !goal_.stand) {
      moments_.push_back(moment(time));
      const std::size_t here = moments_.size() - 1;
      if (left_ && !left) now_.right = here;
      if (!left_ && left) {
        now_.end = here;
        if (begun_ && now_.right > now_.begin) strides_.push_back(now_);
        now_ = {here, 0, 0};
        begun_ = true;
      }
    }
    left_ = left;
  }
  Moment moment(double time) const {
    const BipedState s = observe(biped_, body_);
    const physics::ArticulationState& state = body_.state();
    Moment m;
    m.time = time;
    m.mass = s.com.head<2>();
    m.sample.pelvis = state.root.position - s.com;
    m.sample.mass_height = s.com.z();
    m.sample.turn.reserve(state.joint.size());
    for (std::size_t i = 0; i < state.joint.size(); ++i)
      m.sample.turn.push_back((i == 0 ? state.root.rotation : state.joint[i]).cast<float>());
    for (std::size_t side = 0; side < 2; ++side) {
      const Mat3& foot = body_.links()[std::size_t(biped_.link[kLeftFoot + side])].rotation;
      const double pitch = -std::asin(std::clamp(foot(2, 0), -1.0, 1.0));
      m.sample.foot_pitch[side] = float(pitch);
      m.sample.toe_bend[side] = float(state.angle[std::size_t(biped_.link[kLeftToes + side])].x());
      m.middle[side] =
          middle_under(soles_[side], s.ankle[side], std::atan2(foot(1, 0), foot(0, 0)), pitch);
      m.loaded[side] = s.on_ground[side];
    }
    return m;
  }

 private:
  const Creature& creature_;
  Biped biped_;
  double speed_;  // m/s, that is asked for in the end
  std::array<Sole, 2> soles_;
  physics::ArticulatedBody body_;
  std::unique_ptr<Controller> controller_;
  Goal goal_;
  bool fell_ = false, left_ = false, begun_ = false;
  Stride now_;
  std::vector<Moment> moments_;
  std::vector<Stride> strides_;
};

/// Two neighbouring moments and how much of the second: a share of the way from one to another.
struct Between {
  std::size_t first, second;
  double share;
  Between(std::size_t from, std::size_t to, double way) {
    const double place = way * double(to - from);
    first = from + std::min(std::size_t(place), to - from);
    second = std::min(first + 1, to);
    share = place - double(first - from);
  }
};

void add(GaitSample& sum, const GaitSample& one, double weight) {
  if (sum.turn.empty()) sum.turn.resize(one.turn.size(), Eigen::Quaternionf(0, 0, 0, 0));
  sum.pelvis += weight * one.pelvis;
  sum.mass_height += weight * one.mass_height;
  const auto share = float(weight);
  for (std::size_t side = 0; side < 2; ++side) {
    sum.foot_pitch[side] += share * one.foot_pitch[side];
    sum.toe_bend[side] += share * one.toe_bend[side];
  }
  for (std::size_t i = 0; i < one.turn.size(); ++i) {
    Eigen::Vector4f& total = sum.turn[i].coeffs();
    const float sign = total.dot(one.turn[i].coeffs()) < 0 ? -1 : 1;
    total += share * sign * one.turn[i].coeffs();
  }
}
/// Divides the sum by its weight, and takes back joints that the walk bent past their limits.
void finish(const physics::ArticulationModel& model, GaitSample& sum) {
  for (std::size_t i = 0; i < sum.turn.size(); ++i) {
    Eigen::Quaternionf& turn = sum.turn[i];
    turn.normalize();
    if (i == 0) continue;
    const physics::LinkModel& link = model.links[i];
    const Vec3 bent = rotation_vector(turn.cast<double>());
    Vec3 kept = bent;
    if (link.joint == physics::JointKind::kBall) {
      kept = bent.cwiseMax(link.lower).cwiseMin(link.upper);
    } else if (link.joint == physics::JointKind::kHinge) {
      kept = std::clamp(bent.dot(link.axis), link.lower.x(), link.upper.x()) * link.axis;
    }
    if (kept != bent) turn = quat_from_rotation_vector(kept).cast<float>();
  }
}

// The swing between two touch-downs of the other foot and of this one.
void add_swing(const std::vector<Moment>& all, std::size_t from, std::size_t to, std::size_t side,
               double weight, SwingCurve& sum) {
  std::size_t lifted = from;
  while (lifted + 2 < to && all[lifted].loaded[side]) ++lifted;
  const Vec3 &start = all[lifted].middle[side], &end = all[to].middle[side];
  const double way = end.x() - start.x();
  for (int k = 0; k < kSwingSamples; ++k) {
    const double share = double(k) / (kSwingSamples - 1);
    const Between moment(lifted, to, share);
    const Vec3 at = (1 - moment.share) * all[moment.first].middle[side] +
                    moment.share * all[moment.second].middle[side];
    const double along = std::abs(way) > 0.02 ? (at.x() - start.x()) / way : share;
    const Vec3 off = at - (start + along * (end - start));
    const auto j = std::size_t(k);
    sum.along[j] += weight * along;
    sum.lift[j] += weight * off.z();
    sum.aside[j] += weight * off.y();
  }
}

/// The means over strides.
GaitCycle mean_of(const physics::ArticulationModel& model, const std::vector<Moment>& all,
                  const std::vector<Stride>& strides) {
  GaitCycle cycle;
  cycle.samples.assign(kGaitSamples, {});
  cycle.timing = {0, 0};
  const double weight = 1.0 / double(strides.size());
  for (const Stride& stride : strides) {
    const Moment &first = all[stride.begin], &last = all[stride.end];
    const double time = last.time - first.time;
    cycle.speed += weight * (last.mass - first.mass).x() / time;
    cycle.timing.single += weight * 0.5 * time;
    cycle.width += weight * std::abs(first.middle[0].y() - all[stride.right].middle[1].y());
    for (std::size_t i = stride.begin; i < stride.end; ++i) {
      const bool both = all[i].loaded[0] && all[i].loaded[1];
      cycle.timing.both += both ? weight * 0.5 * kSeen * kStep : 0;
    }
    add_swing(all, stride.right, stride.end, kLeft, weight, cycle.swing[kLeft]);
    add_swing(all, stride.begin, stride.right, kRight, weight, cycle.swing[kRight]);
    // Each half is stretched to half of the samples, so that both touch-downs are where they are
    // in every stride.
    for (int k = 0; k < kGaitSamples; ++k) {
      const double at = 2.0 * k / kGaitSamples;
      const std::size_t from = at < 1 ? stride.begin : stride.right;
      const std::size_t to = at < 1 ? stride.right : stride.end;
      const Between moment(from, to, at < 1 ? at : at - 1);
      GaitSample& sum = cycle.samples[std::size_t(k)];
      add(sum, all[moment.first].sample, weight * (1 - moment.share));
      add(sum, all[moment.second].sample, weight * moment.share);
    }
  }
  for (GaitSample& sample : cycle.samples) finish(model, sample);
  cycle.timing.both = std::clamp(cycle.timing.both, 0.02, 0.6 * cycle.timing.single);
  cycle.timing.single -= cycle.timing.both;
  return cycle;
}

/// All walk side by side, each by itself, to the end of what there is to see.
void walk_all(std::vector<Walker>& walkers) {
  const physics::Ground ground;
  physics::Workspace workspace;
  physics::StepSettings settings;
  settings.dt = kStep;
  std::vector<Walker*> walking;
  std::vector<physics::ArticulatedBody*> bodies;
  std::vector<int> ends;
  const auto steps = long((kSettle + kLongest) / kStep);
  for (long step = 0; step < steps; ++step) {
    walking.clear();
    bodies.clear();
    ends.clear();
    for (Walker& walker : walkers) {
      if (walker.done()) continue;
      walking.push_back(&walker);
      bodies.push_back(&walker.body());
      ends.push_back(int(bodies.size()));
    }
    if (walking.empty()) return;
    settings.time = double(step) * kStep;
    for (Walker* walker : walking) walker->decide({ground, settings.time});
    physics::step_islands(bodies, ends, ground, settings, workspace);
    const double time = settings.time + kStep;
    if (step % kSeen != 0) continue;
    for (Walker* walker : walking) walker->look(time, time > kSettle);
  }
}

/// The swing of a body that cannot walk.
SwingCurve plain_swing() {
  SwingCurve curve;
  for (std::size_t k = 0; k < curve.along.size(); ++k) {
    const SwingPoint point =
        swing_point(Vec3::Zero(), Vec3::UnitX(), 0, 0, {}, double(k) / double(kSwingSamples - 1));
    curve.along[k] = point.position.x();
    curve.lift[k] = point.position.z();
  }
  return curve;
}

GaitCycle measure_standing(const ControllerSetup& setup, const Biped& biped) {
  Walker stand(setup, biped, 0);
  const physics::Ground ground;
  physics::Workspace workspace;
  physics::StepSettings settings;
  settings.dt = kStep;
  GaitCycle cycle;
  Moment last = stand.moment(0);
  for (; settings.time < kStand; settings.time += kStep) {
    stand.decide({ground, settings.time});
    physics::ArticulatedBody* bodies[] = {&stand.body()};
    physics::step_island(bodies, ground, settings, workspace);
    stand.look(settings.time, false);
    if (stand.fell()) break;
    last = stand.moment(settings.time);
  }
  cycle.samples.emplace_back();
  add(cycle.samples[0], last.sample, 1);
  finish(*setup.creature->model, cycle.samples[0]);
  cycle.width = std::abs(last.middle[0].y() - last.middle[1].y());
  return cycle;
}

}  // namespace

std::shared_ptr<const GaitTable> measure_gait(const ControllerSetup& walk) {
  const Biped biped = biped_of(*walk.creature).value();
  const double usual = Walker(walk, biped, 0).manner().cruise_speed;
  std::vector<Walker> walkers;
  walkers.reserve(std::size(kShares));
  for (const double share : kShares) walkers.emplace_back(walk, biped, share * usual);
  walk_all(walkers);
  std::vector<GaitCycle> cycles;
  for (const Walker& walker : walkers) {
    if (!walker.steady()) continue;
    GaitCycle cycle = mean_of(*walk.creature->model, walker.moments(), walker.strides());
    if (cycles.empty() || cycle.speed > cycles.back().speed + 0.05)
      cycles.push_back(std::move(cycle));
  }
  GaitCycle standing = measure_standing(walk, biped);
  // On the spot it steps as at its slowest walk.
  const auto slow = std::find_if(cycles.begin(), cycles.end(),
                                 [](const GaitCycle& cycle) { return cycle.speed > 0; });
  if (slow != cycles.end()) {
    standing.timing = slow->timing;
    standing.swing = slow->swing;
  } else {
    standing.swing = {plain_swing(), plain_swing()};
  }
  cycles.insert(slow, std::move(standing));
  return std::make_shared<const GaitTable>(std::move(cycles), usual);
}

}  // namespace promenade::control::pendulum
