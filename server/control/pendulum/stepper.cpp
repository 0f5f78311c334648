#include "control/pendulum/stepper.h"

#include <algorithm>
#include <cmath>

#include "control/pendulum/step_law.h"
#include "control/pendulum/support.h"
#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kStopSpeed = 0.12;   // m/s: a slower stepper can stop
constexpr double kBraking = 2;        // times as fast as it speeds up
constexpr double kSlowestPace = 0.3;  // m/s, of a walk over ground that wants short steps
constexpr double kSteady = 0.05;      // m/s, of change in a step: the speed stays
constexpr double kSunk = 0.1;  // m: ground that rises faster in a step of time passes the foot
constexpr double kTorn = 1.3;  // share of the leg: a mass this high has torn the feet off
constexpr double kLookEvery = 0.25;  // s, between looks of a stepper that stands before a hole
constexpr int kLeftFoot = 0;

}  // namespace

void Stepper::face(double heading) {
  heading_ = heading;
  facing_ = Vec2(std::cos(heading), std::sin(heading));
}
Vec2 Stepper::to_heading(const Vec2& v) const {
  return {facing_.x() * v.x() + facing_.y() * v.y(), facing_.x() * v.y() - facing_.y() * v.x()};
}
Vec2 Stepper::to_world(const Vec2& v) const {
  return {facing_.x() * v.x() - facing_.y() * v.y(), facing_.y() * v.x() + facing_.x() * v.y()};
}
double Stepper::leg(int side) const { return body_->leg[std::size_t(side)] * (1 - gait_->crouch); }
double Stepper::rate() const {
  return fall_rate(std::max(0.3 * leg(stance_), com_.z() - cop_.z()));
}
StepTiming Stepper::timing() const {
  const double both = gait_->both_share * gait_->step_time;
  return {gait_->step_time - both, both};
}
double Stepper::share() const { return phase_ == Phase::kSwing ? swung_ : timed(); }

Vec2 Stepper::ball(int side) const {
  constexpr double kShare = 0.6;  // share of the radius
  return rotated(Vec2(kShare * body_->foot_radius, 0), feet_[std::size_t(side)].yaw);
}

physics::GroundPoint Stepper::bearer(const physics::GroundNow& ground, int side) const {
  const Vec3& at = feet_[std::size_t(side)].position;
  physics::GroundPoint found = ground.bearing(at.x(), at.y(), at.z() + kSunk);
  // Between two things the middle of the foot may be over nothing.
  if (!ground.tops) return found;
  const Vec2 ball = this->ball(side);
  for (const double sign : {1.0, -1.0}) {
    const Vec2 end = flat(at) + sign * ball;
    const physics::GroundPoint one = ground.bearing(end.x(), end.y(), at.z() + kSunk);
    if (one.there && (!found.there || one.height > found.height)) found = one;
  }
  return found;
}

bool Stepper::bears(const physics::GroundPoint& under, double height) const {
  constexpr double kDeep = 1.5;  // times the deepest step: a deeper one is a fall
  return under.there && under.height > height - kDeep * tuning_->step_down * body_->leg[0];
}

double Stepper::load(int side) const {
  if (phase_ == Phase::kFallen) return 0;
  if (phase_ == Phase::kSwing) return side == stance_ ? 1 : 0;
  const Vec2 a = flat(feet_[0].position), axis = flat(feet_[1].position) - a;
  const double length2 = axis.squaredNorm();
  const double right =
      length2 > 1e-6 ? std::clamp((flat(cop_) - a).dot(axis) / length2, 0.0, 1.0) : 0.5;
  return side == kLeftFoot ? 1 - right : right;
}

void Stepper::stand(const physics::GroundNow& ground, const Vec2& position, double heading) {
  *this = Stepper(*body_, *gait_, *tuning_);
  face(heading);
  double height = 0;
  for (int side = 0; side < 2; ++side) {
    Foot& foot = feet_[std::size_t(side)];
    const Vec2 at = position + to_world({0, side_of(side) * 0.5 * gait_->width});
    foot.position = {at.x(), at.y(), ground.height(at.x(), at.y())};
    foot.yaw = heading;
    height += 0.5 * (foot.position.z() + leg(side));
  }
  com_ = {position.x(), position.y(), height};
  cop_ = {position.x(), position.y(), height - 0.5 * (leg(0) + leg(1))};
  level_ = cop_.z();
  upright_ = height - cop_.z();
}

void Stepper::start(const physics::GroundNow& ground, const StepperStart& from) {
  *this = Stepper(*body_, *gait_, *tuning_);
  com_ = from.com;
  velocity_ = from.velocity;
  feet_ = from.feet;
  face(from.heading);
  stance_ = from.stance;
  steps_ = from.steps;
  aimed_velocity_ = aimed_before_ = from.aimed_velocity;
  mean_velocity_ = from.mean_velocity;
  for (int side = 0; side < 2; ++side) {
    if (!from.standing && !from.landing && side != stance_) continue;
    Foot& foot = feet_[std::size_t(side)];
    const physics::GroundPoint under = bearer(ground, side);
    if (under.there) foot.position.z() = under.height;
    foot.pitch = 0;
  }
  if (from.standing) {
    share_weight(flat(com_));
    cop_.head<2>() = flat(com_);
  } else {
    cop_ = feet_[std::size_t(stance_)].position;
    upright_ = leg(stance_);
    if (from.landing) {
      phase_ = Phase::kTransfer;
      duration_ = std::max(kLeastBoth, timing().both);
      time_ = from.phase * duration_;
      cop_from_ = cop_;
    } else {
      go_on_swinging(ground, from.phase, from.swung);
    }
  }
  level_ = cop_.z();
}

// With the foot in the air where it is, a share of the step over.
void Stepper::go_on_swinging(const physics::GroundNow& ground, double phase, double swung) {
  const int side = 1 - stance_;
  const double single = timing().single;
  lift(ground, side, single);
  swung_ = std::clamp(phase, 0.0, 0.9);
  time_ = swung_ * single;
  const physics::GroundPoint under = bearer(ground, side);
  if (under.there) from_.z() = to_.z() = under.height;
  aim(ground, Vec2::Zero(), Orbits(rate(), timing()));
  // Its path began where it has to pass here now.
  const Vec2 here = flat(feet_[std::size_t(side)].position);
  if (swung < 0.9) from_.head<2>() = (here - swung * flat(to_)) / (1 - swung);
}

void Stepper::turn(const Goal& goal, double dt) {
  const double feet = feet_[std::size_t(stance_)].yaw;
  double wanted = wrap_angle(goal.heading - heading_);
  wanted = std::clamp(wanted * 4, -tuning_->turn_rate, tuning_->turn_rate);
  const double lead = wrap_angle(heading_ - feet);
  if (lead * wanted > 0 && std::abs(lead) > tuning_->turn_lead) wanted = 0;
  heading_rate_ += std::clamp(wanted - heading_rate_, -8 * dt, 8 * dt);
  // The aimed velocity stays as it is in the world; only what is asked for turns.
  const Vec2 aimed = to_world(aimed_velocity_);
  face(wrap_angle(heading_ + heading_rate_ * dt));
  aimed_velocity_ = to_heading(aimed);
  Vec2 asked = goal.stand ? Vec2::Zero() : rotated(goal.velocity, goal.heading - heading_);
  asked_ = asked;
  const double speed = asked.norm();
  const double braking = speed < aimed_velocity_.norm() ? kBraking : 1;
  if (speed > cap_) asked *= cap_ / speed;
  const Vec2 change = asked - aimed_velocity_;
  const double most = braking * tuning_->acceleration * dt, size = change.norm();
  aimed_velocity_ += size > most ? Vec2(change * (most / size)) : change;
}

void Stepper::update(const physics::GroundNow& ground, const Goal& goal, const Vec3& force,
                     const Vec2& known, double dt) {
  if (phase_ == Phase::kFallen) return;
  turn(goal, dt);
  // Feet that stand go along with the ground.
  for (int side = 0; side < 2; ++side) {
    if (phase_ == Phase::kSwing && side != stance_) continue;
    Foot& foot = feet_[std::size_t(side)];
    const Vec3& at = foot.position;
    if (ground.is_bare(at.x(), at.y())) continue;
    const physics::GroundPoint under = bearer(ground, side);
    if (!bears(under, foot.position.z())) {
      // The ground that bore it is gone: a foot that carries lets the mass fall.
      if (load(side) < 0.5) continue;
      phase_ = Phase::kFallen;
      return;
    }
    foot.position += under.velocity * dt;
    foot.position.z() = under.height;
    foot.yaw += under.spin * dt;
  }
  time_ += dt;
  step_clock_ += dt;
  switch (phase_) {
    case Phase::kStand:
      hold(ground, goal, dt);
      break;
    case Phase::kShift:
      shift(ground, dt);
      break;
    case Phase::kSwing:
      swing(ground, known, dt);
      break;
    case Phase::kTransfer:
      transfer(ground, goal, dt);
      break;
    case Phase::kFallen:
      break;
  }
  move_mass(force, dt);
  travelled_ += to_heading(flat(velocity_)) * dt;
  // It falls when too low, or further from its footing than any leg reaches.
  const Vec3 away = com_ - cop_;
  const bool low = away.z() < tuning_->fall_share * leg(stance_);
  const bool flung = away.z() > kTorn * body_->leg[std::size_t(stance_)];
  if (low || flung || flat(away).norm() > leg(stance_)) phase_ = Phase::kFallen;
}

void Stepper::hold(const physics::GroundNow& ground, const Goal& goal, double dt) {
  const Vec2 a = flat(feet_[0].position), b = flat(feet_[1].position);
  const Support support{a, b, parts_.feet ? body_->foot_radius : 0.0};
  const Vec2 middle = 0.5 * (a + b);
  const Vec2 x = flat(com_), v = flat(velocity_);
  const double w = rate();
  // Ankle torque, eq. 5.3, as the centre of pressure that it means: tau / (m g) from the mass.
  const Vec2 lean = x - middle;
  Vec2 cop = middle;
  if (parts_.ankle_torque)
    cop = middle + tuning_->ankle_stiffness * lean + tuning_->ankle_damping * v / w;
  share_weight(support.nearest(cop));

  const Vec2 captured = x + v / w;
  const bool lost = support.distance(captured) > 0 || !parts_.ankle_torque || !parts_.feet;
  const bool go = !goal.stand && goal.velocity.squaredNorm() > 1e-4;
  still_ = parts_.comfort && !is_comfortable() ? still_ + dt : 0;
  if (!go) barred_ = false;
  way_ = {};
  if (!lost && !go && still_ < tuning_->comfort_wait) return;
  // The foot to step with: where it is about to fall, the one on that side; else the one further
  // back, or the one that stands less well.
  const Vec2 out = to_heading(captured - middle), apart = to_heading(a - b);
  int foot;
  if (lost && std::abs(out.y()) > 0.6 * std::abs(out.x())) {
    foot = out.y() > 0 ? 0 : 1;
  } else if (lost || go) {
    const double along = (lost ? out.x() : aimed_velocity_.x() + goal.velocity.x());
    if (std::abs(apart.x()) > 0.05)
      foot = apart.x() * along > 0 ? 1 : 0;
    else
      foot = std::abs(goal.velocity.y()) > std::abs(goal.velocity.x())
                 ? (goal.velocity.y() > 0 ? 0 : 1)
                 : (wrap_angle(goal.heading - heading_) > 0 ? 0 : int(steps_ & 1));
  } else {
    const double left = std::abs(wrap_angle(feet_[0].yaw - heading_)) -
                        std::abs(wrap_angle(feet_[1].yaw - heading_));
    foot = std::abs(left) > 0.05 ? (left > 0 ? 0 : 1) : (apart.x() < 0 ? 0 : 1);
  }
  // It does not set out to where it could not go on.
  if (go && !lost) {
    look_in_ -= dt;
    if (look_in_ > 0) return;
    look_in_ = kLookEvery;
    barred_ = is_barred(ground, foot, asked_);
    if (barred_) return;
    look_in_ = 0;
  }
  still_ = 0;
  stance_ = 1 - foot;
  if (lost) return lift(ground, foot, timing().single);
  phase_ = Phase::kShift;
  time_ = 0;
  duration_ = 1.2;
}

// Both feet stand and carry so that the centre of pressure is where it is told.
void Stepper::share_weight(const Vec2& cop) {
  const Vec2 a = flat(feet_[0].position), axis = flat(feet_[1].position) - a;
  const double length2 = axis.squaredNorm();
  const double t = length2 > 0 ? std::clamp((cop - a).dot(axis) / length2, 0.0, 1.0) : 0.5;
  cop_ = {cop.x(), cop.y(), (1 - t) * feet_[0].position.z() + t * feet_[1].position.z()};
  upright_ = (1 - t) * leg(0) + t * leg(1);
}

// Where the mass is about to fall (x + v / w) from the foot that stands when a steady step of that
// speed begins. Heading frame.
Vec2 Stepper::lift_off(int stance, const Vec2& velocity) const {
  const double w = rate();
  const StepTiming timing = this->timing();
  const Orbits orbits(w, timing);
  const OrbitPoint ahead = orbits.ahead(velocity.x() * timing.whole());
  const OrbitPoint aside = orbits.ahead(velocity.y() * timing.whole());
  const OrbitPoint sway = orbits.sway(side_of(stance) * gait_->width);
  return {-ahead.offset + ahead.velocity / w,
          sway.offset - sway.velocity / w - aside.offset + aside.velocity / w};
}

void Stepper::shift(const physics::GroundNow& ground, double) {
  const int other = 1 - stance_;
  const Vec2 stand = flat(feet_[std::size_t(stance_)].position);
  const Vec2 free = flat(feet_[std::size_t(other)].position);
  const Vec2 captured = flat(com_) + flat(velocity_) / rate();
  const Support support{stand, free, body_->foot_radius};
  if (support.distance(captured) > 0) return lift(ground, other, timing().single);
  // The pressure goes to the other side of where the mass is about to fall: from there it falls
  // towards the foot that is to stand alone.
  const Vec2 error = to_heading(captured - stand) - lift_off(stance_, {tuned_velocity().x(), 0});
  share_weight(support.nearest(captured + to_world(error * 3)));
  const double side = side_of(stance_);
  const bool over = error.y() * side > -0.01;  // far enough to the side
  const bool behind = error.x() < -(body_->foot_radius - kMargin);
  if ((over && !behind) || time_ > duration_) lift(ground, other, timing().single);
}

void Stepper::lift(const physics::GroundNow& ground, int side, double duration) {
  (void)ground;
  stance_ = 1 - side;
  phase_ = Phase::kSwing;
  time_ = swung_ = 0;
  duration_ = planned_ = duration;
  const Foot& foot = feet_[std::size_t(side)];
  from_ = foot.position;
  to_ = foot.position;
  has_foothold_ = true;
  looked_ = false;
  from_yaw_ = foot.yaw;
  to_yaw_ = heading_;
}

void Stepper::swing(const physics::GroundNow& ground, const Vec2& known, double dt) {
  const int side = 1 - stance_;
  const Foot& stand = feet_[std::size_t(stance_)];
  cop_ = stand.position;
  const Orbits orbits(rate(), timing());
  aim(ground, known, orbits);
  // In a hurry the foot swings faster from there on; it never jumps.
  swung_ += (1 - swung_) * dt / std::max(dt, duration_ - time_ + dt);
  if (parts_.ankle_torque && parts_.feet) {
    // The pressure makes up for a foothold that is off: it moves under the sole so that the next
    // touch down is nearer to the walk that is wanted.
    const double w = rate();
    const StepTiming timing = this->timing();
    const double left = std::max(0.05, duration_ - time_);
    const double sign = side_of(stance_);
    const OrbitPoint ahead = orbits.ahead(tuned_velocity().x() * timing.whole());
    const OrbitPoint aside = orbits.ahead(tuned_velocity().y() * timing.whole());
    const OrbitPoint sway = orbits.sway(sign * gait_->width);
    const Vec2 wanted(ahead.offset + ahead.velocity / w,
                      aside.offset + sway.offset + (aside.velocity + sway.velocity) / w);
    const Vec2 x = to_heading(flat(com_ - stand.position)) + against(known, com_.z() - cop_.z()),
               v = to_heading(flat(velocity_));
    const double grown = std::exp(w * left);
    const Vec2 captured = (x + v / w) * grown;
    Vec2 offset = (captured - wanted) / (grown - 1);
    if (way_.count > 0) offset = to_heading(pressure_for_way(way_, left));
    const double most = body_->foot_radius - kMargin;
    if (offset.norm() > most) offset *= most / offset.norm();
    const Vec2 out = to_world(offset);
    cop_ += Vec3(out.x(), out.y(), 0);
  }
  upright_ = leg(stance_);
  Foot& foot = feet_[std::size_t(side)];
  const SwingPoint point = swing_point(from_, to_, from_yaw_, to_yaw_, gait_->swing, share());
  foot.position = point.position;
  foot.yaw = point.yaw;
  foot.pitch = point.pitch;
  // Without a place for the foot the mass goes on over the other one until there is one, or it has
  // fallen. Source: Kenwright2014 §3.4.8.
  if (has_foothold_ && duration_ - time_ < 0.5 * dt) land();
}

void Stepper::land() {
  const int side = 1 - stance_;
  Foot& foot = feet_[std::size_t(side)];
  foot.position = to_;
  foot.yaw = to_yaw_;
  foot.pitch = 0;
  cop_from_ = cop_;
  ++steps_;
  const Vec2 apart = to_heading(flat(foot.position - feet_[std::size_t(stance_)].position));
  step_length_ = apart.x();
  if (step_clock_ > 0.05) {
    const Vec2 step_mean = travelled_ / step_clock_;
    mean_velocity_ = 0.5 * (mean_velocity_ + step_mean);
    // While the speed that is asked for changes, the difference is none to learn from.
    const bool steady = (aimed_velocity_ - aimed_before_).norm() < kSteady;
    aimed_before_ = aimed_velocity_;
    for (int i = 0; steady && i < 2; ++i)
      bias_[i] =
          std::clamp(bias_[i] + tuning_->speed_feedback * (aimed_velocity_[i] - mean_velocity_[i]),
                     -tuning_->speed_feedback_limit, tuning_->speed_feedback_limit);
  }
  // Footholds that are nearer than wanted, as on steep stairs, ask for a slower walk.
  if (barred_)
    cap_ = 0;
  else
    cap_ = short_by_ > 0.03
               ? std::min(cap_, std::max(kSlowestPace, apart.norm() / timing().whole()))
               : std::min(kNoCap, std::max(cap_, kSlowestPace) * 1.2);
  travelled_.setZero();
  step_clock_ = 0;
  phase_ = Phase::kTransfer;
  time_ = 0;
  duration_ = std::max(kLeastBoth, timing().both);
}

void Stepper::transfer(const physics::GroundNow& ground, const Goal& goal, double) {
  const int next = 1 - stance_;
  const Vec3& old = feet_[std::size_t(stance_)].position;
  const Vec3& fresh = feet_[std::size_t(next)].position;
  const double t = share();
  cop_ = cop_from_ + t * (fresh - cop_from_);
  upright_ = (1 - t) * leg(stance_) + t * leg(next);
  if (t < 1) return;
  const bool stop = (goal.stand || barred_) && aimed_velocity_.norm() < 0.05;
  if (stop && parts_.feet && parts_.ankle_torque) {
    const Support support{flat(old), flat(fresh), body_->foot_radius - kMargin};
    const Vec2 captured = flat(com_) + flat(velocity_) / rate();
    const Vec2 v = flat(velocity_);
    const bool beside = std::abs(to_heading(flat(fresh - old)).x()) < 0.12;
    if (support.distance(captured) == 0 && v.norm() < 4 * kStopSpeed && beside) {
      phase_ = Phase::kStand;
      time_ = 0;
      bias_.setZero();
      return;
    }
  }
  // It has not enough momentum to get over the new foot: the weight is shifted there with both feet
  // on the ground. Source: Kenwright2014 §6.3.1.
  const Vec2 captured = to_heading(flat(com_) + flat(velocity_) / rate() - flat(fresh));
  const Vec2 way = to_heading(flat(fresh - old));
  if (parts_.feet && parts_.ankle_torque && way.norm() > 0.1 &&
      captured.dot(way) / way.norm() < -body_->foot_radius - 0.05) {
    const Support support{flat(old), flat(fresh), body_->foot_radius};
    if (support.distance(flat(com_) + flat(velocity_) / rate()) == 0) {
      phase_ = Phase::kShift;
      stance_ = next;
      time_ = 0;
      duration_ = 1.2;
      return;
    }
  }
  lift(ground, stance_, timing().single);
}

void Stepper::visit(StateVisitor& state) {
  state.choice(phase_, 5);
  state(com_, velocity_);
  for (Foot& foot : feet_) foot.visit(state);
  trunk_.visit(state);
  state(heading_, heading_rate_, aimed_velocity_, aimed_before_, asked_);
  state.choice(stance_, 2);
  state.within(swung_, 0, 1);
  state(time_, duration_, planned_, from_, to_, from_yaw_, to_yaw_, cop_, cop_from_, ground_force_);
  state(level_, dip_, short_by_, cap_, upright_, bias_, travelled_, step_clock_, mean_velocity_,
        still_);
  state(steps_, step_length_, has_foothold_, looked_, look_in_, barred_);
  way_.visit(state);
  if (state.reading()) face(heading_);
}

bool Stepper::is_comfortable() const {
  const Vec2 apart = to_heading(flat(feet_[0].position - feet_[1].position));
  if (std::abs(apart.x()) > tuning_->comfort_distance) return false;
  if (std::abs(apart.y() - gait_->width) > tuning_->comfort_distance) return false;
  for (const Foot& foot : feet_)
    if (std::abs(wrap_angle(foot.yaw - heading_)) > tuning_->comfort_angle) return false;
  return true;
}

}  // namespace promenade::control::pendulum
