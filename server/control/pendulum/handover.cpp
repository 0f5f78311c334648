#include "control/pendulum/handover.h"

#include <algorithm>

#include "control/pendulum/swing.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kRates = 0.25;  // s, in which rates die away
constexpr double kInTheAir =
    1.1;  // of the time until a foot comes down: by then hardly anything is left
constexpr double kShortestFade = 0.05;  // s, least time in which an offset fades

/// out = a x + b y, member by member.
void combine(double a, const PoseOffset::Foot& x, double b, const PoseOffset::Foot& y,
             PoseOffset::Foot& out) {
  out.ankle = a * x.ankle + b * y.ankle;
  out.turn = a * x.turn + b * y.turn;
  out.toe_bend = a * x.toe_bend + b * y.toe_bend;
  out.thigh = a * x.thigh + b * y.thigh;
  out.knee = a * x.knee + b * y.knee;
  out.toes = a * x.toes + b * y.toes;
  out.ankle_turn = a * x.ankle_turn + b * y.ankle_turn;
}

void combine(double a, const PoseOffset& x, double b, const PoseOffset& y, PoseOffset& out) {
  out.root = a * x.root + b * y.root;
  out.rise = a * x.rise + b * y.rise;
  out.root_turn = a * x.root_turn + b * y.root_turn;
  out.joints.resize(x.joints.size());
  for (std::size_t i = 0; i < x.joints.size(); ++i)
    out.joints[i] = a * x.joints[i] + b * y.joints[i];
}

/// Shares of offset and rate (s) that are left after t seconds of the time in which they fade.
struct Left {
  double offset, rate;
  Left(double t, double time) {
    offset = 1 - smooth(std::min(1.0, t / time));
    const double fast = std::min(time, kRates), gone = std::min(1.0, t / fast);
    rate = fast * gone * (1 - gone * gone * (6 - gone * (8 - 3 * gone)));
  }
};

}  // namespace

void PoseOffset::visit(StateVisitor& state, std::size_t links) {
  state(root, root_turn, rise);
  state.list(joints, links);
  if (state.reading() && joints.size() != links) state.fail("has a pose of another body");
  for (Foot& foot : feet) foot.visit(state);
}

void Handover::begin(const PoseOffset& first, const PoseOffset& second, double dt,
                     const std::array<double, 2>& landing) {
  offset_ = first;
  combine(1 / dt, second, -1 / dt, first, rate_);
  for (std::size_t side = 0; side < 2; ++side) {
    PoseOffset::Foot& rate = rate_.feet[side];
    combine(1 / dt, second.feet[side], -1 / dt, first.feet[side], rate);
    // Light feet and toes tremble under their servos from step to step of the physics, by many
    // times the rate that they have over a tick. That rate is about the poser's.
    rate.turn.setZero();
    rate.toe_bend = rate.toes = 0;
    rate.ankle_turn.setZero();
    foot_time_[side] =
        landing[side] > 0 ? std::clamp(kInTheAir * landing[side], kShortestFade, kWhole) : kWhole;
  }
}

void Handover::at(double since, PoseOffset& out) const {
  const Left whole(since, kWhole);
  combine(whole.offset, offset_, whole.rate, rate_, out);
  for (std::size_t side = 0; side < 2; ++side) {
    const Left foot(since, foot_time_[side]);
    combine(foot.offset, offset_.feet[side], foot.rate, rate_.feet[side], out.feet[side]);
  }
}

void Handover::visit(StateVisitor& state, std::size_t links) {
  offset_.visit(state, links);
  rate_.visit(state, links);
  for (double& time : foot_time_) state.within(time, kShortestFade, kWhole);
}

}  // namespace promenade::control::pendulum
