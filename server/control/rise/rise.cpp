#include "control/rise/rise.h"

#include <algorithm>
#include <cmath>

#include "control/rise/frame.h"

namespace promenade::control {

Rise::Rise(std::shared_ptr<const Creature> creature,
           std::shared_ptr<const RiseParameters> parameters)
    : p_(std::move(parameters)) {
  wanted_.fill(Vec3::Zero());
  target_.fill(Vec3::Zero());
  take_creature(std::move(creature));
}

void Rise::reset(const physics::ArticulatedBody& body, const Goal&) {
  for (std::size_t part = 1; part < kPartCount; ++part) {
    wanted_[part] = target_[part] = angles_of(body, int(part));
  }
  tries_ = 0;
  side_ = kLeft;
  pitch_ = 0;
  seat_.setZero();
  enter(Stage::kFall);
  const BipedState s = observe(biped_, body);
  report_ = ControlReport{};
  report_.com = s.com;
  report_.com_velocity = s.com_velocity;
  report_.capture_point = s.com.head<2>();
  report_.heading = s.heading;
}

void Rise::set_creature(std::shared_ptr<const Creature> creature,
                        const physics::ArticulatedBody& state) {
  take_creature(std::move(creature));
  for (std::size_t part = 1; part < kPartCount; ++part) target_[part] = angles_of(state, int(part));
  enter(Stage::kFall);
}

void Rise::enter(Stage stage) {
  stage_ = stage;
  clock_ = done_ = quiet_ = 0;
  if (stage != Stage::kFall) legs_ = arms_ = 1;
}

void Rise::try_again(Stage stage) {
  ++tries_;
  enter(stage);
}

Rise::Frame Rise::frame_of(physics::ArticulatedBody& body, const physics::GroundNow& ground,
                           double dt) const {
  Frame f{body, ground, dt, observe(biped_, body), body.links(), {}, {}, {}, {}, {}};
  f.torso = f.links[std::size_t(biped_.link[kTorso])].rotation;
  f.pelvis = f.links[0].rotation;
  const double upright = ramp(f.torso(2, 2), 0.5, 0.9);
  Vec3 way = (1 - upright) * f.torso.col(2) + upright * f.pelvis.col(0);
  way.z() = 0;
  way = way.norm() > 1e-6 ? Vec3(way.normalized()) : Vec3(Vec3::UnitX());
  f.level << way, Vec3::UnitZ().cross(way), Vec3::UnitZ();
  for (const int side : {kLeft, kRight}) {
    const auto k = std::size_t(side);
    f.shoulder[k] = joint_position(body, biped_.link[kLeftUpperArm + k]);
    f.ball[k] = joint_position(body, biped_.link[kLeftToes + k]);
    f.on_feet += std::max(0.0, f.s.foot_force[k].z());
  }
  const double height = f.s.com.z() - f.height(f.s.com);
  f.omega = std::sqrt(physics::kGravity / std::max(0.2 * size_, height));
  return f;
}

void Rise::update(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal&,
                  double dt) {
  body.set_fine(false);
  const Frame f = frame_of(body, ground, dt);
  const Stage before = stage_;
  switch (stage_) {
    case Stage::kFall:
      fall(f);
      break;
    case Stage::kRoll:
      roll(f);
      break;
    case Stage::kGather:
      gather(f);
      break;
    case Stage::kRock:
      rock(f);
      break;
    case Stage::kStand:
    case Stage::kUp:
      stand(f);
      break;
  }
  if (stage_ == before) clock_ += dt;
  drive(f);
  report_.com = f.s.com;
  report_.com_velocity = f.s.com_velocity;
  report_.capture_point = f.capture_point().head<2>();
  report_.heading = f.s.heading;
  report_.foot_force = f.s.foot_force;
  report_.foot_on_ground = f.s.on_ground;
}

void Rise::visit(StateVisitor& state) {
  state.choice(stage_, kStages);
  state(clock_, done_, quiet_, tries_);
  state.choice(side_, 2);
  state(pitch_, seat_, legs_, arms_, wanted_, target_);
  report_.visit(state);
}

}  // namespace promenade::control
