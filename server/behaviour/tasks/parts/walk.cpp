#include "behaviour/tasks/parts/walk.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::behaviour::tasks {

void Walk::begin_task() {
  stand_.short_by = 0;
  approach_.begin();
  crossing_ = false;
}

void Walk::set_out(const Now& now, Approach::Manner manner) {
  approach_.begin(manner);
  way_ = (stand_.place - now.self.position).norm();
}

bool Walk::takes_too_long(const Now& now, double speed, double since) const {
  const v1::WalkToWorkParameters& p = now.parameters.walk();
  const double slow = now.slow();
  const double least = speed > 0 ? std::min(p.slow_way_mps() * slow, p.slow_share() * speed)
                                 : p.slow_way_mps() * slow;
  return since > slow * p.besides_s() + way_ / least;
}

control::Goal Walk::update(const Now& now, const Carried& carried, double speed, ThingId except) {
  const v1::WalkToWorkParameters& p = now.parameters.walk();
  std::array<Neighbour, kMaxNeighbours> kept;
  std::size_t count = 0;
  ThingSeen thing;
  const bool known = except != 0 && now.place.see(except, thing) && !thing.character;
  Stand stand = stand_;
  double nearest = 1e9;
  for (const Neighbour& other : now.around.neighbours) {
    const Vec2 apart = other.position - thing.middle().head<2>();
    const bool own =
        known && !other.character && apart.norm() < thing.half.norm() + p.own_margin_m();
    if (!own) kept[count++] = other;
    const double far = (other.position - now.self.position).norm();
    if (other.character || far >= nearest || (own && except == carried.thing)) continue;
    if (go_round(now, carried, other, &stand)) nearest = far;
  }
  // Slowly, so that it turns on a short way.
  if (nearest < p.round_ahead_m() * now.scale())
    speed = std::min(speed > 0 ? speed : now.self.cruise_speed, p.round_mps() * now.slow());
  if (carried.thing != 0) {
    const double share = p.load_slows() * carried.mass / now.body.mass;
    const double most = now.self.cruise_speed * std::max(p.least_pace(), 1 - share);
    speed = speed > 0 ? std::min(speed, most) : most;
  }
  control::Goal goal = walk_among(now, carried, stand, speed, std::span(kept).first(count));
  cross_edges(now, speed, &goal);
  hold_carried(now, carried, &goal);
  return goal;
}

control::Goal Walk::walk_among(const Now& now, const Carried& carried, const Stand& stand,
                               double speed, std::span<const Neighbour> neighbours) {
  const v1::WalkToWorkParameters& p = now.parameters.walk();
  Surroundings around = now.around;
  around.neighbours = neighbours;
  Self self = now.self;
  if (carried.thing != 0) self.radius += carried.ahead;
  control::Goal goal = approach_.update(now.parameters.approach(), stand, now.body.feet,
                                        now.body.standing, speed, self, around, now.dt);
  if (!approach_.near() && goal.velocity.x() > 0 && turns_before_something(now, carried))
    goal.velocity.x() = -p.turns_back_mps() * now.slow();
  return goal;
}

/// Walks straight on where there is an edge: a turn or a pause with one foot over it would make it
/// stumble.
void Walk::cross_edges(const Now& now, double speed, control::Goal* goal) {
  const bool walks = !goal->stand && goal->velocity.x() > 0;
  const bool crosses_now =
      (crossing_ || walks) && crosses(now, crossing_ ? cross_heading_ : goal->heading);
  if (crosses_now && !crossing_) cross_heading_ = goal->heading;
  crossing_ = crosses_now;
  if (!crossing_) return;
  goal->stand = false;
  goal->heading = cross_heading_;
  goal->velocity = Vec2(speed > 0 ? speed : now.self.cruise_speed, 0);
}

/// Whether it has to turn away from something that stands close before it: a walk in a curve would
/// lead into that.
bool Walk::turns_before_something(const Now& now, const Carried& carried) const {
  const v1::WalkToWorkParameters& p = now.parameters.walk();
  const Vec2 ahead = rotated(Vec2(1, 0), now.self.heading);
  const Vec2& wish = approach_.wish();
  if (wish.dot(ahead) > p.turns_away() * wish.norm()) return false;
  const double scale = now.scale();
  // It would step back over an edge.
  const double behind = now.place.ground(now.body.feet - p.turning_room_m() * scale * ahead);
  if (std::abs(behind - now.body.sole) > p.least_edge_m() * scale) return false;
  const double room =
      now.body.toes + p.turning_room_m() * scale + (carried.thing != 0 ? carried.ahead : 0);
  for (const double far : {now.body.toes, 0.5 * (now.body.toes + room), room}) {
    for (const double aside : {-0.5 * p.body_aside_m(), 0.0, 0.5 * p.body_aside_m()}) {
      const Vec2 at = now.body.feet + far * ahead + aside * scale * Vec2(-ahead.y(), ahead.x());
      if (now.place.height(at, carried.thing) > now.place.ground(at) + p.least_edge_m() * scale)
        return true;
    }
  }
  return false;
}

/// Whether there is an edge of the ground close before the feet or behind them, to be stepped over,
/// onto or down.
bool Walk::crosses(const Now& now, double heading) const {
  const v1::WalkToWorkParameters& p = now.parameters.walk();
  const double scale = now.scale();
  const Vec2 ahead = rotated(Vec2(1, 0), heading);
  const int from = -int(p.crosses_to_m() / p.edge_every_m()),
            to = int(p.crosses_from_m() / p.edge_every_m());
  double before = now.place.ground(now.body.feet + from * p.edge_every_m() * scale * ahead);
  for (int k = from + 1; k <= to; ++k) {
    const double here = now.place.ground(now.body.feet + k * p.edge_every_m() * scale * ahead);
    const double high = std::abs(here - before);
    if (high > p.least_edge_m() * scale && high < p.most_edge_m() * scale) return true;
    before = here;
  }
  return false;
}

/// Where to go first, if a thing is between here and `stand_`.
bool Walk::go_round(const Now& now, const Carried& carried, const Neighbour& thing,
                    Stand* stand) const {
  const v1::WalkToWorkParameters& p = now.parameters.walk();
  const double scale = now.scale();
  const Vec2 way = stand_.place - now.self.position, to_thing = thing.position - now.self.position;
  const double aside = p.body_aside_m() * scale + (carried.thing != 0 ? carried.ahead : 0);
  const double clear = std::min(thing.radius + aside,
                                (stand_.place - thing.position).norm() - p.past_stand_m() * scale);
  const double along = way.dot(to_thing) / std::max(way.squaredNorm(), 1e-9);
  const Vec2 passed = std::min(along, 1.0) * way - to_thing;
  if (along <= 0 || passed.norm() >= clear) return false;
  const double far = std::max(to_thing.norm(), 1e-6);
  const double left = to_thing.x() * way.y() - to_thing.y() * way.x() > 0 ? 1 : -1;
  const double turn = far > clear ? std::asin(clear / far) : kPi / 2;
  const Vec2 round = rotated(Vec2(to_thing / far), left * turn);
  stand->place = now.self.position + p.round_ahead_m() * scale * round;
  stand->heading = std::atan2(round.y(), round.x());
  return true;
}

void Walk::visit(StateVisitor& state) {
  state(stand_.place, stand_.heading, stand_.short_by);
  approach_.visit(state);
  state(way_, cross_heading_, crossing_);
}

}  // namespace promenade::behaviour::tasks
