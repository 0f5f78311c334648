#include "control/posegraph/posegraph.h"

#include <algorithm>
#include <cmath>

#include "control/posegraph/hurdle_eye.h"
#include "creature/pose.h"
#include "math/rotation.h"

namespace promenade::control::posegraph {
namespace {

using physics::LinkModel;

constexpr double kUnknownSpeed = 0.3;  // m/s, of gaits whose file does not say how fast they are
constexpr double kSlowest = 0.01;      // m/s: asked for less, it stands
constexpr double kStepsOver = 0.08;  // of a creature's height: what is lower it takes in its stride
constexpr double kLooksEvery = 0.1;  // s, about
constexpr double kMeanStrides = 2;   // over which the mean of its velocity fades
constexpr std::size_t kMostCyclesALook = 20;
constexpr std::size_t kMostCycles = kLongestRecovery + kMostCyclesALook + 1;  // that are counted

}  // namespace

PoseGraph::PoseGraph(std::shared_ptr<const Creature> creature,
                     std::shared_ptr<const v1::PosegraphParameters> parameters,
                     std::shared_ptr<const Gait> gait)
    : Goalless(std::move(creature)),
      p_(std::move(parameters)),
      given_(std::move(gait)),
      gait_(given_) {
  added_.reserve(creature_->model->links.size());
  limb_bears_.reserve(creature_->limbs.size());
  mix_anew(weights_);
}

void PoseGraph::reset(const physics::ArticulatedBody& body, const Goal& goal) {
  Goalless::reset(body, goal);
  stands_ = goal.stand;
  in_chain_ = leap_asked_ = false;
  left_.clear();
  at_ = 0;
  elapsed_ = 0;
  cycles_ = 0;
}

void PoseGraph::set_creature(std::shared_ptr<const Creature> creature,
                             const physics::ArticulatedBody& state) {
  Goalless::set_creature(std::move(creature), state);
  if (!left_.empty()) {
    left_.clear();  // of the creature before
    at_ = 0;
    elapsed_ = 0;
    cycles_ = 0;
  }
  if (!given_) return;
  gait_ = refitted(given_->message, *creature_);
  if (gait_) {
    mix(*gait_, mixed_, graph_);
  } else {
    stands_ = true;
    at_ = 0;
    in_chain_ = false;
  }
}

void PoseGraph::set_gait(std::shared_ptr<const Gait> gait) {
  const Gait::Entry* entry = gait_ && gait ? gait->entry_from(gait_->name) : nullptr;
  if (entry && entry->leave < graph_.cycle.size() && !stands_ && !in_chain_ && left_.empty()) {
    left_ = graph_.cycle;
    leave_ = entry->leave;
    enter_ = entry->enter;
  } else {
    left_.clear();
    at_ = 0;
    elapsed_ = 0;
  }
  given_ = std::move(gait);
  gait_ = given_;
  weights_.fill(0);
  by_hand_ = in_chain_ = leap_asked_ = false;
  cycles_ = 0;
  mix_anew(weights_);
}

void PoseGraph::mix_by_hand(std::span<const double> shares) {
  by_hand_ = !shares.empty();
  weights_.fill(0);
  if (!by_hand_) return;
  const auto of_variants = shares.subspan(1);
  std::copy_n(of_variants.begin(), std::min(of_variants.size(), weights_.size()), weights_.begin());
}

std::vector<double> PoseGraph::shares() const {
  if (!gait_) return {};
  std::vector<double> out{1};
  for (std::size_t i = 0; i < gait_->variants.size(); ++i) {
    out.push_back(mixed_[i]);
    out[0] -= mixed_[i];
  }
  return out;
}

void PoseGraph::leap(double size) {
  leap_asked_ = true;
  asked_size_ = std::clamp(size, 0.0, 1.0);
}

const std::vector<State>& PoseGraph::states() const {
  if (!left_.empty()) return left_;
  return in_chain_ ? graph_.chain : graph_.cycle;
}

void PoseGraph::begin_cycle(const Goal& goal) {
  at_ = 0;
  elapsed_ = 0;
  cycles_ = 0;
  in_chain_ = false;
  left_.clear();
  mix_anew(weights_for(goal));
}

// Cycles after which it looks again: those of a toy may be shorter than what there is to see.
std::size_t PoseGraph::cycles_a_look() const {
  const double cycles = kLooksEvery / std::max(graph_.period(), kShortestState);
  return std::size_t(std::clamp(std::ceil(cycles), 1.0, double(kMostCyclesALook)));
}

void PoseGraph::count_cycle() {
  if (in_chain_) {
    cycles_ = 0;
    return;
  }
  // Not above all that a recovery can ask for, and by whole looks, so that it goes on looking.
  if (++cycles_ >= kMostCycles) cycles_ -= cycles_a_look();
}

void PoseGraph::look_ahead(const physics::ArticulatedBody& body, const physics::GroundNow& ground) {
  if (!gait_->leaps_by_itself() || cycles_ % cycles_a_look() != 0) return;
  double farthest = 0;
  for (const Gait::Variant& leap : gait_->variants) {
    if (cycles_ < leap.recovery) return;
    for (const LeapReach& reach : leap.reaches) farthest = std::max(farthest, reach.to);
  }
  const auto hurdle =
      posegraph::look_ahead(ground, body.links()[0].position.head<2>(), report_.heading,
                            kStepsOver * creature_->height, farthest);
  if (!hurdle) return;
  if (const auto size = size_over(*gait_, *hurdle)) leap(*size);
}

void PoseGraph::next_state(const physics::ArticulatedBody& body, const physics::GroundNow& ground,
                           const Goal& goal) {
  if (!left_.empty()) {
    if (at_ != leave_) {
      at_ = (at_ + 1) % left_.size();
      return;
    }
    left_.clear();
    at_ = enter_;
    mix_anew(weights_for(goal));
    return;
  }
  ++at_;
  if (at_ >= states().size()) {
    count_cycle();
    if (!in_chain_ && !leap_asked_) look_ahead(body, ground);
    in_chain_ = !in_chain_ && leap_asked_ && !graph_.chain.empty();
    if (in_chain_) {
      leap_asked_ = false;
      leap_size_ = asked_size_;
    }
    at_ = 0;
  }
  mix_anew(weights_for(goal));
}

PoseGraph::Weights PoseGraph::weights_for(const Goal& goal) const {
  Weights out{};
  if (by_hand_) {
    out = weights_;
  } else {
    steer(goal, out);
  }
  if (!in_chain_) return out;
  // A leap is gone through in full, also among shares that somebody has set.
  const int leap = gait_->leap_of(leap_size_);
  for (std::size_t i = 0; i < gait_->variants.size(); ++i) {
    if (gait_->variants[i].use == v1::GaitVariant::LEAP) out[i] = int(i) == leap ? 1 : 0;
  }
  return out;
}

// Law: turn w = clamp((desired heading - heading) / full_turn), of the variant of that side;
//      fast w = (desired speed - v_0) / (v_fast - v_0) within 0 and what the turn leaves of 1
void PoseGraph::steer(const Goal& goal, Weights& weights) const {
  const int left = gait_->variant_for(v1::GaitVariant::LEFT);
  const int right = gait_->variant_for(v1::GaitVariant::RIGHT);
  const double off = wrap_angle(goal.heading - report_.heading);
  const double share = std::clamp(off / p_->full_turn_rad(), -1.0, 1.0);
  const int turn = share > 0 ? left : right;
  if (turn >= 0) weights[std::size_t(turn)] = std::abs(share);
  const int fast = gait_->variant_for(v1::GaitVariant::FAST);
  if (fast < 0) return;
  const double slow = gait_->speed(), most = gait_->speed_of_variant(fast);
  if (most <= slow) return;
  const double left_over = turn >= 0 ? 1 - std::abs(share) : 1;
  weights[std::size_t(fast)] =
      std::clamp((goal.velocity.norm() - slow) / (most - slow), 0.0, left_over);
}

void PoseGraph::feel(const physics::ArticulatedBody& body) {
  added_.assign(creature_->model->links.size(), Vec3::Zero());
  if (!feels_ || gait_->feedback.gains.empty()) return;
  limb_bears_.assign(creature_->limbs.size(), false);
  for (const physics::ContactPoint& contact : body.contacts()) {
    if (contact.force.isZero()) continue;
    for (std::size_t i = 0; i < creature_->limbs.size(); ++i) {
      const auto& links = creature_->limbs[i].links;
      if (std::find(links.begin(), links.end(), contact.link) != links.end()) limb_bears_[i] = true;
    }
  }
  const Sensed felt = sense(*creature_, body, gait_->speed());
  for (const Feedback::Gain& gain : gait_->feedback.gains) {
    if (limb_bears_[std::size_t(gain.limb)] != gain.bearing) continue;
    double sum = 0;
    for (std::size_t k = 0; k < kSenses; ++k) sum += gain.of[k] * felt[k];
    added_[std::size_t(gain.link)][gain.coordinate] =
        std::clamp(sum, -Feedback::kMost, Feedback::kMost);
  }
}

void PoseGraph::drive(physics::ArticulatedBody& body) {
  feel(body);
  const State& now = states()[at_];
  const auto drives = body.drives();
  for (std::size_t i = 1; i < drives.size(); ++i) {
    if (!is_driven(*creature_, int(i))) continue;
    const LinkModel& link = creature_->model->links[i];
    // The feedback keeps within the joint's limits; a mix that is beyond them stays there.
    const Vec3 low = now.pose[i].cwiseMin(link.lower), high = now.pose[i].cwiseMax(link.upper);
    const Vec3 at = (now.pose[i] + added_[i]).cwiseMax(low).cwiseMin(high);
    if (physics::type_of(link.joint).rotation) {
      drives[i].target = quat_from_rotation_vector(at);
    } else {
      drives[i].target_angle = at.head<2>();
    }
  }
}

// What changes within a stride is left out.
void PoseGraph::report_speed(double dt) {
  const double share = dt / (dt + kMeanStrides * graph_.period());
  const Vec2 now = rotated(Vec2(report_.com_velocity.head<2>()), -report_.heading);
  report_.mean_velocity += share * (now - report_.mean_velocity);
}

void PoseGraph::update(physics::ArticulatedBody& body, const physics::GroundNow& ground,
                       const Goal& goal, double dt) {
  body.set_fine(false);
  hold_rest(*creature_, p_->stiffness(), p_->damping(), body.drives());
  report_mass_centre(body);
  report_speed(dt);
  // To turn on the spot is beyond it: it would walk away.
  report_.standing = goal.stand || !gait_ || goal.velocity.norm() < kSlowest;
  if (report_.standing) {
    stands_ = true;
    return;
  }
  if (std::exchange(stands_, false)) {
    begin_cycle(goal);
  }
  drive(body);
  elapsed_ += dt;
  if (elapsed_ >= states()[at_].duration) {
    elapsed_ -= states()[at_].duration;
    next_state(body, ground, goal);
    ++report_.steps;
  }
  double done = elapsed_, whole = 0;
  for (std::size_t i = 0; i < states().size(); ++i) {
    if (i < at_) done += states()[i].duration;
    whole += states()[i].duration;
  }
  report_.phase = in_chain_ ? 0 : std::clamp(done / whole, 0.0, 1.0);
}

Manner PoseGraph::manner() const {
  if (!gait_) return {};
  Manner out;
  // Of the speed that its search found; it cannot choose another.
  const double found = gait_->message.origin().speed_mps();
  out.cruise_speed = found > 0 ? found : kUnknownSpeed;
  out.step_time = graph_.period() / 2;
  return out;
}

void PoseGraph::visit(StateVisitor& state) {
  report_.visit(state);
  state(weights_, mixed_, by_hand_, feels_, stands_, in_chain_, leap_asked_, leap_size_,
        asked_size_, elapsed_);
  state.choice(cycles_, kMostCycles);
  state.choice(at_, kMostStates);
  visit_left(state);
  if (!state.reading()) return;
  if (!gait_) {
    left_.clear();
    stands_ = true;
    at_ = 0;
    in_chain_ = false;
    return;
  }
  mix(*gait_, mixed_, graph_);
  const bool fits = left_.empty() || (leave_ < left_.size() && enter_ < graph_.cycle.size());
  if (!fits || (in_chain_ && !left_.empty()) || at_ >= states().size()) {
    state.fail("has a number outside its range");
    left_.clear();
    in_chain_ = false;
    at_ = 0;
  }
}

void PoseGraph::visit_left(StateVisitor& state) {
  constexpr double kMost = 100;  // rad or m: far beyond any pose
  state.length(left_, kMostStates);
  for (State& one : left_) {
    state.within(one.duration, kShortestState, kLongestState);
    one.pose.resize(creature_->model->links.size(), Vec3::Zero());
    for (Vec3& at : one.pose) {
      for (int k = 0; k < 3; ++k) state.within(at[k], -kMost, kMost);
    }
  }
  if (left_.empty()) return;
  state.choice(leave_, kMostStates);
  state.choice(enter_, kMostStates);
}

void PoseGraph::mix_anew(const Weights& weights) {
  mixed_ = weights;
  if (gait_) mix(*gait_, mixed_, graph_);
}

}  // namespace promenade::control::posegraph
