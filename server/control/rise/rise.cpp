#include "control/rise/rise.h"

#include <algorithm>
#include <cmath>

#include "control/leg_ik.h"
#include "creature/pose.h"
#include "math/rotation.h"

namespace promenade::control {
namespace {
using physics::JointKind;
double ramp(double t, double a, double b) { return std::clamp((t - a) / (b - a), 0.0, 1.0); }
}  // namespace

struct Rise::Frame {
  physics::ArticulatedBody& body;
  const physics::GroundNow& ground;
  const Goal& goal;
  double dt;
  BipedState s;
  std::span<const physics::LinkMotion> links;
  Mat3 torso, pelvis;
  Vec3 forward;  // level, the way the feet side ... trunk faces
  Vec3 left;
  double height;     // of the ground under the com
  std::array<Vec3, 2> shoulder, hand;
  std::array<double, kPartCount> load{};  // N
  double omega;      // 1/s
  double weight;
};

Rise::Rise(std::shared_ptr<const Creature> creature, std::shared_ptr<const RiseSettings> p)
    : creature_(std::move(creature)), p_(std::move(p)), biped_(biped_of(*creature_).value()) {
  size_ = creature_->leg_scale();
}

void Rise::set_creature(std::shared_ptr<const Creature> creature, const physics::ArticulatedBody&) {
  creature_ = std::move(creature);
  biped_ = biped_of(*creature_).value();
  size_ = creature_->leg_scale();
}

void Rise::visit(StateVisitor& state) { report_.visit(state); }

Vec3 Rise::angles_of(const physics::ArticulatedBody& body, int part) const {
  const auto i = std::size_t(biped_.link[std::size_t(part)]);
  const auto& state = body.state();
  if (creature_->model->links[i].joint == JointKind::kBall) return rotation_vector(state.joint[i]);
  return Vec3(state.angle[i].x(), state.angle[i].y(), 0);
}

void Rise::reset(const physics::ArticulatedBody& body, const Goal&) {
  for (int part = 1; part < kPartCount; ++part) goal_[std::size_t(part)] = now_[std::size_t(part)] = angles_of(body, part);
  tries_ = 0;
  total_ = quiet_ = still_ = 0;
  enter(Stage::kFall);
}

void Rise::enter(Stage stage) {
  quiet_ = 0;
  stage_ = stage;
  clock_ = 0;
  extent_ = 0;
  still_ = 0;
}

void Rise::set_arms(double roll, double pitch, double yaw, double elbow) {
  goal_[kLeftUpperArm] = Vec3(roll, pitch, yaw);
  goal_[kRightUpperArm] = Vec3(-roll, pitch, -yaw);
  goal_[kLeftLowerArm] = goal_[kRightLowerArm] = Vec3(elbow, 0, 0);
}
void Rise::set_legs(double hip, double spread, double yaw, double knee, double ankle, double toe) {
  goal_[kLeftThigh] = Vec3(spread, hip, yaw);
  goal_[kRightThigh] = Vec3(-spread, hip, -yaw);
  goal_[kLeftShank] = goal_[kRightShank] = Vec3(knee, 0, 0);
  goal_[kLeftFoot] = goal_[kRightFoot] = Vec3(0, ankle, 0);
  goal_[kLeftToes] = goal_[kRightToes] = Vec3(toe, 0, 0);
}
void Rise::set_spine(double r, double p, double y) {
  goal_[kLowerBack] = goal_[kTorso] = Vec3(r, p, y);
}

/// The trunk as it should be: level from side to side, pitched by `pitch`, at most 0.5 rad from
/// where it is.
Quat Rise::trunk_wanted(const Frame& f, double pitch) const {
  const Mat3 level = (Mat3() << f.forward, f.left, Vec3::UnitZ()).finished();
  const Quat wanted = Quat(level) * rotation_y(pitch);
  const Quat now(f.torso);
  Vec3 way = rotation_vector(now.conjugate() * wanted);
  const double angle = way.norm();
  if (angle > 0.5) way *= 0.5 / angle;
  return now * quat_from_rotation_vector(way);
}

void Rise::hand_to(const Frame& f, int side, const Vec3& target, const Quat& trunk, double lift, double push) {
  const auto& links = creature_->model->links;
  const auto upper_link = std::size_t(biped_.link[std::size_t(kLeftUpperArm + side)]);
  const auto lower_link = std::size_t(biped_.link[std::size_t(kLeftLowerArm + side)]);
  const double upper = (links[lower_link].at_parent - links[upper_link].at_child).norm();
  const Vec3 tip = links[lower_link].shapes[0].b.z() < links[lower_link].shapes[0].a.z()
                       ? links[lower_link].shapes[0].b
                       : links[lower_link].shapes[0].a;
  const double lower = (tip - links[lower_link].at_child).norm();
  const Mat3 r = trunk.toRotationMatrix();
  const Vec3 axis = -r.col(1);
  const Vec3 chest = f.links[std::size_t(biped_.link[kTorso])].position;
  Vec3 shoulder = chest + r * links[upper_link].at_parent;
  shoulder.z() += lift;
  shoulder -= push * f.forward;
  const LegAngles a = solve_leg(shoulder, target, upper, lower, axis, 0);
  Mat3 arm = a.thigh;
  arm.col(0) = -arm.col(0);
  arm.col(1) = -arm.col(1);
  goal_[std::size_t(kLeftUpperArm + side)] = rotation_vector(Quat(Mat3(r.transpose() * arm)));
  goal_[std::size_t(kLeftLowerArm + side)] = Vec3(-a.knee, 0, 0);
}

void Rise::drive(const Frame& f, double rate) {
  for (int part = 1; part < kPartCount; ++part) {
    const auto k = std::size_t(part);
    const auto i = std::size_t(biped_.link[k]);
    const physics::LinkModel& link = creature_->model->links[i];
    const JointGains& gains = creature_->gains[i];
    physics::JointDrive& d = f.body.drives()[i];
    const int dof = dof_of(link.joint);
    const Vec3 before = now_[k];
    for (int c = 0; c < dof; ++c) {
      const double goal = std::clamp(goal_[k][c], link.lower[c], link.upper[c]);
      now_[k][c] += std::clamp(goal - now_[k][c], -rate * f.dt, rate * f.dt);
    }
    const Vec3 limit = gains.limit;
    d.limit = limit;
    const double s = strength_;
    d.kp = s * limit / p_->band;
    d.kd = d.kp * p_->damp;
    d.feedforward.setZero();
    d.target_velocity = (now_[k] - before) / f.dt;
    if (link.joint == JointKind::kBall) {
      d.target = quat_from_rotation_vector(now_[k]);
    } else {
      d.target_angle = now_[k].head<2>();
    }
  }
}

void Rise::fall(const Frame& f) {
  strength_ = 0.15;
  set_arms(0.4, -1.2, 0, -0.6);
  set_legs(-0.5, 0.1, 0, 0.6, 0, 0);
  set_spine(0, 0.2, 0);
  goal_[kHead] = Vec3(0, f.torso(2, 0) < 0 ? -0.5 : 0.5, 0);
  const bool calm = f.body.kinetic_energy() < 0.05;
  quiet_ = calm ? quiet_ + f.dt : 0;
  if (quiet_ > 0.2 || clock_ > 3) enter(f.torso(2, 0) < -0.5 ? Stage::kGather : Stage::kRoll);
}

/// Turns over to the belly: the leg and the arm of the upper side go across (first over, then, once
/// it lies on its side, out of the way), the other arm goes up beside the head.
void Rise::roll(const Frame& f) {
  strength_ = 1;
  if (clock_ == 0) {
    side_ = f.torso(2, 1) > 0 ? kRight : kLeft;  // towards the lower side
    if (tries_ % 2 == 1) side_ = 1 - side_;
    extent_ = 0;
  }
  if (f.torso(2, 0) < p_->x[24]) extent_ = 1;
  const double m = side_ == kLeft ? 1 : -1;  // turns to the left
  const int up = 1 - side_;
  const double* a = &p_->x[extent_ > 0 ? 38 : 26];
  set_legs(a[10], a[11], 0, 0.15, 0.3, 0);
  goal_[std::size_t(kLeftThigh + up)] = Vec3(m * a[0], -a[1], m * a[2]);
  goal_[std::size_t(kLeftShank + up)] = Vec3(a[3], 0, 0);
  goal_[std::size_t(kLeftUpperArm + up)] = Vec3(m * a[4], -a[5], m * a[6]);
  goal_[std::size_t(kLeftLowerArm + up)] = Vec3(-0.2, 0, 0);
  goal_[std::size_t(kLeftUpperArm + side_)] = Vec3(m * a[7], -a[8], 0);
  goal_[std::size_t(kLeftLowerArm + side_)] = Vec3(0, 0, 0);
  set_spine(0, 0.1, m * a[9]);
  goal_[kHead] = Vec3(0, 0.3, m * 0.5);
  if (f.torso(2, 0) < -0.7 && f.pelvis(2, 0) < -0.5) return enter(Stage::kGather);
  if (clock_ > 2.5) { ++tries_; enter(Stage::kFall); }
}

void Rise::knees_to_ground(const Frame& f) {
  for (int side : {kLeft, kRight}) {
    const auto k = std::size_t(side);
    const Vec3 up = f.links[std::size_t(biped_.link[kLeftThigh + k])].rotation.col(2);
    const double pitch = std::atan2(up.dot(f.forward), up.z());
    goal_[kLeftShank + k].x() = std::clamp(kPi / 2 - 0.25 - pitch, 0.1, 2.4);
  }
}

/// Hands on the ground by the shoulders.
void Rise::hands_to_ground(const Frame& f, double ahead, double aside, const Quat& trunk, double lift, double push) {
  for (int side : {kLeft, kRight}) {
    Vec3 at = f.shoulder[std::size_t(side)] + f.left * (side == kLeft ? aside : -aside) * size_ +
              f.forward * ahead * size_;
    at.z() = f.ground.height(at.x(), at.y()) + 0.04 * size_;
    hand_to(f, side, at, trunk, lift, push);
  }
}

void Rise::gather(const Frame& f) {
  strength_ = 1;
  const bool prone = f.torso(2, 0) < -0.7 && f.pelvis(2, 0) < -0.5;
  if (prone || extent_ > 0) extent_ += f.dt;
  const double ready = p_->x[11];
  const double u = ramp(extent_, ready, ready + p_->x[12]);
  set_legs(-p_->x[13] * u, p_->x[16], 0, 2.4, -0.75, -0.6);
  knees_to_ground(f);
  set_spine(0, 0.1, 0);
  goal_[kHead] = Vec3(0, -0.4, 0);
  hands_to_ground(f, p_->x[14], p_->x[15], trunk_wanted(f, u <= 0 ? 1.6 : 1.4), u <= 0 ? 0.0 : 0.15 * size_, 0);
  if (u >= 1 && extent_ > ready + p_->x[12] + 0.2) enter(Stage::kRock);
  if (extent_ == 0 && clock_ > 2) { ++tries_; enter(Stage::kRoll); }
}

Vec3 Rise::ball(const Frame& f, int side) const {
  return joint_position(f.body, biped_.link[std::size_t(kLeftToes + side)]);
}

/// Drives the legs so that the pelvis is at `pelvis` while the balls of the feet stay where they are.
/// @param heel  rad, of the soles against the ground, heels up
void Rise::stand_on(const Frame& f, const Mat3& level, const Vec3& pelvis, const Quat& turn, double heel) {
  const auto& links = creature_->model->links;
  const Vec3 left = level.col(1);
  const Vec3 balls = 0.5 * (ball(f, 0) + ball(f, 1));
  for (int side : {kLeft, kRight}) {
    const auto k = std::size_t(side);
    const auto thigh = std::size_t(biped_.link[kLeftThigh + k]), shank = std::size_t(biped_.link[kLeftShank + k]),
               foot = std::size_t(biped_.link[kLeftFoot + k]), toes = std::size_t(biped_.link[kLeftToes + k]);
    const double upper = (links[shank].at_parent - links[thigh].at_child).norm();
    const double lower = (links[foot].at_parent - links[shank].at_child).norm();
    const Mat3 sole = level * rotation_y(heel).toRotationMatrix();
    Vec3 ball_at = ball(f, side);
    const double aside = left.dot(ball_at - pelvis) - left.dot(level * links[thigh].at_parent);
    ball_at -= std::clamp(aside, -0.15 * size_, 0.15 * size_) * left;
    ball_at += (side == kLeft ? 1 : -1) * p_->x[23] * size_ * left;
    const double ahead = level.col(0).dot(ball_at - balls);
    ball_at -= std::clamp(ahead, -0.15 * size_, 0.15 * size_) * level.col(0);
    ball_at.z() = f.ground.height(ball_at.x(), ball_at.y()) + 0.02 * size_;
    const Vec3 ankle = ball_at + sole * (links[foot].at_child - links[toes].at_parent);
    const Vec3 hip = pelvis + turn * (links[thigh].at_parent);
    const LegAngles a = solve_leg(hip, ankle, upper, lower, left, 0);
    goal_[kLeftThigh + k] = rotation_vector(turn.conjugate() * Quat(a.thigh));
    goal_[kLeftShank + k] = Vec3(a.knee, 0, 0);
    const Mat3 shank_r = a.thigh * rotation_y(a.knee).toRotationMatrix();
    const Mat3 rel = shank_r.transpose() * sole;
    const double pitch = std::atan2(-rel(2, 0), rel(0, 0));
    const double rollx = std::atan2(-rel(1, 2), rel(1, 1));
    goal_[kLeftFoot + k] = Vec3(rollx, pitch, 0);
    goal_[kLeftToes + k] = Vec3(-heel, 0, 0);
  }
}

void Rise::rock(const Frame& f) {
  const Vec3 balls = 0.5 * (ball(f, 0) + ball(f, 1));
  const double ground = f.ground.height(balls.x(), balls.y());
  const Mat3 level = (Mat3() << f.forward, f.left, Vec3::UnitZ()).finished();
  if (clock_ == 0) {
    anchor_ = level.transpose() * (f.links[0].position - Vec3(balls.x(), balls.y(), ground));
    pitch_ = std::atan2(f.pelvis.col(2).dot(f.forward), f.pelvis(2, 2));
    for (int side : {kLeft, kRight}) hand_[std::size_t(side)] = hand_tip(f, side);
  }
  const double sit = p_->x[0], back = p_->x[4];  // s
  const double u = ramp(clock_, 0, sit), v = ramp(clock_, sit, sit + back);
  const Vec3 kneel(p_->x[18] * size_, 0, p_->x[19] * size_), squat(p_->x[1] * size_, 0, p_->x[2] * size_);
  Vec3 place = anchor_ + u * (kneel - anchor_) + v * (squat - kneel);
  place.y() -= p_->x[17] * f.left.dot(f.s.com + f.s.com_velocity / f.omega - balls);
  const double pitch = std::lerp(std::lerp(pitch_, p_->x[20], u), p_->x[3], v);
  const Quat turn = Quat(level) * rotation_y(pitch);
  stand_on(f, level, Vec3(balls.x(), balls.y(), ground) + level * place, turn, 0.8 * (1 - v));
  const double bend = std::lerp(std::lerp(0.1, p_->x[21], u), p_->x[5], v);
  set_spine(0, bend, 0);
  goal_[kHead] = Vec3(0, -0.4, 0);
  hands_to_ground(f, std::lerp(p_->x[14], p_->x[7], u), 0.1, trunk_wanted(f, pitch + 2 * bend - 0.3 * v), p_->x[6] * size_, p_->x[22] * size_ * v);
  Vec3 feet = 0.5 * (f.s.ankle[0] + f.s.ankle[1]);
  const double ahead = f.forward.dot(f.s.com - feet);
  const double onfeet = f.load[kLeftFoot] + f.load[kRightFoot] + f.load[kLeftToes] + f.load[kRightToes];
  if (v > 0.6 && onfeet > 0.5 * f.weight && ahead < p_->x[8] * size_) enter(Stage::kStand);
  if (clock_ > 4) { ++tries_; enter(Stage::kFall); }
}

Vec3 Rise::hand_tip(const Frame& f, int side) const {
  const auto lower = std::size_t(biped_.link[std::size_t(kLeftLowerArm + side)]);
  const auto& shape = creature_->model->links[lower].shapes[0];
  const Vec3 tip = shape.b.z() < shape.a.z() ? shape.b : shape.a;
  return f.links[lower].position + f.links[lower].rotation * tip;
}

void Rise::stand(Frame& f) {
  const double standing = creature_->standing_height;
  const Vec3 feet = 0.5 * (f.s.ankle[0] + f.s.ankle[1]);
  const Vec3 pelvis = f.links[0].position;
  const double ground = f.ground.height(feet.x(), feet.y());
  // heading from the feet
  const Vec3 toes = f.links[std::size_t(biped_.link[kLeftFoot])].rotation.col(0) + f.links[std::size_t(biped_.link[kRightFoot])].rotation.col(0);
  Vec3 forward(toes.x(), toes.y(), 0);
  forward.normalize();
  const Vec3 left = Vec3::UnitZ().cross(forward);
  const Mat3 level = (Mat3() << forward, left, Vec3::UnitZ()).finished();
  if (clock_ == 0) {
    extent_ = std::clamp((pelvis.z() - ground) / standing, 0.1, 0.9);
    pitch_ = std::atan2(f.pelvis.col(2).dot(forward), f.pelvis(2, 2));
  }
  const Vec3 xi = f.s.com + f.s.com_velocity / f.omega;
  const Vec3 off = xi - (feet + p_->x[9] * size_ * forward);
  const double ox = forward.dot(off), oy = left.dot(off);
  if (ox < 0.10 * size_ && ox > -0.06 * size_) extent_ = std::min(0.99, extent_ + p_->stand_rate * f.dt);
  const double up = extent_;
  const double lean = ramp(up, 0.98, 0.45);
  const Quat turn = Quat(level) * rotation_y(std::lerp(pitch_, 0.6 * lean, ramp(clock_, 0, 0.5)));
  set_spine(0, 0.6 * lean, 0);
  goal_[kHead] = Vec3(0, -0.5 * lean, 0);
  set_arms(0.15, -1.0 * lean - 0.2, 0, -0.4);
  Vec3 wanted = pelvis - p_->x[10] * ox * forward - p_->x[10] * oy * left;
  wanted.z() = ground + up * standing;
  stand_on(f, level, wanted, turn, 0);
  if (extent_ > 0.93 && f.s.com_velocity.norm() < 0.4 && f.torso(2, 2) > 0.9) { enter(Stage::kDone); return; }
  if (clock_ > 5 || (clock_ > 1 && pelvis.z() - ground < 0.15 * standing)) { ++tries_; enter(Stage::kFall); }
}

void Rise::update(physics::ArticulatedBody& body, const physics::GroundNow& ground,
                  const Goal& goal, double dt) {
  body.set_fine(false);
  Frame f{body, ground, goal, dt, observe(biped_, body), body.links(), {}, {}, {}, {}, 0, {}, {}, {}, 0, 0};
  f.torso = f.links[std::size_t(biped_.link[kTorso])].rotation;
  f.pelvis = f.links[0].rotation;
  // The way it faces while upright; the way its head points while it lies.
  const double upright = ramp(f.torso(2, 2), 0.5, 0.9);
  Vec3 way = (1 - upright) * f.torso.col(2) + upright * f.pelvis.col(0);
  way.z() = 0;
  f.forward = way.norm() > 1e-6 ? Vec3(way.normalized()) : Vec3::UnitX();
  f.left = Vec3::UnitZ().cross(f.forward);
  f.height = ground.height(f.s.com.x(), f.s.com.y());
  f.weight = creature_->total_mass * physics::kGravity;
  f.omega = std::sqrt(physics::kGravity / std::max(0.2 * size_, f.s.com.z() - f.height));
  for (int side : {kLeft, kRight}) f.shoulder[std::size_t(side)] = joint_position(body, biped_.link[std::size_t(kLeftUpperArm + side)]);
  for (const auto& c : body.contacts())
    for (int part = 0; part < kPartCount; ++part)
      if (biped_.link[std::size_t(part)] == c.link) f.load[std::size_t(part)] += c.force.z();
  const Stage before = stage_;
  switch (stage_) {
    case Stage::kFall: fall(f); break;
    case Stage::kRoll: roll(f); break;
    case Stage::kGather: gather(f); break;
    case Stage::kRock: rock(f); break;
    case Stage::kStand:
    case Stage::kDone: stand(f); break;
  }
  if (stage_ == before) clock_ += dt;
  total_ += dt;
  drive(f, p_->rate);
  report_.com = f.s.com;
  report_.com_velocity = f.s.com_velocity;
}
}  // namespace promenade::control
