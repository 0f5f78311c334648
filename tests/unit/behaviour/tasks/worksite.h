#pragma once

#include <algorithm>
#include <map>
#include <span>

#include "behaviour/tasks/parameters.h"
#include "behaviour/tasks/parts/work.h"
#include "behaviour/tasks/task.h"
#include "math/rotation.h"
#include "support/paths.h"

namespace promenade::behaviour::tasks::testing {

/// Level ground with boxes on it, and a human who is moved as the goals say: the feet walk, the
/// palms are where they are to be, and hands grip and let go as they are told. No physics.
class Worksite : public Workplace {
 public:
  static constexpr double kStep = 1.0 / 60;  // s

  Worksite() {
    seen_.shoulder_height = 1.4;
    seen_.arm = 0.65;
    seen_.arms = {0.65, 0.65};
    seen_.low_shoulders = Vec2(0.45, 0.6);
    seen_.hand = 0.03;
    seen_.toes = 0.2;
    seen_.mass = 70;
    seen_.standing = true;
    place_body();
    for (const std::size_t side : {kLeft, kRight}) seen_.palm[side] = hanging(side);
  }

  const v1::TaskParameters& parameters() const override { return *numbers; }
  BodySeen body() const override { return seen_; }
  bool see(ThingId id, ThingSeen& out) const override {
    const auto found = things.find(id);
    if (found == things.end()) return false;
    out = found->second;
    return true;
  }
  bool see_link(ThingId id, std::size_t link, ThingSeen& out) const override {
    (void)link;
    return see(id, out);
  }
  ThingId taken_by(ThingId id) const override { return taken.contains(id) ? taken.at(id) : 0; }
  bool see_somebody(ThingId id, SomebodySeen& out) const override {
    if (id != kOther) return false;
    out = other;
    return true;
  }
  ThingId giver() const override { return gives ? kOther : 0; }
  bool bears(ThingId id) const override { return id == burdened; }
  double ground(const Vec2& at) const override {
    (void)at;
    return 0;
  }
  double height(const Vec2& at, ThingId except) const override {
    double out = 0;
    for (const auto& [id, thing] : things) {
      const Vec3 from = thing.in_link(Vec3(at.x(), at.y(), thing.middle().z())) - thing.center;
      if (id != except && (from.cwiseAbs() - thing.half).head<2>().maxCoeff() < 0)
        out = std::max(out, thing.middle().z() + thing.half.z());
    }
    return out;
  }

  static constexpr ThingId kOther = 90;  // the other person
  std::shared_ptr<const v1::TaskParameters> numbers =
      load_parameters(test::data_dir() / "tasks.json").value();
  std::map<ThingId, ThingSeen> things;
  std::map<ThingId, ThingId> taken;
  SomebodySeen other;
  bool gives = false;
  ThingId burdened = 0;  // bears another thing
  BodySeen& seen() { return seen_; }
  const Vec2& position() const { return position_; }
  double heading() const { return heading_; }

  ThingSeen& put_box(ThingId id, const Vec3& middle, const Vec3& half, double mass) {
    ThingSeen& box = things[id];
    box.position = middle;
    box.half = half;
    box.mass = mass;
    return box;
  }
  void place(const Vec2& at, double heading) {
    position_ = at;
    heading_ = heading;
    place_body();
  }
  Self self() const {
    Self out;
    out.position = position_;
    out.heading = heading_;
    return out;
  }
  /// What is round it, seen in an update.
  Surroundings around() const {
    Surroundings out;
    out.workplace = this;
    return out;
  }
  /// Moves the body and what it holds as one goal says.
  void follow(const control::Goal& goal, std::span<const HandOrder, 2> orders) {
    heading_ = wrap_angle(heading_ +
                          std::clamp(wrap_angle(goal.heading - heading_), -2 * kStep, 2 * kStep));
    if (!goal.stand) position_ += kStep * rotated(goal.velocity, goal.heading);
    seen_.standing = goal.stand;
    place_body();
    for (const std::size_t side : {kLeft, kRight}) move_hand(side, goal.hand[side], orders[side]);
    carry();
  }

 private:
  Vec3 hanging(std::size_t side) const {
    return seen_.shoulder[side] - Vec3(0, 0, 0.95 * seen_.arm);
  }
  void place_body() {
    seen_.feet = position_;
    for (const std::size_t side : {kLeft, kRight}) {
      const Vec2 aside = rotated(Vec2(0, side == kLeft ? 0.18 : -0.18), heading_);
      seen_.shoulder[side] = Vec3(position_.x() + aside.x(), position_.y() + aside.y(), 1.4);
    }
  }
  void move_hand(std::size_t side, const control::HandGoal& hand, const HandOrder& order) {
    using Frame = control::HandGoal::Frame;
    if (hand.frame == Frame::kWorld) seen_.palm[side] = hand.at;
    if (hand.frame == Frame::kChest)
      seen_.palm[side] = seen_.chest() + rotation_z(heading_) * hand.at;
    if (hand.frame == Frame::kFree) seen_.palm[side] = hanging(side);
    if (order.kind == HandOrder::Kind::kLetGo) seen_.holds[side] = 0;
    if (order.kind == HandOrder::Kind::kGrip) {
      seen_.holds[side] = order.thing;
      grip_ = 0.5 * (seen_.palm[kLeft] + seen_.palm[kRight]) - things[order.thing].position;
    }
  }
  /// What both hands hold hangs between them, and what they have put on the ground stays there.
  void carry() {
    const ThingId held = seen_.holds[kLeft];
    if (held == 0 || held != seen_.holds[kRight]) return;
    ThingSeen& thing = things[held];
    thing.position = 0.5 * (seen_.palm[kLeft] + seen_.palm[kRight]) - grip_;
    const double lowest = height(thing.position.head<2>(), held) + thing.half.z();
    const bool rests = thing.position.z() <= lowest;
    thing.position.z() = std::max(thing.position.z(), lowest);
    for (const std::size_t side : {kLeft, kRight})
      seen_.force[side] = rests ? Vec3(0, 0, 0) : Vec3(0, 0, -0.5 * 9.81 * thing.mass);
  }

  BodySeen seen_;
  Vec2 position_ = Vec2::Zero();
  double heading_ = 0;
  Vec3 grip_ = Vec3::Zero();  // m, from the middle of the thing to that of the palms
};

}  // namespace promenade::behaviour::tasks::testing
