#include "world/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "creature/biped/biped_names.h"
#include "math/rotation.h"
#include "schema/check.h"
#include "schema/refusal.h"
#include "world/command/command_codec.h"
#include "world/scene/camera.h"
#include "world/scene/demonstration.h"
#include "world/scene/start_order.h"
#include "world/scene/thing_plans.h"

namespace promenade::world {
namespace {

struct Builder {
  const CreatureLibrary& bodies;
  const StyleLibrary& styles;
  schema::Checker& check;

  bool known_body(const std::string& key, const std::string& name) {
    if (bodies.find(name)) return true;
    return check.fail(key, schema::in_quotes(name), schema::listed_names(bodies.names()));
  }
  bool known_style(const std::string& key, const std::string& name) {
    if (styles.find(name)) return true;
    return check.fail(key, schema::in_quotes(name), schema::listed_names(styles.names()));
  }

  template <typename Repeated>
  bool coordinates(const std::string& key, const Repeated& values, int count) {
    if (!check.count(key, std::size_t(values.size()), std::size_t(count))) return false;
    for (int i = 0; i < count; ++i) {
      if (!check.range(schema::indexed(key, i), values[i], -kMaxCoordinate, kMaxCoordinate, " m")) {
        return false;
      }
    }
    return true;
  }

  template <typename Repeated>
  std::optional<Vec2> optional_point(const std::string& key, const Repeated& values) {
    if (values.empty() || !coordinates(key, values, 2)) return std::nullopt;
    return Vec2(values[0], values[1]);
  }

  CharacterPlan placement(const std::string& key, const v1::Placement& m) {
    CharacterPlan plan;
    plan.body = m.body();
    if (!known_body(key + ".body", m.body())) return plan;
    if (!m.style().empty()) plan.style = m.style();
    known_style(key + ".style", plan.style);
    plan.family = family(key, m.body(), m.controller());
    if (!plan.family) return plan;
    plan.gait = m.gait();
    if (!plan.gait.empty() && !plan.family->plays_gaits) {
      check.fail(
          key + ".gait", schema::in_quotes(plan.gait),
          "none, because its controller, " + std::string(plan.family->name) + ", plays no gaits");
    }
    plan.position = optional_point(key + ".position_m", m.position_m());
    check.range(key + ".heading_deg", m.heading_deg(), -360, 360, " degrees");
    plan.heading = wrap_angle(m.heading_deg() * kRadFromDeg);
    check.range(key + ".scatter_m", m.scatter_m(), 0, 100, " m");
    plan.scatter = m.scatter_m();
    check.range(key + ".scatter_deg", m.scatter_deg(), 0, 180, " degrees");
    plan.heading_scatter = m.scatter_deg() * kRadFromDeg;
    plan.order = read_start_order(key, m, check);
    if (!plan.family->walks && is_told_something(m)) {
      check.fail(key, "a task to walk",
                 "no speed_mps, path, wander or order, because its controller, " +
                     std::string(plan.family->name) + ", does not walk");
    }
    return plan;
  }

  /// The family of controllers that drives a character. Null: refused.
  const control::Family* family(const std::string& key, const std::string& body_name,
                                const std::string& controller) {
    const Creature& body = *bodies.find(body_name)->body;
    if (controller.empty()) return &control::default_family(body);
    const std::string field = key + ".controller", given = schema::in_quotes(controller);
    const control::Family* found = control::find_family(controller);
    if (!found) {
      check.fail(field, given, control::known_families());
    } else if (const std::string why = found->why_not(body); !why.empty()) {
      check.fail(field, given,
                 control::families_for(body) + ", which can drive a " + body.name + "; " + why);
      return nullptr;
    }
    return found;
  }

  /// @param m  a Crowd or a CrowdFlow
  template <typename Message>
  CrowdMix mix(const std::string& key, const Message& m) {
    CrowdMix out;
    out.bodies.assign(m.bodies().begin(), m.bodies().end());
    out.styles.assign(m.styles().begin(), m.styles().end());
    if (out.bodies.empty()) out.bodies = biped_names(bodies);
    if (out.styles.empty()) out.styles = styles.names();
    for (std::size_t i = 0; i < out.styles.size(); ++i) {
      known_style(schema::indexed(key + ".styles", i), out.styles[i]);
    }
    for (std::size_t i = 0; i < out.bodies.size(); ++i) {
      if (!known_body(schema::indexed(key + ".bodies", i), out.bodies[i])) return out;
      if (m.controller().empty()) continue;
      out.family = family(key, out.bodies[i], m.controller());
      if (!out.family) return out;
    }
    return out;
  }

  SceneFlow flow(const v1::CrowdFlow& m, std::span<const behaviour::Obstacle> obstacles,
                 std::uint64_t seed) {
    SceneFlow out;
    out.crowd = crowd_from(m, obstacles, seed, "flow.", check);
    if (!check.ok()) return {};
    out.mix = mix("flow", m);
    for (std::size_t i = 0; i < out.mix.bodies.size() && check.ok(); ++i) {
      const std::string& name = out.mix.bodies[i];
      if (control::default_family(*bodies.find(name)->body).walks) continue;
      check.fail(schema::indexed("flow.bodies", i), schema::in_quotes(name), "a body that walks");
    }
    if (out.mix.family && !out.mix.family->walks) {
      check.fail("flow.controller", schema::in_quotes(m.controller()),
                 "one of " + control::walking_families());
    }
    if (!check.ok()) return {};
    out.message = std::make_shared<const v1::CrowdFlow>(m);
    return out;
  }

  CrowdPlan crowd(const std::string& key, const v1::Crowd& m) {
    CrowdPlan plan;
    if (m.count() < 1 || m.count() > kMaxSceneCharacters) {
      check.fail(key + ".count", std::to_string(m.count()),
                 "1 to " + std::to_string(kMaxSceneCharacters));
      return plan;
    }
    plan.count = int(m.count());
    plan.mix = mix(key, m);
    plan.center = optional_point(key + ".center_m", m.center_m()).value_or(Vec2::Zero());
    check.range(key + ".radius_m", m.radius_m(), kMinWanderRadius, kMaxWanderRadius, " m");
    plan.radius = m.radius_m();
    plan.wander = m.wander();
    return plan;
  }

  // The body of the scene's character of that number, from 1; nullptr if unknown.
  static const std::string* body_of(const Scene& scene, CharacterId number) {
    if (number >= 1 && number <= scene.characters.size()) {
      return &scene.characters[number - 1].body;
    }
    std::size_t index = number - scene.characters.size() - 1;
    for (const CrowdPlan& crowd : scene.crowds) {
      if (index < std::size_t(crowd.count))
        return &crowd.mix.bodies[index % crowd.mix.bodies.size()];
      index -= std::size_t(crowd.count);
    }
    return nullptr;
  }

  void script(const std::string& key, const v1::TimedCommand& m, Scene& scene) {
    check.range(key + ".at_s", m.at_s(), 0, 86400, " s");
    auto parsed = command_from_proto(m.command());
    if (const auto* error = std::get_if<CommandError>(&parsed)) {
      check.fail(key + ".command." + error->field, error->value, error->allowed);
      return;
    }
    const Command& command = std::get<Command>(parsed);
    const std::string field = key + ".command." + command_name(command);
    if (!check_numbers(m.command(), key + ".command", scene, check)) return;
    if (const auto* push = std::get_if<Push>(&command)) {
      const std::string* name = body_of(scene, push->character);
      const auto* entry = name ? bodies.find(*name) : nullptr;
      if (entry && !push->link.empty() && entry->body->find_link(push->link) < 0) {
        check.fail(field + ".link", schema::in_quotes(push->link),
                   schema::listed_names(entry->body->link_names));
      }
    } else if (const auto* style = std::get_if<SetStyle>(&command)) {
      if (!style->definition) known_style(field + ".style", style->style);
    } else if (const auto* body = std::get_if<SetBody>(&command)) {
      if (!body->definition) known_body(field + ".body", body->body);
    } else if (const auto* spawn = std::get_if<Spawn>(&command)) {
      if (!spawn->body_definition) known_body(field + ".body", spawn->body);
      if (!spawn->style.empty()) known_style(field + ".style", spawn->style);
    } else if (rules_of(command).unscripted()) {
      check.fail(field, "not allowed in a script", "a command to characters");
    }
    scene.script.push_back({m.at_s(), command});
  }
};

}  // namespace

CharacterPlan CrowdMix::member(std::size_t k) const {
  // Each round through the bodies starts one style further. From one round to the next the style of
  // a body then moves on by bodies + 1; where that has a divisor in common with the number of
  // styles, some pairs would never come up, and it moves on by one.
  const std::size_t round = k / bodies.size();
  const bool all_pairs = std::gcd(bodies.size() + 1, styles.size()) == 1;
  CharacterPlan plan;
  plan.body = bodies[k % bodies.size()];
  plan.style = styles[(all_pairs ? k + round : k % bodies.size() + round) % styles.size()];
  plan.family = family;
  return plan;
}

int Scene::character_count() const {
  int count = int(characters.size());
  for (const CrowdPlan& crowd : crowds) count += crowd.count;
  return count;
}

int Scene::thing_count() const {
  int count = int(things.size());
  for (const HeapPlan& heap : heaps) count += heap.count;
  return count;
}

SceneFlow build_flow(const v1::CrowdFlow& message, std::span<const behaviour::Obstacle> obstacles,
                     std::uint64_t seed, const CreatureLibrary& bodies, const StyleLibrary& styles,
                     schema::Checker& check) {
  return Builder{bodies, styles, check}.flow(message, obstacles, seed);
}

schema::Result<Scene> build_scene(const v1::Scene& m, const CreatureLibrary& bodies,
                                  const CreatureLibrary& things, const StyleLibrary& styles,
                                  const HeightImages& images, const schema::Source& source) {
  schema::Checker check(source);
  Builder build{bodies, styles, check};
  Scene scene;
  scene.message = m;
  scene.seed = m.seed() ? m.seed() : 1;
  check.name("name", m.name());
  check.range("get_up_delay_s", m.get_up_delay_s(), -1e6, 3600, " s");
  scene.get_up_delay = m.get_up_delay_s() == 0 ? 3 : m.get_up_delay_s();
  check.range("get_up_for_s", m.get_up_for_s(), -1e6, 3600, " s");
  scene.get_up_for = m.get_up_for_s() == 0 ? 20 : m.get_up_for_s();

  SceneGround ground = build_ground(m, images, check);
  scene.obstacles = std::move(ground.obstacles);
  if (check.ok()) scene.courses = build_courses(m, check);
  for (int i = 0; i < m.characters_size() && check.ok(); ++i) {
    scene.characters.push_back(build.placement(schema::indexed("characters", i), m.characters(i)));
  }
  for (int i = 0; i < m.crowds_size() && check.ok(); ++i) {
    scene.crowds.push_back(build.crowd(schema::indexed("crowds", i), m.crowds(i)));
  }
  if (check.ok() && scene.character_count() > kMaxSceneCharacters) {
    check.fail("crowds", std::to_string(scene.character_count()) + " characters in all",
               "up to " + std::to_string(kMaxSceneCharacters));
  }
  if (check.ok() && m.has_flow()) {
    scene.flow = build.flow(m.flow(), scene.obstacles, scene.seed);
  }
  if (check.ok()) read_things(m, things, scene, check);
  if (m.script_size() > kMaxScript) {
    check.fail("script", std::to_string(m.script_size()) + " commands",
               "up to " + std::to_string(kMaxScript));
  }
  for (int i = 0; i < m.script_size() && check.ok(); ++i) {
    build.script(schema::indexed("script", i), m.script(i), scene);
  }
  std::stable_sort(scene.script.begin(), scene.script.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  scene.script_period = m.script_period_s();
  if (check.ok() && m.script_period_s() != 0) {
    const double last = scene.script.empty() ? 0 : scene.script.back().at;
    check.range("script_period_s", m.script_period_s(), std::max(0.1, last), 86400, " s");
  }
  if (check.ok() && m.has_camera()) {
    scene.view = check_camera(m, scene.character_count() + scene.thing_count(), check);
  }
  check.range("in_physics", m.in_physics(), 0, kMaxInPhysics);
  scene.in_physics = m.in_physics();
  if (check.ok()) check_demonstration(m, bodies, things, styles, check);
  if (!check.ok()) return check.error();
  scene.ground = std::make_shared<const physics::Ground>(std::move(ground.plan));
  return scene;
}

}  // namespace promenade::world
