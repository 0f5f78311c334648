#include "control/pendulum/gait_table.h"

#include <algorithm>
#include <cmath>

namespace promenade::control::pendulum {

std::array<double, 4> through_samples(double share) {
  const double t = share, t2 = t * t, t3 = t2 * t;
  return {0.5 * (2 * t2 - t3 - t), 0.5 * (3 * t3 - 5 * t2 + 2), 0.5 * (4 * t2 - 3 * t3 + t),
          0.5 * (t3 - t2)};
}

std::array<double, 4> near_samples(double share) {
  const double t = share, u = 1 - share;
  return {u * u * u / 6, (3 * t * t * t - 6 * t * t + 4) / 6, (3 * u * u * u - 6 * u * u + 4) / 6,
          t * t * t / 6};
}

double SwingCurve::at(const std::array<double, kSwingSamples>& curve, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kSwingSamples - 1);
  const int i = std::min(int(place), kSwingSamples - 2);
  const std::array<double, 4> weights = through_samples(place - i);
  double sum = 0;
  for (int k = 0; k < 4; ++k)
    sum +=
        weights[std::size_t(k)] * curve[std::size_t(std::clamp(i + k - 1, 0, kSwingSamples - 1))];
  return sum;
}

const GaitSample& GaitTable::standing() const {
  return std::find_if(cycles_.begin(), cycles_.end(),
                      [](const GaitCycle& cycle) { return cycle.samples.size() == 1; })
      ->samples[0];
}

GaitTable::Between GaitTable::at(double speed) const {
  const auto above = std::find_if(cycles_.begin(), cycles_.end(),
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

void GaitTable::visit(StateVisitor& state) {
  constexpr std::size_t kMostCycles = 32, kMostLinks = 64;
  const auto number = [&state](float& value) {
    double wide = value;
    state(wide);
    value = float(wide);
  };
  state(usual_speed_);
  state.length(cycles_, kMostCycles);
  for (GaitCycle& cycle : cycles_) {
    state(cycle.speed, cycle.timing.single, cycle.timing.both, cycle.width);
    for (SwingCurve& swing : cycle.swing) state(swing.along, swing.lift, swing.aside);
    state.length(cycle.samples, kGaitSamples);
    for (GaitSample& sample : cycle.samples) {
      state(sample.pelvis, sample.mass_height);
      for (std::size_t side = 0; side < 2; ++side) {
        number(sample.foot_pitch[side]);
        number(sample.toe_bend[side]);
      }
      state.length(sample.turn, kMostLinks);
      for (Eigen::Quaternionf& turn : sample.turn)
        for (int i = 0; i < 4; ++i) number(turn.coeffs()[i]);
    }
  }
}

bool GaitTable::is_of(std::size_t links) const {
  bool stands = false;
  for (std::size_t i = 0; i < cycles_.size(); ++i) {
    const GaitCycle& cycle = cycles_[i];
    const std::size_t count = cycle.samples.size();
    if (count != 1 && count != kGaitSamples) return false;
    if (i > 0 && cycle.speed <= cycles_[i - 1].speed) return false;
    for (const GaitSample& sample : cycle.samples) {
      if (sample.turn.size() != links) return false;
    }
    stands = stands || count == 1;
  }
  return stands;
}

}  // namespace promenade::control::pendulum
