#include <algorithm>
#include <cmath>

#include "behaviour/direct.h"
#include "behaviour/path_follower.h"
#include "behaviour/wander.h"
#include "math/random.h"
#include "world/command_codec.h"
#include "world/format.h"
#include "world/placement.h"
#include "world/room_impl.h"

namespace promenade::world {
namespace {

constexpr std::size_t kMaxPushes = 8;  // under way on one character

CommandError refuse(CommandError::Code code, std::string field, std::string value,
                    std::string allowed) {
  CommandError error;
  error.code = code;
  error.field = std::move(field);
  error.value = std::move(value);
  error.allowed = std::move(allowed);
  error.message = error.field + " is " + error.value + "; allowed: " + error.allowed;
  return error;
}

std::string ids_of(const std::vector<std::unique_ptr<Entity>>& all) {
  if (all.empty()) return "none: nobody is here";
  const std::string first = std::to_string(all.front()->id);
  if (all.size() == 1) return first + ", the only one here";
  return "one of the " + std::to_string(all.size()) + " here, from " + first + " to " +
         std::to_string(all.back()->id);
}

}  // namespace

Entity* Room::Impl::find(CharacterId id) const {
  const auto found =
      std::lower_bound(entities.begin(), entities.end(), id,
                       [](const auto& e, CharacterId wanted) { return e->id < wanted; });
  return found != entities.end() && (*found)->id == id ? found->get() : nullptr;
}

std::unique_ptr<behaviour::Behaviour> Room::Impl::make_behaviour(const Entity& e,
                                                                 const Task& task) const {
  switch (task.kind) {
    case Task::Kind::kPath:
      // Decisions of a crowd are spread over time by the characters' numbers.
      return std::make_unique<behaviour::PathFollower>(task.points, task.closed, task.speed,
                                                       (e.id % 7) / 7.0);
    case Task::Kind::kWander:
      return std::make_unique<behaviour::Wander>(task.center.value_or(e.start_position),
                                                 task.radius, Random::stream(settings.seed, e.id));
    case Task::Kind::kWalk: {
      auto direct = std::make_unique<behaviour::Direct>(e.start_heading);
      direct->walk_in_character_frame(Vec2(task.speed, 0));
      return direct;
    }
    case Task::Kind::kStand:
      break;
  }
  return std::make_unique<behaviour::Direct>(e.start_heading);
}

Entity& Room::Impl::add(const CharacterPlan& plan) {
  auto e = std::make_unique<Entity>(
      next_id++, plan.body_definition ? plan.body_definition : library->find_creature(plan.body),
      plan.style_definition ? plan.style_definition : library->find_style(plan.style),
      library->gbwc());
  const Vec2 place = free_place(plan.position.value_or(Vec2::Zero()), e->radius, *scene->terrain,
                                scene->obstacles, entities, nullptr);
  e->start_position = place;
  e->start_heading = plan.heading;
  e->task = plan.task;
  e->place(*scene->terrain, place, plan.heading);
  e->behaviour = make_behaviour(*e, e->task);
  entities.push_back(std::move(e));
  roster_changed();
  return *entities.back();
}

void Room::Impl::restart(Entity& e) {
  const Vec2 place =
      free_place(e.start_position, e.radius, *scene->terrain, scene->obstacles, entities, &e);
  e.place(*scene->terrain, place, e.start_heading);
  e.behaviour = make_behaviour(e, e.task);
}

void Room::Impl::get_up(Entity& e) {
  const Vec2 place =
      free_place(e.last_position, e.radius, *scene->terrain, scene->obstacles, entities, &e);
  e.place(*scene->terrain, place, e.last_heading);
  e.behaviour->relocated(e.self());
}

// Each overload checks everything first and changes the room only then.
struct CommandApplier {
  Room::Impl& room;
  CommandResult& result;

  void error(CommandError::Code code, std::string field, std::string value, std::string allowed) {
    result.error = refuse(code, std::move(field), std::move(value), std::move(allowed));
  }

  Entity* character(const char* command, CharacterId id) {
    Entity* e = room.find(id);
    if (e) return e;
    error(CommandError::Code::kNotFound, std::string(command) + ".character", std::to_string(id),
          ids_of(room.entities));
    return nullptr;
  }

  // The style or body that a command wants: given, or known by its name. Null: refused.
  std::shared_ptr<const StyleDefinition> style(
      const char* field, const std::string& name,
      const std::shared_ptr<const StyleDefinition>& given) {
    auto found = given ? given : room.library->find_style(name);
    if (!found) {
      error(CommandError::Code::kNotFound, field, format_quoted(name),
            room.library->known_styles());
    }
    return found;
  }
  std::shared_ptr<const CreatureDefinition> body(
      const char* field, const std::string& name, const char* definition_field,
      const std::shared_ptr<const CreatureDefinition>& given) {
    if (given && given->body) return given;
    if (given) {
      // From a journal or a script: nothing but what is built in can be its base.
      auto made = define_creature(given->given, *room.library, definition_field);
      if (auto* wrong = std::get_if<CommandError>(&made)) {
        result.error = std::move(*wrong);
        return nullptr;
      }
      return std::get<0>(std::move(made));
    }
    auto found = room.library->find_creature(name);
    if (!found) {
      error(CommandError::Code::kNotFound, field, format_quoted(name),
            room.library->known_creatures());
    }
    return found;
  }

  // The behaviour that takes direct orders; one that does something else makes way for it.
  static behaviour::Direct& direct(Entity& e, double heading) {
    if (auto* present = dynamic_cast<behaviour::Direct*>(e.behaviour.get())) return *present;
    auto fresh = std::make_unique<behaviour::Direct>(heading);
    behaviour::Direct& reference = *fresh;
    e.behaviour = std::move(fresh);
    return reference;
  }

  void operator()(const SetVelocity& c) {
    Entity* e = character("set_velocity", c.character);
    if (!e) return;
    behaviour::Direct& order = direct(*e, e->intent.heading);
    if (c.frame == Frame::kWorld) {
      order.walk_in_world(c.velocity);
    } else {
      order.walk_in_character_frame(c.velocity);
    }
  }

  void operator()(const SetHeading& c) {
    Entity* e = character("set_heading", c.character);
    if (!e) return;
    if (!dynamic_cast<behaviour::Direct*>(e->behaviour.get())) {
      // On a path or a stroll: it leaves that and keeps its speed, in the new direction.
      const bool stands = e->intent.stand;
      const Vec2 speed(e->intent.velocity.norm(), 0);
      behaviour::Direct& order = direct(*e, e->intent.heading);
      if (!stands) order.walk_in_character_frame(speed);
    }
    direct(*e, c.heading).set_heading(c.heading);
  }

  void operator()(const Stop& c) {
    Entity* e = character("stop", c.character);
    if (!e) return;
    // Facing as it does now: a turn under way ends too.
    e->behaviour = std::make_unique<behaviour::Direct>(e->smooth_heading);
  }

  void operator()(const FollowPath& c) {
    Entity* e = character("follow_path", c.character);
    if (!e) return;
    Task task;
    task.kind = Task::Kind::kPath;
    task.points = c.points;
    task.closed = c.closed;
    task.speed = c.speed;
    e->behaviour = room.make_behaviour(*e, task);
  }

  void operator()(const SetWander& c) {
    Entity* e = character("set_wander", c.character);
    if (!e) return;
    e->behaviour = std::make_unique<behaviour::Wander>(
        c.center.value_or(e->last_position), c.radius,
        Random::stream(room.settings.seed, (room.tick_number << 20) + e->id));
  }

  void operator()(const Push& c) {
    Entity* e = character("push", c.character);
    if (!e) return;
    const int link = e->body->find_link(c.link);
    if (link < 0) {
      return error(CommandError::Code::kNotFound, "push.link", format_quoted(c.link),
                   listed_names(e->body->link_names));
    }
    if (!e->present()) {
      return error(CommandError::Code::kInvalid, "push.character", std::to_string(c.character),
                   "a character that is not in quarantine");
    }
    if (e->pushes.size() >= kMaxPushes) {
      return error(CommandError::Code::kBusy, "push.character",
                   std::to_string(e->pushes.size()) + " pushes under way",
                   "up to " + std::to_string(kMaxPushes) + " at once; wait for one to end");
    }
    const double substep = room.step.settings.dt;
    const int substeps = std::max(1, int(std::lround(c.duration / substep)));
    e->pushes.push_back({link, c.point, c.force, substeps});
  }

  void operator()(const SetStyle& c) {
    Entity* e = character("set_style", c.character);
    if (!e) return;
    auto definition = style("set_style.style", c.style, c.definition);
    if (!definition) return;
    const bool shows =
        definition->style->name != e->style->name ||
        (definition->origin == Origin::kEdited) != (e->style_definition->origin == Origin::kEdited);
    e->set_style(std::move(definition));
    // An editor sends one edit after another: viewers need not hear of each.
    if (shows) {
      room.roster_changed();
    } else {
      room.definitions_changed();
    }
  }

  void operator()(const SetBody& c) {
    Entity* e = character("set_body", c.character);
    if (!e) return;
    auto definition = body("set_body.body", c.body, "set_body.definition", c.definition);
    if (!definition) return;
    e->set_body(std::move(definition), *room.scene->terrain);
    room.roster_changed();
  }

  void operator()(const Spawn& c) {
    CharacterPlan plan;
    plan.body_definition = body("spawn.body", c.body, "spawn.body_definition", c.body_definition);
    if (!plan.body_definition) return;
    plan.style_definition = style("spawn.style", c.style, c.style_definition);
    if (!plan.style_definition) return;
    if (room.entities.size() >= std::size_t(room.settings.max_characters)) {
      return error(CommandError::Code::kBusy, "spawn",
                   std::to_string(room.entities.size()) + " characters are here",
                   "up to " + std::to_string(room.settings.max_characters) + "; remove one first");
    }
    plan.position = c.position;
    plan.heading = c.heading;
    if (c.wander) {
      plan.task.kind = Task::Kind::kWander;
      plan.task.radius = kDefaultWanderRadius;
    }
    result.character = room.add(plan).id;
  }

  void operator()(const Remove& c) {
    const Entity* e = character("remove", c.character);
    if (!e) return;
    std::erase_if(room.entities, [e](const auto& other) { return other.get() == e; });
    room.roster_changed();
  }

  void operator()(const Reset& c) {
    if (c.character != 0) {
      if (Entity* e = character("reset", c.character)) room.restart(*e);
      return;
    }
    // Everyone leaves first, so that nobody finds his place taken by one who is about to go.
    for (const auto& e : room.entities) e->quarantined = true;
    for (const auto& e : room.entities) room.restart(*e);
  }

  void operator()(const Pause&) {
    room.paused = true;
    room.steps_left = 0;
  }
  void operator()(const Resume&) {
    room.paused = false;
    room.steps_left = 0;
  }
  void operator()(const SingleStep& c) {
    room.paused = true;
    room.steps_left = std::min(room.steps_left + c.ticks, kMaxSingleSteps);
  }
  void operator()(const SetTimeScale& c) { room.time_scale = c.scale; }

  void operator()(const LoadScene& c) {
    auto scene = room.library->find_scene(c.scene);
    if (!scene) {
      return error(CommandError::Code::kNotFound, "load_scene.scene", format_quoted(c.scene),
                   listed_names(room.library->scene_names()));
    }
    if (scene->character_count() > room.settings.max_characters) {
      return error(CommandError::Code::kInvalid, "load_scene.scene",
                   format_quoted(c.scene) + " of " + std::to_string(scene->character_count()) +
                       " characters",
                   "a scene of up to " + std::to_string(room.settings.max_characters));
    }
    room.load(std::move(scene));
  }
};

CommandResult Room::Impl::apply(const Command& command) {
  CommandResult result;
  result.tick = tick_number;
  std::visit(CommandApplier{*this, result}, command);
  return result;
}

}  // namespace promenade::world
