#include "world/ties/room_tie.h"

#include "physics/articulation.h"

namespace promenade::world {

bool RoomTie::lay_aside() {
  if (!of_scene) return false;
  over = tie.broken = true;
  tie.force.setZero();
  tie.torque.setZero();
  return true;
}

std::uint64_t RoomTie::digest() const {
  Hash hash;
  hash.add(std::uint64_t(id));
  hash.add((std::uint64_t(a) << 32) | b);
  hash_state(*this, hash);
  return hash.value();
}

void RoomTie::visit(StateVisitor& state) {
  constexpr std::size_t kSources = 5, kKinds = 5;
  state.choice(source, kSources);
  state.choice(type, kKinds + 1);
  if (type == TieType{0}) state.fail("has a number outside its range");
  state.choice(tie.kind, kKinds);
  state(of_scene, over, ends_at);
  for (physics::TieEnd* end : {&tie.a, &tie.b}) {
    state.choice(end->link, physics::kMaxLinks);
    state(end->frame.position, end->frame.rotation, end->velocity, end->omega);
  }
  state(tie.length, tie.stiffness, tie.damping, tie.limit, tie.turn_damping, tie.turn_limit,
        tie.turn_rate, tie.break_force, tie.collide, tie.broken, tie.force, tie.torque, tie.impulse,
        tie.impulse_dt);
}

}  // namespace promenade::world
