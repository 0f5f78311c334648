#include <algorithm>
#include <cmath>
#include <span>

#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "world/room/room_impl.h"
#include "world/showing/measured.h"

namespace promenade::world {
namespace {

constexpr std::size_t kFew = 300;  // characters that are all posed each time

void write_coordinates(const physics::ArticulationModel& model, const physics::ArticulationState& s,
                       float* out) {
  const auto& links = model.links;
  for (std::size_t i = 1; i < links.size(); ++i) {
    switch (links[i].joint) {
      case physics::JointKind::kHinge:
      case physics::JointKind::kSlider:
        *out++ = float(s.angle[i].x());
        break;
      case physics::JointKind::kUniversal:
        *out++ = float(s.angle[i].y());
        *out++ = float(s.angle[i].x());
        break;
      case physics::JointKind::kBall: {
        const Vec3 v = rotation_vector(s.joint[i]);
        for (int k = 0; k < 3; ++k) *out++ = float(v[k]);
        break;
      }
      case physics::JointKind::kFree:
      case physics::JointKind::kPlanar:
      case physics::JointKind::kFixed:
        break;  // roots
    }
  }
}

std::uint32_t joint_coordinates(const physics::ArticulationModel& model) {
  return std::uint32_t(model.dof_count - physics::dof_of(model.links[0].joint));
}

// Lengths as in Roster::lengths.
std::vector<bool> lengths_of(const physics::ArticulationModel& model) {
  std::vector<bool> out;
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const physics::JointType& type = physics::type_of(model.links[i].joint);
    out.insert(out.end(), std::size_t(type.dof), type.linear);
  }
  if (std::find(out.begin(), out.end(), true) == out.end()) out.clear();
  return out;
}

void add_energies(const physics::ArticulatedBody& body, CharacterSnapshot& out) {
  const auto& links = body.model().links;
  const auto motions = body.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const physics::LinkMotion& m = motions[i];
    const Vec3 spin = m.rotation.transpose() * m.omega;
    out.kinetic_energy += 0.5 * links[i].mass * m.velocity.squaredNorm() +
                          0.5 * spin.dot(links[i].inertia.cwiseProduct(spin));
    out.potential_energy += links[i].mass * physics::kGravity * m.position.z();
  }
}

}  // namespace

std::shared_ptr<const Roster> Room::Impl::make_roster() const {
  auto made = std::make_shared<Roster>();
  made->version = roster.version();
  made->epoch = epoch;
  made->scene = scene->name();
  made->bodies = library->body_list();
  const std::size_t built_in = made->bodies.size();
  made->scene_tick = scene_tick;
  if (crowd.given().message) made->flow = crowd.given().message->SerializeAsString();
  made->flow_tick = crowd.replaced() ? crowd.since() : scene_tick;
  made->course = courses.blocks();
  for (const auto& e : occupants.entities) {
    RosterEntry entry;
    entry.id = e->id;
    entry.color = e->body->color;
    entry.controller = e->family->name;
    entry.coordinates = joint_coordinates(*e->body->model);
    entry.body_definition = e->body_definition;
    if (e->family->styled) {
      entry.style = e->style_definition->style->name;
      entry.style_definition = e->style_definition;
    }
    if (e->family->plays_gaits) entry.gait_definition = e->gait_definition;
    auto in_library = made->bodies.begin() + std::ptrdiff_t(built_in);
    auto found = e->body_definition->origin == Origin::kBuiltIn
                     ? std::find(made->bodies.begin(), in_library, e->body)
                     : std::find(in_library, made->bodies.end(), e->body);
    if (found == made->bodies.end()) {
      made->bodies.push_back(e->body);
      found = made->bodies.end() - 1;
    }
    entry.body = int(found - made->bodies.begin());
    made->entries.push_back(std::move(entry));
  }
  add_things(*made, built_in);
  return made;
}

void Room::Impl::add_things(Roster& made, std::size_t built_in) const {
  for (const auto& prop : occupants.props) {
    const auto in_more = made.bodies.begin() + std::ptrdiff_t(built_in);
    auto found = std::find(in_more, made.bodies.end(), prop->body);
    if (found == made.bodies.end()) {
      made.bodies.push_back(prop->body);
      found = made.bodies.end() - 1;
    }
    made.things.push_back({prop->id, int(found - made.bodies.begin()), prop->color,
                           joint_coordinates(*prop->body->model), prop->body_definition});
  }
  for (const auto& tie : ties.all()) {
    if (tie->source == RoomTie::Source::kDrag || tie->over) continue;
    const auto end = [this](CharacterId id, const physics::TieEnd& of) -> TieEntry::End {
      const Occupant* one = id == 0 ? nullptr : occupants.find_occupant(id);
      return {id, one ? one->body->link_names[std::size_t(of.link)] : "", of.frame.position};
    };
    made.ties.push_back(
        {tie->id, tie->source == RoomTie::Source::kGrip || tie->source == RoomTie::Source::kHand,
         tie->type, end(tie->a, tie->tie.a), end(tie->b, tie->tie.b)});
  }
  for (const auto& body : made.bodies) made.lengths.push_back(lengths_of(*body->model));
}

void Room::Impl::show_things(Snapshot* out) const {
  out->things.resize(occupants.props.size());
  std::uint32_t coordinates = 0;
  for (std::size_t i = 0; i < occupants.props.size(); ++i) {
    out->things[i].first_coordinate = coordinates;
    coordinates += joint_coordinates(*occupants.props[i]->body->model);
  }
  out->thing_coordinates.resize(coordinates);
  for (std::size_t i = 0; i < occupants.props.size(); ++i) {
    const Prop& prop = *occupants.props[i];
    ThingSnapshot& thing = out->things[i];
    thing.id = prop.id;
    thing.root = prop.physics.state().root;
    thing.asleep = prop.asleep;
    thing.slept_at = prop.slept_at;
    write_coordinates(prop.physics.model(), prop.physics.state(),
                      out->thing_coordinates.data() + thing.first_coordinate);
  }
}

// Its root and joints.
void Room::Impl::show_pose(std::size_t index, const Onlookers& onlookers, Snapshot* out) const {
  const Entity& e = *occupants.entities[index];
  CharacterSnapshot& c = out->characters[index];
  float* coordinates = out->coordinates.data() + c.first_coordinate;
  if (!e.kinematic()) {
    shown.forget(index);
    c.root = e.physics.state().root;
    for (const physics::ContactPoint& contact : e.physics.contacts()) {
      c.limb_contacts |= e.limb_bits[std::size_t(contact.link)];
    }
    return write_coordinates(*e.body->model, e.physics.state(), coordinates);
  }
  const Vec3& mass = c.report.com;
  const double heading = c.report.heading;
  const std::size_t count = joint_coordinates(*e.body->model);
  const bool few = occupants.entities.size() <= kFew;
  if (shown.known(index) && !few && !shown.has_turn(index) && !onlookers.look_at(e.id, mass)) {
    c.root = shown.root(index, mass, heading);
    c.limb_contacts = shown.limb_contacts(index);
    const auto last = shown.coordinates(c.first_coordinate, count);
    std::copy(last.begin(), last.end(), coordinates);
    return;
  }
  thread_local physics::ArticulationState posed;
  e.pose(posed);
  c.root = posed.root;
  c.limb_contacts = e.feet_on_ground();
  write_coordinates(*e.body->model, posed, coordinates);
  if (few) return;
  shown.keep(index, c.root, mass, heading, c.limb_contacts, {coordinates, count},
             c.first_coordinate);
}

/// Fills in one character, at the places that make_snapshot() has kept for it.
void Room::Impl::show(std::size_t index, const Onlookers& onlookers, Snapshot* out) const {
  const Entity& e = *occupants.entities[index];
  CharacterSnapshot& c = out->characters[index];
  const std::uint32_t first_coordinate = c.first_coordinate, first_way_point = c.first_way_point;
  c = CharacterSnapshot{};
  c.id = e.id;
  c.first_coordinate = first_coordinate;
  c.first_way_point = first_way_point;
  c.report = measured(e, view().ground_now());
  show_pose(index, onlookers, out);
  if (c.report.left_stance) c.flags |= kFlagLeftStance;
  if (c.report.foot_on_ground[0]) c.flags |= kFlagLeftContact;
  if (c.report.foot_on_ground[1]) c.flags |= kFlagRightContact;
  if (c.report.standing) c.flags |= kFlagStanding;
  if (e.fallen) c.flags |= kFlagFallen;
  if (e.quarantined) c.flags |= kFlagQuarantined;
  if (!e.family->stands) c.flags |= kFlagLimp;
  if (e.family->stands && !e.family->walks) c.flags |= kFlagHolding;
  if (e.away) c.flags |= kFlagAway;
  if (e.kinematic()) c.flags |= kFlagLight;
  c.presence = e.presence(tick_number, dt());
  c.desired_velocity = rotated(e.goal.velocity, e.goal.heading);
  c.desired_heading = e.goal.heading;
  c.step_width = e.step_width;
  const control::Manner manner = e.driver().manner();
  c.asked_step_time = manner.step_time;
  c.asked_step_width = manner.step_width;
  if (!e.present() || e.kinematic()) {
    c.kinetic_energy = 0.5 * e.body->total_mass * c.report.com_velocity.squaredNorm();
    c.potential_energy = e.body->total_mass * physics::kGravity * c.report.com.z();
  } else {
    add_energies(e.physics, c);
  }
  if (!e.pushes.empty()) {
    c.flags |= kFlagPushed;
    const ActivePush& push = e.pushes.back();
    const physics::LinkMotion& link = e.physics.links()[std::size_t(push.link)];
    // A character that the physics does not move takes the push at its mass.
    c.push_point = e.kinematic() ? c.report.com : link.position + link.rotation * push.point;
    c.push_force = push.force;
  }
}

TaskListSnapshot Room::Impl::task_list_of(CharacterId id,
                                          const behaviour::tasks::Worker& worker) const {
  TaskListSnapshot out{
      id, worker.list().all(), std::uint32_t(worker.list().current()), worker.list().repeats(), {},
      {}};
  const behaviour::tasks::SharedList* list = worker.shares() ? shared.list_of(id) : nullptr;
  if (!list) return out;
  using State = behaviour::tasks::SharedList::State;
  out.tasks.clear();
  out.repeat = list->repeats();
  out.current = std::uint32_t(list->entries().size());
  for (std::size_t i = 0; i < list->members(); ++i) out.shared_by.push_back(list->member(i));
  for (const auto& entry : list->entries()) {
    if (entry.state == State::kTaken && entry.by == id)
      out.current = std::uint32_t(out.tasks.size());
    out.tasks.push_back(entry.task);
    out.progress.push_back({std::uint8_t(entry.state), entry.by});
  }
  return out;
}

std::shared_ptr<Snapshot> Room::Impl::make_snapshot(bool with_hash,
                                                    const Onlookers& onlookers) const {
  auto out = snapshots.take();
  out->tick = tick_number;
  out->paused = paused;
  out->time_scale = time_scale;
  out->in_physics = levels.in_physics();
  out->roster = roster.get([this] { return make_roster(); });
  out->flow_figures = crowd.figures();
  out->characters.resize(occupants.entities.size());
  std::size_t contacts = 0;
  for (const auto& e : occupants.entities) {
    if (e->present() && !e->kinematic()) contacts += e->physics.contacts().size();
  }
  out->contacts.reserve(contacts);
  const bool few = occupants.entities.size() <= kFew;
  std::uint32_t coordinates = 0;
  for (std::size_t i = 0; i < occupants.entities.size(); ++i) {
    const Entity& e = *occupants.entities[i];
    out->characters[i].first_coordinate = coordinates;
    coordinates += joint_coordinates(*e.body->model);
    if (e.present() && !e.kinematic()) {
      for (const physics::ContactPoint& contact : e.physics.contacts()) {
        out->contacts.push_back({contact.position, contact.force, std::uint32_t(i)});
      }
    }
    out->characters[i].first_way_point = std::uint32_t(out->way_points.size());
    if (few || onlookers.want_details_of(e.id)) {
      e.behaviour->append_path(out->way_points);
      if (const auto* worker = dynamic_cast<const behaviour::tasks::Worker*>(e.behaviour.get())) {
        out->task_lists.push_back(task_list_of(e.id, *worker));
      }
      if (const control::GaitPlayer* player = e.controller->gait_player();
          player && player->gait()) {
        const std::vector<double> shares = player->shares();
        out->gaits.push_back(
            {e.id, {shares.begin(), shares.end()}, player->leaps(), !player->feedback_on()});
      }
    }
  }
  out->coordinates.resize(coordinates);
  shown.begin(roster.version(), occupants.entities.size(), coordinates);
  workers.each(occupants.entities.size(),
               [&](std::size_t i, Workers::Worker&) { show(i, onlookers, out.get()); });
  show_things(out.get());
  out->has_hash = with_hash;
  if (with_hash) out->state_hash = state_hash();
  return out;
}

}  // namespace promenade::world
