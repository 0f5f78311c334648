#include "control/pendulum/pose.h"

#include <algorithm>
#include <cmath>

#include "control/leg_ik.h"
#include "control/pendulum/swing.h"
#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

/// Where a cycle is when the stepper is where it is; share of the stride, 0 at a touch-down of the
/// left foot, [0, 1). While the feet change over, the stance is still the foot that stood before.
double phase_in(const GaitCycle& cycle, const Stepper& stepper) {
  const double both = 0.5 * cycle.timing.both / cycle.timing.whole();
  const double left_first = stepper.stance() == kRight ? 0 : 0.5;  // after the left touched down
  switch (stepper.phase()) {
    case Phase::kTransfer:
      return left_first + both * stepper.share();
    case Phase::kStand:
      return left_first + both;
    case Phase::kSwing:
      return 0.5 - left_first + both + (0.5 - both) * std::min(stepper.share(), 1 - 1e-9);
    case Phase::kShift:
    case Phase::kFallen:
      break;
  }
  return 0.5 - left_first + both;
}

constexpr double kSoftLimit = 0.01;    // m, within which a limit of length is felt
constexpr double kLegLongest = 0.998;  // share of a leg: it is never quite straight

/// The greater of two without a jolt where one takes over, and greater than both by up to half of
/// `soft`.
double soft_max(double a, double b, double soft) {
  return 0.5 * (a + b + std::sqrt((a - b) * (a - b) + soft * soft));
}

/// 1 for a foot that stands; of one in the air how firmly it is held to its path: not at all half
/// way, where nobody sees how far it is.
double firmness(const Stepper& stepper, std::size_t side) {
  if (stepper.phase() != Phase::kSwing || int(side) == stepper.stance()) return 1;
  const double share = stepper.share();
  return share < 0.4 ? smooth(1 - share / 0.4) : smooth((share - 0.4) / 0.6);
}

}  // namespace

/// A moment of a walk at any speed: a weighted mean of samples, four in a row at up to two speeds.
struct Poser::Blend {
  struct Part {
    const GaitSample* sample;
    float weight;
  };
  std::array<Part, 8> parts;
  std::size_t count = 0;
  GaitTable::Between between;

  Blend(const GaitTable& table, double speed, const Stepper& stepper) : between(table.at(speed)) {
    add(*between.a, stepper, 1 - between.share);
    add(*between.b, stepper, between.share);
  }
  void add(const GaitCycle& cycle, const Stepper& stepper, double weight) {
    if (weight <= 0) return;
    const std::size_t size = cycle.samples.size();
    if (size == 1) {
      parts[count++] = {cycle.samples.data(), float(weight)};
      return;
    }
    const double at = phase_in(cycle, stepper) * double(size);
    const auto i = std::size_t(at);
    const std::array<double, 4> weights = near_samples(at - double(i));
    for (std::size_t k = 0; k < 4; ++k)
      parts[count++] = {&cycle.samples[(i + size + k - 1) % size], float(weight * weights[k])};
  }
  template <typename Get>
  double number(Get get) const {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
      sum += double(parts[i].weight) * double(get(*parts[i].sample));
    return sum;
  }
  Vec3 pelvis() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < count; ++i)
      sum += double(parts[i].weight) * parts[i].sample->pelvis;
    return sum;
  }
  Quat turn(std::size_t link) const {
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    for (std::size_t i = 0; i < count; ++i) {
      const Eigen::Vector4f& one = parts[i].sample->turn[link].coeffs();
      sum += (sum.dot(one) < 0 ? -1.F : 1.F) * parts[i].weight * one;
    }
    return Eigen::Quaternionf(sum).cast<double>().normalized();
  }
  double swing(std::size_t side, std::array<double, kSwingSamples> SwingCurve::*curve,
               double share) const {
    return std::lerp(SwingCurve::at(between.a->swing[side].*curve, share),
                     SwingCurve::at(between.b->swing[side].*curve, share), between.share);
  }
};

Poser::Poser(std::shared_ptr<const Creature> creature, const Biped& biped,
             std::shared_ptr<const GaitTable> table)
    : creature_(std::move(creature)),
      biped_(biped),
      table_(std::move(table)),
      soles_(soles_of(*creature_, biped)) {
  const auto& links = creature_->model->links;
  const double height = table_->standing().mass_height;
  const double mass = creature_->total_mass;
  stepper_body_.mass = mass;
  stepper_body_.leg = {height, height};
  stepper_body_.foot_radius =
      0.25 * (soles_[0].heel + soles_[0].ball + soles_[1].heel + soles_[1].ball);
  stepper_body_.trunk = trunk_of(mass, height);
  for (std::size_t side = 0; side < 2; ++side) {
    LegLinks& leg = legs_[side];
    leg.thigh = std::size_t(biped_.link[kLeftThigh + side]);
    leg.shank = std::size_t(biped_.link[kLeftShank + side]);
    leg.foot = std::size_t(biped_.link[kLeftFoot + side]);
    leg.toes = std::size_t(biped_.link[kLeftToes + side]);
    leg.upper = (links[leg.shank].at_parent - links[leg.thigh].at_child).norm();
    leg.lower = (links[leg.foot].at_parent - links[leg.shank].at_child).norm();
  }
  stepper_body_.hip_width =
      std::abs(links[legs_[0].thigh].at_parent.y() - links[legs_[1].thigh].at_parent.y());
}

StepperGait Poser::gait(double speed) const {
  const StepTiming timing = table_->timing(speed);
  StepperGait gait;
  gait.step_time = timing.whole();
  gait.both_share = timing.both / timing.whole();
  gait.width = table_->width(speed);
  return gait;
}

Poser::FootPose Poser::foot_pose(const Stepper& stepper, std::size_t side,
                                 const Blend& blend) const {
  const Foot& foot = stepper.foot(int(side));
  const double pitch = blend.number([&](const GaitSample& s) { return s.foot_pitch[side]; });
  FootPose out;
  out.yaw = foot.yaw;
  out.toe_bend = -std::max(0.0, pitch);  // toes lie flat while the heel is up
  Vec3 middle = foot.position;
  if (stepper.phase() == Phase::kSwing && int(side) != stepper.stance()) {
    const double share = stepper.share();
    const Vec3 way = stepper.target() - stepper.origin();
    middle = stepper.origin() + blend.swing(side, &SwingCurve::along, share) * way;
    // The foot goes up at once to a higher place, and down late to a lower one.
    const double early = smooth(std::min(1.0, share / 0.6));
    const double late = smooth(std::max(0.0, (share - 0.4) / 0.6));
    middle.z() = stepper.origin().z() + (way.z() > 0 ? early : late) * way.z() +
                 blend.swing(side, &SwingCurve::lift, share);
    middle +=
        rotation_z(stepper.heading()) * Vec3(0, blend.swing(side, &SwingCurve::aside, share), 0);
    out.yaw =
        stepper.yaw_from() + smooth(share) * wrap_angle(stepper.yaw_to() - stepper.yaw_from());
    const double bend = blend.number([&](const GaitSample& s) { return s.toe_bend[side]; });
    out.toe_bend = std::lerp(out.toe_bend, bend, smooth(std::min(1.0, 3 * share)));
  }
  out.turn = rotation_z(out.yaw) * rotation_y(pitch);
  out.pitch = pitch;
  out.ankle = ankle_over(soles_[side], middle, out.yaw, pitch);
  return out;
}

double Poser::out_of_reach(std::size_t side, const Vec3& ankle,
                           const physics::ArticulationState& out) const {
  const LegLinks& leg = legs_[side];
  const Vec3 hip =
      out.root.position + out.root.rotation * creature_->model->links[leg.thigh].at_parent;
  const double longest = kLegLongest * (leg.upper + leg.lower);
  const double across = (hip - ankle).head<2>().squaredNorm();
  const double up = std::sqrt(std::max(0.0, longest * longest - across));
  return hip.z() - ankle.z() - up;
}

double Poser::drop(const Stepper& stepper, const std::array<FootPose, 2>& feet,
                   const physics::ArticulationState& out) const {
  double down = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const double firm = firmness(stepper, side);
    if (firm == 0) continue;
    const double reach = soft_max(0, out_of_reach(side, feet[side].ankle, out), kSoftLimit);
    down = soft_max(down, firm * reach, firm * kSoftLimit);
  }
  return down;
}

void Poser::keep_in_reach(const Stepper& stepper, std::size_t side, FootPose& foot,
                          const physics::ArticulationState& out) const {
  const double loose = 1 - firmness(stepper, side);
  if (loose == 0) return;
  const LegLinks& leg = legs_[side];
  const Vec3 hip =
      out.root.position + out.root.rotation * creature_->model->links[leg.thigh].at_parent;
  const Vec3 way = foot.ankle - hip;
  const double length = way.norm(), longest = kLegLongest * (leg.upper + leg.lower);
  const double kept = -soft_max(-length, -longest, loose * kSoftLimit);
  foot.ankle = hip + way * (kept / length);
}

void Poser::place_leg(std::size_t side, const FootPose& foot,
                      physics::ArticulationState& out) const {
  const auto& links = creature_->model->links;
  const LegLinks& leg = legs_[side];
  const Vec3 hip = out.root.position + out.root.rotation * links[leg.thigh].at_parent;
  // The ankle pitches and rolls: the knee's axis has to be across the foot for it to turn as told.
  const Vec3 left = (hip - foot.ankle).cross(foot.turn * Vec3::UnitX());
  const LegAngles angles = solve_leg(hip, foot.ankle, leg.upper, leg.lower, left, 0);
  const Quat thigh(angles.thigh);
  out.joint[leg.thigh] = out.root.rotation.conjugate() * thigh;
  out.angle[leg.shank] = {angles.knee, 0};
  turn_foot(side, foot, out);
}

// Turns the ankle so that the foot is turned as told, however the leg is.
void Poser::turn_foot(std::size_t side, const FootPose& foot,
                      physics::ArticulationState& out) const {
  const LegLinks& leg = legs_[side];
  const Quat thigh = out.root.rotation * out.joint[leg.thigh];
  const Vec3& axis = creature_->model->links[leg.shank].axis;
  const Quat knee(Eigen::AngleAxisd(out.angle[leg.shank].x(), axis));
  const Mat3 r = ((thigh * knee).conjugate() * foot.turn).toRotationMatrix();
  out.angle[leg.foot] = {std::atan2(-r(1, 2), r(1, 1)), std::atan2(-r(2, 0), r(0, 0))};
  out.angle[leg.toes] = {foot.toe_bend, 0};
  set_leg_joints(side, out);
}

double Poser::place_within_limits(std::size_t side, FootPose foot,
                                  physics::ArticulationState& out) const {
  const auto& links = creature_->model->links;
  const LegLinks& leg = legs_[side];
  place_leg(side, foot, out);
  double low = keep_thigh(side, foot, out);
  // Each turn of the foot lifts or lowers the ankle, which turns the shank a little.
  constexpr int kTries = 10;
  for (int i = 0; i < kTries; ++i) {
    const double at = out.angle[leg.foot].y();
    const double by = std::clamp(at, links[leg.foot].lower.y(), links[leg.foot].upper.y()) - at;
    if (std::abs(by) < 1e-4) break;
    const Sole& sole = soles_[side];
    const Vec3 middle =
        middle_under(sole, foot.ankle, foot.turn.toRotationMatrix(), foot.yaw, foot.pitch);
    foot.turn = foot.turn * rotation_y(by);
    foot.pitch += by;
    foot.toe_bend -= by;
    foot.ankle = ankle_over(sole, middle, foot.yaw, foot.pitch);
    place_leg(side, foot, out);
    low = keep_thigh(side, foot, out);
  }
  for (const std::size_t link : {leg.foot, leg.toes}) {
    const auto within = [&](double angle, int i) {
      return std::clamp(angle, links[link].lower[i], links[link].upper[i]);
    };
    out.angle[link] = {within(out.angle[link].x(), 0),
                       link == leg.foot ? within(out.angle[link].y(), 1) : 0.0};
  }
  set_leg_joints(side, out);
  return low;
}

// A short thigh cannot lift a foot on a long shank far: it stays at its limit, and the foot comes
// as near to its place as the knee can bring it.
double Poser::keep_thigh(std::size_t side, const FootPose& foot,
                         physics::ArticulationState& out) const {
  const auto& links = creature_->model->links;
  const LegLinks& leg = legs_[side];
  // Twice the vector part of a quaternion is at most 1/9 short of the rotation vector up to 1.6
  // rad: most thighs are clearly within their limits.
  const Quat& joint = out.joint[leg.thigh];
  const Vec3 bound = 2.25 * joint.vec();
  const bool clear = (bound.array() < links[leg.thigh].upper.array()).all() &&
                     (bound.array() > links[leg.thigh].lower.array()).all();
  if (joint.w() > 0.7 && clear) return 0;
  const Vec3 turned = rotation_vector(joint);
  const Vec3 kept = turned.cwiseMax(links[leg.thigh].lower).cwiseMin(links[leg.thigh].upper);
  if ((kept - turned).squaredNorm() < 1e-10) return 0;
  out.joint[leg.thigh] = quat_from_rotation_vector(kept);
  const Quat thigh = out.root.rotation * out.joint[leg.thigh];
  const Vec3 hip = out.root.position + out.root.rotation * links[leg.thigh].at_parent;
  const Vec3 way = thigh.conjugate() * (foot.ankle - hip) + leg.upper * Vec3::UnitZ();
  const double knee = std::atan2(-way.x(), -way.z());
  const double bent = std::clamp(knee, links[leg.shank].lower.x(), links[leg.shank].upper.x());
  out.angle[leg.shank] = {bent, 0};
  turn_foot(side, foot, out);
  const Vec3 ankle = hip + thigh * (-leg.upper * Vec3::UnitZ() -
                                    leg.lower * Vec3(std::sin(bent), 0, std::cos(bent)));
  return std::max(0.0, foot.ankle.z() - ankle.z());
}

void Poser::set_leg_joints(std::size_t side, physics::ArticulationState& out) const {
  const auto& links = creature_->model->links;
  const LegLinks& leg = legs_[side];
  const Vec2& ankle = out.angle[leg.foot];
  out.joint[leg.shank] = Quat(Eigen::AngleAxisd(out.angle[leg.shank].x(), links[leg.shank].axis));
  out.joint[leg.foot] = rotation_y(ankle.y()) * rotation_x(ankle.x());
  out.joint[leg.toes] = Quat(Eigen::AngleAxisd(out.angle[leg.toes].x(), links[leg.toes].axis));
}

void Poser::turn_leg(std::size_t side, const PoseOffset::Foot& by,
                     physics::ArticulationState& out) const {
  const LegLinks& leg = legs_[side];
  out.joint[leg.thigh] = quat_from_rotation_vector(by.thigh) * out.joint[leg.thigh];
  out.angle[leg.shank].x() += by.knee;
  out.angle[leg.foot] += by.ankle_turn;
  out.angle[leg.toes].x() += by.toes;
  set_leg_joints(side, out);
}

// Where the ankle is and how the foot is turned, world frame.
Pose Poser::foot_of(std::size_t side, const physics::ArticulationState& state) const {
  const auto& links = creature_->model->links;
  const LegLinks& leg = legs_[side];
  Pose at = state.root;
  Vec3 joint = at.position;
  for (const std::size_t link : {leg.thigh, leg.shank, leg.foot}) {
    joint = at.position + at.rotation * links[link].at_parent;
    at.rotation = at.rotation * state.joint[link];
    at.position = joint - at.rotation * links[link].at_child;
  }
  return {joint, at.rotation};
}

PoseOffset Poser::offset_to(const physics::ArticulationState& actual, const Stepper& stepper,
                            double speed) const {
  physics::ArticulationState posed = actual;
  pose(stepper, speed, posed);
  const auto turn_to = [](const Quat& to, const Quat& from) {
    return rotation_vector(to * from.conjugate());
  };
  const Blend blend(*table_, speed, stepper);
  PoseOffset out;
  out.root = actual.root.position - root_of(stepper, blend);
  out.root_turn = turn_to(actual.root.rotation, posed.root.rotation);
  out.joints.assign(actual.joint.size(), Vec3::Zero());
  for (std::size_t i = 1; i < actual.joint.size(); ++i)
    out.joints[i] = turn_to(actual.joint[i], posed.joint[i]);
  for (std::size_t side = 0; side < 2; ++side) {
    const FootPose foot = foot_pose(stepper, side, blend);
    const Pose at = foot_of(side, actual);
    PoseOffset::Foot& offset = out.feet[side];
    offset.ankle = at.position - foot.ankle;
    offset.turn = turn_to(at.rotation, foot.turn);
    offset.toe_bend = actual.angle[legs_[side].toes].x() - foot.toe_bend;
  }
  // Constraints of the legs change this pose; the rest of the offset is taken after them.
  pose(stepper, speed, posed, &out);
  out.rise = actual.root.position.z() - posed.root.position.z();
  pose(stepper, speed, posed, &out);
  for (std::size_t side = 0; side < 2; ++side) {
    const LegLinks& leg = legs_[side];
    PoseOffset::Foot& offset = out.feet[side];
    offset.thigh = turn_to(actual.joint[leg.thigh], posed.joint[leg.thigh]);
    offset.knee = actual.angle[leg.shank].x() - posed.angle[leg.shank].x();
    offset.ankle_turn = actual.angle[leg.foot] - posed.angle[leg.foot];
    offset.toes = actual.angle[leg.toes].x() - posed.angle[leg.toes].x();
  }
  return out;
}

double Poser::swung(double speed, std::size_t side, double share) const {
  const GaitTable::Between between = table_->at(speed);
  return std::lerp(SwingCurve::at(between.a->swing[side].along, share),
                   SwingCurve::at(between.b->swing[side].along, share), between.share);
}

// The root's place with the mass where the pendulum has it.
Vec3 Poser::root_of(const Stepper& stepper, const Blend& blend) const {
  Vec3 root = stepper.com() + rotation_z(stepper.heading()) * blend.pelvis();
  // The mass rises and falls over a step as in the walk, and not as the pendulum's does.
  const double height = blend.number([](const GaitSample& s) { return s.mass_height; });
  root.z() += stepper.dip() - (table_->standing().mass_height - height);
  return root;
}

void Poser::pose(const Stepper& stepper, double speed, physics::ArticulationState& out,
                 const PoseOffset* offset) const {
  const Blend blend(*table_, speed, stepper);
  const Quat heading = rotation_z(stepper.heading());
  const Vec2 lean = stepper.trunk().lean;
  const auto by = [](const Vec3& turn) { return quat_from_rotation_vector(turn); };
  for (std::size_t i = 1; i < out.joint.size(); ++i) {
    const physics::LinkModel& link = creature_->model->links[i];
    if (i == legs_[0].thigh || i == legs_[1].thigh) continue;
    out.joint[i] = blend.turn(i);
    if (offset) out.joint[i] = by(offset->joints[i]) * out.joint[i];
    if (link.joint == physics::JointKind::kHinge) {
      out.angle[i] = {rotation_vector(out.joint[i]).dot(link.axis), 0};
    }
  }
  out.root.rotation = heading * by(Vec3(-lean.y(), lean.x(), 0)) * blend.turn(0);
  out.root.position = root_of(stepper, blend);
  std::array<FootPose, 2> feet{foot_pose(stepper, kLeft, blend), foot_pose(stepper, kRight, blend)};
  if (offset) {
    out.root.position += offset->root;
    out.root.rotation = by(offset->root_turn) * out.root.rotation;
    for (std::size_t side = 0; side < 2; ++side) {
      FootPose& foot = feet[side];
      foot.ankle += offset->feet[side].ankle;
      foot.turn = by(offset->feet[side].turn) * foot.turn;
      foot.toe_bend += offset->feet[side].toe_bend;
    }
  }
  out.root.position.z() -= drop(stepper, feet, out);
  if (offset) out.root.position.z() += offset->rise;
  for (std::size_t side = 0; side < 2; ++side) keep_in_reach(stepper, side, feet[side], out);
  // A foot that stands stays where it is: the pelvis rises where a leg cannot be that short, as far
  // as the other one reaches.
  double low = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    const bool swings = stepper.phase() == Phase::kSwing && int(side) != stepper.stance();
    const double here = place_within_limits(side, feet[side], out);
    if (swings || here == 0) continue;
    const double free = -out_of_reach(1 - side, feet[1 - side].ankle, out);
    low = std::max(low, std::min(here, free));
  }
  out.root.position.z() += low;
  for (std::size_t side = 0; side < 2; ++side) {
    if (low > 0) place_within_limits(side, feet[side], out);
    if (offset) turn_leg(side, offset->feet[side], out);
  }
}

}  // namespace promenade::control::pendulum
