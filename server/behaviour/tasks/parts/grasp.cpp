#include "behaviour/tasks/parts/grasp.h"

#include "physics/gravity.h"

namespace promenade::behaviour::tasks {

double time_to_grip(const Now& now) {
  const v1::GraspParameters& p = now.parameters.grasp();
  return p.grip_in_s() * now.slow();
}

void Grasp::set_out(const Now& now, const ThingSeen& thing) {
  for (const std::size_t side : {kLeft, kRight}) {
    const double way = (thing.at(at[side]) - now.body.palm[side]).norm();
    path[side].begin(now.body.palm[side],
                     time_of_way(now.parameters.hand_path(), way, now.scale()));
  }
}

void Grasp::begin(const Now& now, double time) {
  for (const std::size_t side : {kLeft, kRight}) path[side].begin(now.body.palm[side], time);
}

/// Moves a palm on its way to its place, or so far beside it.
/// @param beside  m
/// @return the place, world
Vec3 Grasp::move(const Now& now, const ThingSeen& thing, std::size_t side, double beside,
                 control::Goal* goal) {
  Vec3 place = thing.at(at[side]);
  const Vec3 out = (place - thing.at(at[1 - side])).normalized();
  const Vec3 away = beside > 0 ? Vec3(beside * out) : Vec3(Vec3::Zero());
  goal->hand[side] = path[side].move(now.parameters.hand_path(), control::HandGoal::Frame::kWorld,
                                     place + away, thing.velocity_at(at[side]), now.dt);
  goal->hand[side].expected = 0.5 * thing.mass * physics::kGravity;
  return place;
}

bool Grasp::wait_beside(const Now& now, const ThingSeen& thing, double since, control::Goal* goal) {
  const v1::GraspParameters& p = now.parameters.grasp();
  const double beside = p.beside_side_m() * now.scale();
  bool ready = true;
  for (const std::size_t side : {kLeft, kRight}) {
    const Vec3 place = move(now, thing, side, beside, goal);
    const double missing = (now.body.palm[side] - place).norm();
    // A body that still bends would push what it holds with stretched arms.
    const double sways = (now.self.velocity - thing.velocity_at(at[side]).head<2>()).norm();
    ready =
        ready && path[side].arrived() &&
        ((missing < 2 * p.beside_side_m() * now.scale() && sways < p.still_mps() * now.slow()) ||
         since > time_to_grip(now));
  }
  return ready;
}

bool Grasp::take_hold(const Now& now, const ThingSeen& thing, ThingId id, Work& work,
                      control::Goal* goal) {
  const v1::GraspParameters& p = now.parameters.grasp();
  bool ready = true;
  for (const std::size_t side : {kLeft, kRight}) {
    const Vec3 place = move(now, thing, side, 0, goal);
    const double missing = (now.body.palm[side] - place).norm();
    const bool holds = now.body.holds[side] == id;
    if (!holds && path[side].arrived() && missing < p.grip_from_m() * now.scale())
      work.orders[side] = grip_here(now, side, id, thing);
    ready = ready && holds;
  }
  return ready;
}

void Grasp::visit(StateVisitor& state) {
  state(at);
  for (HandPath& one : path) one.visit(state);
}

HandOrder grip_here(const Now& now, std::size_t side, ThingId id, const ThingSeen& thing) {
  return {HandOrder::Kind::kGrip, id, thing.in_link(now.body.palm[side]), 0,
          now.parameters.abilities().hand_force_n()};
}

const char* why_not_taken(const Now& now, const Work& work, const ThingSeen& thing, ThingId id,
                          double force) {
  if (work.carried.thing != 0) return "the hands are full";
  if (thing.character) return "it is somebody";
  if (thing.fixed) return "it is fixed";
  if (force > now.parameters.abilities().hand_force_n()) return "it is too heavy";
  if (now.place.taken_by(id) != 0) return "somebody else has it";
  if (work.attempt.tries > now.parameters.tries().most_tries()) return "it cannot be gripped";
  return nullptr;
}

}  // namespace promenade::behaviour::tasks
