#include "control/pendulum/pose.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/leg_ik.h"
#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

/// A moment of a walk at any speed: the mean of up to four samples.
struct Blend {
  struct Part {
    const GaitSample* sample;
    float weight;
  };
  std::array<Part, 4> parts;
  int count = 0;

  void add(const GaitCycle& cycle, double phase, double weight) {
    if (weight <= 0) return;
    const auto size = int(cycle.samples.size());
    const double at = phase * size;
    const int i = int(at) % size, next = (i + 1) % size;
    const double share = at - std::floor(at);
    parts[std::size_t(count++)] = {&cycle.samples[std::size_t(i)], float(weight * (1 - share))};
    if (size > 1)
      parts[std::size_t(count++)] = {&cycle.samples[std::size_t(next)], float(weight * share)};
    else
      parts[std::size_t(count - 1)].weight = float(weight);
  }
  template <typename Get>
  double number(Get get) const {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += double(parts[std::size_t(i)].weight) * get(*parts[std::size_t(i)].sample);
    return sum;
  }
  Vec3 pelvis() const {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < count; ++i) sum += double(parts[std::size_t(i)].weight) * parts[std::size_t(i)].sample->pelvis;
    return sum;
  }
  Quat turn(std::size_t link) const {
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    for (int i = 0; i < count; ++i) {
      const Eigen::Vector4f& one = parts[std::size_t(i)].sample->turn[link].coeffs();
      sum += (sum.dot(one) < 0 ? -1.f : 1.f) * parts[std::size_t(i)].weight * one;
    }
    return Eigen::Quaternionf(sum).cast<double>().normalized();
  }
};

/// Least and greatest x of a shape.
Vec2 span_x(const physics::Shape& shape) {
  switch (shape.kind) {
    case physics::Shape::Kind::kBox: return {shape.a.x() - shape.b.x(), shape.a.x() + shape.b.x()};
    case physics::Shape::Kind::kSphere: return {shape.a.x() - shape.radius, shape.a.x() + shape.radius};
    default:
      return {std::min(shape.a.x(), shape.b.x()) - shape.radius,
              std::max(shape.a.x(), shape.b.x()) + shape.radius};
  }
}

}  // namespace

Poser::Poser(std::shared_ptr<const Creature> creature, const Biped& biped,
             std::shared_ptr<const GaitTable> table)
    : creature_(std::move(creature)), biped_(biped), table_(std::move(table)) {
  const auto& links = creature_->model->links;
  const GaitTable::Between standing = table_->at(0);
  const double height = standing.a->speed == 0 ? standing.a->samples[0].mass_height
                                               : standing.b->samples[0].mass_height;
  stepper_body_.mass = creature_->total_mass;
  double half = 0;
  for (int side = 0; side < 2; ++side) {
    const physics::LinkModel& foot = links[std::size_t(biped_.link[kLeftFoot + side])];
    const physics::LinkModel& toes = links[std::size_t(biped_.link[kLeftToes + side])];
    Sole& sole = soles_[std::size_t(side)];
    double heel = 0;
    for (const physics::Shape& shape : foot.shapes)
      heel = std::min(heel, span_x(shape).x() - foot.at_child.x());
    const double ball = toes.at_parent.x() - foot.at_child.x();
    sole.heel = -heel;
    sole.ball = ball;
    sole.middle = {0.5 * (ball + heel), 0};
    sole.height = biped_.ankle_height[std::size_t(side)];
    stepper_body_.leg[std::size_t(side)] = height;
    half += 0.25 * (ball - heel);
  }
  stepper_body_.foot_radius = half;
  const physics::LinkModel& left = links[std::size_t(biped_.link[kLeftThigh])];
  const physics::LinkModel& right = links[std::size_t(biped_.link[kRightThigh])];
  stepper_body_.hip_width = std::abs(left.at_parent.y() - right.at_parent.y());
  stepper_body_.trunk.mass = 0.6 * creature_->total_mass;
  stepper_body_.trunk.inertia = 0.06 * creature_->total_mass * height * height;
  stepper_body_.trunk.vpp_height = 0.16 * height;
  stepper_body_.trunk.damping = 0.3 * creature_->total_mass * height;
}

StepperGait Poser::gait(double speed) const {
  const StepTiming timing = table_->timing(speed);
  StepperGait gait;
  gait.step_time = timing.whole();
  gait.both_share = timing.both / timing.whole();
  gait.width = table_->width(speed);
  gait.swing.clearance = std::max(0.02, table_->clearance(speed) - 0.03);
  return gait;
}

double Poser::stride_phase(const Stepper& stepper) const {
  const StepTiming timing = table_->timing(rotated(stepper.mean_velocity(), 0).x());
  const double both = 0.5 * timing.both / timing.whole();  // share of the stride
  switch (stepper.phase()) {
    // The stance is the foot that stood before: its step ends while the other takes over.
    case Phase::kTransfer: {
      const double begin = stepper.stance() == 1 ? 0 : 0.5;
      return begin + both * stepper.share();
    }
    case Phase::kSwing: {
      const double begin = stepper.stance() == 0 ? 0 : 0.5;
      return std::min(begin + 0.5 - 1e-9, begin + both + (0.5 - both) * stepper.share());
    }
    default: return 0;
  }
}

void Poser::place_leg(int side, const Vec3& ankle, const Quat& foot, double toe_bend,
                      double heading, physics::ArticulationState& out) const {
  const auto& links = creature_->model->links;
  const auto thigh = std::size_t(biped_.link[kLeftThigh + side]);
  const auto shank = std::size_t(biped_.link[kLeftShank + side]);
  const auto sole = std::size_t(biped_.link[kLeftFoot + side]);
  const auto toes = std::size_t(biped_.link[kLeftToes + side]);
  const double upper = (links[shank].at_parent - links[thigh].at_child).norm();
  const double lower = (links[sole].at_parent - links[shank].at_child).norm();
  const Vec3 hip = out.root.position + out.root.rotation * links[thigh].at_parent;
  const LegAngles leg = solve_leg(hip, ankle, upper, lower, rotation_z(heading) * Vec3::UnitY(), 0);
  const Quat world_thigh(leg.thigh);
  out.joint[thigh] = out.root.rotation.conjugate() * world_thigh;
  out.angle[shank] = {leg.knee, 0};
  out.joint[shank] = Quat(Eigen::AngleAxisd(leg.knee, links[shank].axis));
  const Quat world_shank = world_thigh * out.joint[shank];
  const Mat3 r = (world_shank.conjugate() * foot).toRotationMatrix();
  const Vec2 angles(std::atan2(-r(1, 2), r(1, 1)), std::atan2(-r(2, 0), r(0, 0)));
  out.angle[sole] = angles;
  out.joint[sole] = rotation_y(angles.y()) * rotation_x(angles.x());
  out.angle[toes] = {toe_bend, 0};
  out.joint[toes] = Quat(Eigen::AngleAxisd(toe_bend, links[toes].axis));
}

void Poser::pose(const Stepper& stepper, physics::ArticulationState& out) const {
  const double speed = stepper.mean_velocity().x();
  const double phase = stride_phase(stepper);
  const bool stands = stepper.phase() == Phase::kStand || stepper.phase() == Phase::kShift;
  Blend blend;
  const GaitTable::Between between = table_->at(stands ? 0 : speed);
  blend.add(*between.a, phase, 1 - between.share);
  blend.add(*between.b, phase, between.share);

  const Quat heading = rotation_z(stepper.heading());
  const Vec2 lean = stepper.trunk().lean;
  for (std::size_t i = 1; i < out.joint.size(); ++i) {
    out.joint[i] = blend.turn(i);
    const physics::LinkModel& link = creature_->model->links[i];
    if (link.joint == physics::JointKind::kHinge)
      out.angle[i] = {rotation_vector(out.joint[i]).dot(link.axis), 0};
  }
  out.root.rotation =
      heading * quat_from_rotation_vector(Vec3(-lean.y(), lean.x(), 0)) * blend.turn(0);
  out.root.position = stepper.com() + heading * blend.pelvis();
  for (int side = 0; side < 2; ++side) {
    const Foot& foot = stepper.foot(side);
    const Sole& sole = soles_[std::size_t(side)];
    const double pitch = blend.number(
        [&](const GaitSample& sample) { return double(sample.foot_pitch[std::size_t(side)]); });
    // The foot turns about its ball where the heel is up, about the heel where the toes are.
    const double pivot = pitch > 0 ? sole.ball : -sole.heel;
    const Quat yaw = rotation_z(foot.yaw), turn = yaw * rotation_y(pitch);
    const Vec3 at = foot.position + yaw * Vec3(pivot - sole.middle.x(), 0, 0);
    const Vec3 ankle = at + turn * Vec3(-pivot, 0, sole.height);
    place_leg(side, ankle, turn, pitch > 0 ? -pitch : 0, foot.yaw, out);
  }
}

}  // namespace promenade::control::pendulum
