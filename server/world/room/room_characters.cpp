// The characters of a room: adding, finding, restarting.
#include <algorithm>
#include <cmath>

#include "math/random.h"
#include "world/room/room_impl.h"
#include "world/scene/placement.h"

namespace promenade::world {

void Room::Impl::follow_start_order(Entity& e) const {
  e.follow(behaviour::make_behaviour(e.start_order, {e.id, e.start_position, e.start_heading,
                                                     Random::stream(settings.seed, e.id)}));
}

Entity& Room::Impl::make(const CharacterPlan& plan) {
  auto body = plan.body_definition ? plan.body_definition : library->find_creature(plan.body);
  const control::Family& family = plan.family ? *plan.family : control::default_family(*body->body);
  auto style = plan.style_definition ? plan.style_definition
               : family.styled       ? library->find_style(plan.style)
                                     : nullptr;
  auto e = std::make_unique<Entity>(occupants.next_id++, std::move(body), std::move(style), family,
                                    library->controllers());
  if (family.plays_gaits) {
    e->set_gait(plan.gait.empty() ? library->usual_gait(*e->body) : library->find_gait(plan.gait));
  }
  e->start_order = plan.order;
  e->start_heading = plan.heading;
  occupants.entities.add(std::move(e));
  bodies_changed();
  return *occupants.entities.back();
}

void Room::Impl::set_down(Entity& e, const Vec2& place, double heading) {
  e.place(ground_and_tops(), place, heading);
  follow_start_order(e);
  if (levels.in_physics() == 0 || e.level != Level::kAuto || !e.may_be_light()) return;
  e.wants_light = true;
  e.simplify(ground_and_tops());
}

Entity& Room::Impl::add(const CharacterPlan& plan) {
  Entity& e = make(plan);
  e.start_position = free_place(plan.position.value_or(Vec2::Zero()), e.radius, view().ground_now(),
                                courses.obstacles(), occupants.entities, &e);
  set_down(e, e.start_position, plan.heading);
  ties.add_own(e, view());
  return e;
}

void Room::Impl::send_away(Entity& e) {
  ties.release_all(e.id);
  e.away = true;
  e.fallen = e.down = e.risen = e.quarantined = false;
  e.rise.reset();
  e.leaves_at = e.back_at = 0;
  e.person = 0;
  e.pushes.clear();
}

void Room::Impl::restart(Entity& e) {
  ties.end_loose(e.id);
  if (e.of_flow()) return send_away(e);
  const Vec2 place = free_place(e.start_position, e.radius, view().ground_now(),
                                courses.obstacles(), occupants.entities, &e);
  e.place(ground_and_tops(), place, e.start_heading);
  ties.bring_back_own(e.id);
  follow_start_order(e);
}

void Room::Impl::get_up(Entity& e) {
  ties.end_loose(e.id);
  const Vec2 place = free_place(e.last_position, e.radius, view().ground_now(), courses.obstacles(),
                                occupants.entities, &e, &occupants.props);
  e.place(ground_and_tops(), place, e.last_heading);
  e.came_back = tick_number;
  ties.bring_back_own(e.id);
  // Goes on as Entity::go_on() does.
  if (!e.follows<behaviour::Direct>()) e.behaviour->relocated(e.self());
}

}  // namespace promenade::world
