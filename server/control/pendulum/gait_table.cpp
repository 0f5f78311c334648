#include "control/pendulum/gait_table.h"

#include <algorithm>
#include <cmath>

#include "creature/biped/biped_state.h"
#include "creature/fallen.h"
#include "creature/pose.h"
#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kStep = 1.0 / 480;    // s, of physics
constexpr double kSettle = 5;          // s, until a walk is steady
constexpr int kStrides = 4;            // that a cycle is the mean of
constexpr double kLongest = 12;        // s, in which they must be done
constexpr double kShares[] = {-0.5, 0.3, 0.6, 1.0, 1.4, 1.8};  // speeds, of the usual one

/// One moment of a walk, as measured.
struct Moment {
  double time = 0;
  GaitSample sample;
  Vec2 mass = Vec2::Zero();
  std::array<Vec3, 2> ankle;
  std::array<bool, 2> loaded{};
};

class Measurement {
 public:
  Measurement(const ControllerSetup& setup, const Family& family)
      : creature_(*setup.creature),
        biped_(biped_of(creature_).value()),
        body_(creature_.model),
        controller_(family.make(setup)) {
    Pose root;
    root.position.z() = creature_.standing_height + 0.001;
    body_.set_state(rest_state(creature_, root));
    goal_.heading = 0;
    controller_->reset(body_, goal_);
  }

  const ControlReport& report() const { return controller_->report(); }
  Manner manner() const { return controller_->manner(); }
  void walk(double speed) {
    goal_.velocity = {speed, 0};
    goal_.stand = speed == 0;
  }
  /// @return false once it has fallen
  bool step() {
    controller_->update(body_, {ground_, time_}, goal_, kStep);
    physics::ArticulatedBody* bodies[] = {&body_};
    physics::StepSettings settings;
    settings.dt = kStep;
    settings.time = time_;
    physics::step_island(bodies, ground_, settings, workspace_);
    time_ += kStep;
    return !has_fallen(creature_, body_, 0);
  }
  Moment moment() const {
    const BipedState s = observe(biped_, body_);
    Moment m;
    m.time = time_;
    m.mass = s.com.head<2>();
    m.ankle = s.ankle;
    const physics::ArticulationState& state = body_.state();
    m.sample.pelvis = state.root.position - s.com;
    m.sample.mass_height = s.com.z();
    m.sample.turn.reserve(state.joint.size());
    for (std::size_t i = 0; i < state.joint.size(); ++i)
      m.sample.turn.push_back((i == 0 ? state.root.rotation : state.joint[i]).cast<float>());
    for (int side = 0; side < 2; ++side) {
      const Mat3& foot = body_.links()[std::size_t(biped_.link[kLeftFoot + side])].rotation;
      m.sample.foot_pitch[std::size_t(side)] = float(-std::asin(std::clamp(foot(2, 0), -1.0, 1.0)));
      m.sample.toe_bend[std::size_t(side)] =
          float(state.angle[std::size_t(biped_.link[kLeftToes + side])].x());
      m.loaded[std::size_t(side)] = s.on_ground[std::size_t(side)];
    }
    return m;
  }

 private:
  const Creature& creature_;
  Biped biped_;
  physics::Ground ground_;
  physics::Workspace workspace_;
  physics::ArticulatedBody body_;
  std::unique_ptr<Controller> controller_;
  Goal goal_;
  double time_ = 0;
};

void add(GaitSample& sum, const GaitSample& one, double weight) {
  if (sum.turn.empty()) sum.turn.resize(one.turn.size(), Eigen::Quaternionf(0, 0, 0, 0));
  sum.pelvis += weight * one.pelvis;
  sum.mass_height += weight * one.mass_height;
  for (std::size_t side = 0; side < 2; ++side) {
    sum.foot_pitch[side] += float(weight) * one.foot_pitch[side];
    sum.toe_bend[side] += float(weight) * one.toe_bend[side];
  }
  for (std::size_t i = 0; i < one.turn.size(); ++i) {
    Eigen::Vector4f& total = sum.turn[i].coeffs();
    const float sign = total.dot(one.turn[i].coeffs()) < 0 ? -1 : 1;
    total += float(weight) * sign * one.turn[i].coeffs();
  }
}
void finish(GaitSample& sum) {
  for (Eigen::Quaternionf& turn : sum.turn) turn.normalize();
}

/// A stride between two touch-downs of the left foot.
struct Stride {
  std::size_t begin = 0, right = 0, end = 0;  // moments
};

/// The means over strides; nothing where there were too few.
bool mean_of(const std::vector<Moment>& all, const std::vector<Stride>& strides, GaitCycle& cycle) {
  if (int(strides.size()) < kStrides) return false;
  cycle.samples.assign(kGaitSamples, {});
  cycle.timing = {0, 0};
  const double weight = 1.0 / double(strides.size());
  double both = 0;
  for (const Stride& stride : strides) {
    const Moment &first = all[stride.begin], &last = all[stride.end];
    const double time = last.time - first.time;
    cycle.speed += weight * (last.mass - first.mass).x() / time;
    cycle.timing.single += weight * 0.5 * time;
    cycle.width += weight * std::abs(first.ankle[0].y() - all[stride.right].ankle[1].y());
    double floor = 1e9, top = -1e9;
    for (std::size_t i = stride.begin; i < stride.end; ++i) {
      both += weight * (all[i].loaded[0] && all[i].loaded[1] ? kStep : 0);
      floor = std::min(floor, all[i].ankle[0].z());
      top = std::max(top, all[i].ankle[0].z());
    }
    cycle.clearance += weight * (top - floor);
    // Each half is stretched to half of the samples, so that both touch-downs are where they are
    // in every stride.
    for (int k = 0; k < kGaitSamples; ++k) {
      const double at = 2.0 * k / kGaitSamples;
      const std::size_t from = at < 1 ? stride.begin : stride.right;
      const std::size_t to = at < 1 ? stride.right : stride.end;
      const auto i = from + std::size_t(std::lround((at < 1 ? at : at - 1) * double(to - from)));
      add(cycle.samples[std::size_t(k)], all[std::min(i, to)].sample, weight);
    }
  }
  for (GaitSample& sample : cycle.samples) finish(sample);
  cycle.timing.both = std::clamp(0.5 * both, 0.02, 0.6 * cycle.timing.single);
  cycle.timing.single -= cycle.timing.both;
  return true;
}

bool measure_walk(const ControllerSetup& setup, const Family& family, double speed,
                  GaitCycle& cycle) {
  Measurement walk(setup, family);
  walk.walk(speed);
  std::vector<Moment> all;
  std::vector<Stride> strides;
  Stride now;
  bool begun = false, left = walk.report().left_stance;
  for (double time = 0; time < kSettle + kLongest && int(strides.size()) < kStrides; time += kStep) {
    if (!walk.step()) return false;
    if (time < kSettle) {
      left = walk.report().left_stance;
      continue;
    }
    all.push_back(walk.moment());
    const bool left_now = walk.report().left_stance;
    if (left_now != left) {
      const std::size_t here = all.size() - 1;
      if (!left_now) {
        now.right = here;
      } else {
        now.end = here;
        if (begun && now.right > now.begin) strides.push_back(now);
        now = {here, 0, 0};
        begun = true;
      }
    }
    left = left_now;
  }
  return mean_of(all, strides, cycle);
}

GaitCycle measure_standing(const ControllerSetup& setup, const Family& family) {
  Measurement stand(setup, family);
  stand.walk(0);
  GaitCycle cycle;
  cycle.samples.emplace_back();
  Moment last = stand.moment();
  for (double time = 0; time < 2 && stand.step(); time += kStep) last = stand.moment();
  add(cycle.samples[0], last.sample, 1);
  finish(cycle.samples[0]);
  cycle.width = std::abs(last.ankle[0].y() - last.ankle[1].y());
  return cycle;
}

}  // namespace

std::shared_ptr<const GaitTable> measure_gait(const ControllerSetup& setup) {
  const Family& family = *find_family("gbwc");
  std::vector<GaitCycle> cycles;
  const double usual = Measurement(setup, family).manner().cruise_speed;
  for (const double share : kShares) {
    GaitCycle cycle;
    if (measure_walk(setup, family, share * usual, cycle) &&
        (cycles.empty() || cycle.speed > cycles.back().speed + 0.05))
      cycles.push_back(std::move(cycle));
  }
  GaitCycle standing = measure_standing(setup, family);
  // On the spot it steps as at its slowest walk.
  const auto slow = std::find_if(cycles.begin(), cycles.end(),
                                 [](const GaitCycle& cycle) { return cycle.speed > 0; });
  if (slow != cycles.end()) {
    standing.timing = slow->timing;
    standing.clearance = 0.5 * slow->clearance;
  }
  cycles.insert(slow, std::move(standing));
  return std::make_shared<const GaitTable>(std::move(cycles));
}

GaitTable::Between GaitTable::at(double speed) const {
  auto above = std::find_if(cycles_.begin(), cycles_.end(),
                            [&](const GaitCycle& cycle) { return cycle.speed >= speed; });
  if (above == cycles_.end()) return {&cycles_.back(), &cycles_.back(), 0};
  if (above == cycles_.begin()) return {&*above, &*above, 0};
  const auto below = above - 1;
  return {&*below, &*above, (speed - below->speed) / (above->speed - below->speed)};
}

StepTiming GaitTable::timing(double speed) const {
  const Between b = at(speed);
  return {std::lerp(b.a->timing.single, b.b->timing.single, b.share),
          std::lerp(b.a->timing.both, b.b->timing.both, b.share)};
}
double GaitTable::width(double speed) const {
  const Between b = at(speed);
  return std::lerp(b.a->width, b.b->width, b.share);
}
double GaitTable::clearance(double speed) const {
  const Between b = at(speed);
  return std::lerp(b.a->clearance, b.b->clearance, b.share);
}

}  // namespace promenade::control::pendulum
