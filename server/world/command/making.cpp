// Commands that make, change and remove characters: spawn, set_body, set_style, set_controller,
// remove, reset.
#include <algorithm>

#include "math/rotation.h"
#include "promenade/v1/command.pb.h"
#include "world/beside/preparation.h"
#include "world/command/applier.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

// A definition in a message, checked as far as it can be without knowing other bodies.
std::shared_ptr<const StyleDefinition> parse_definition(const std::string& field,
                                                        const v1::Style& m, CommandChecker& check) {
  auto made = define_style(m, check.prefix() + "." + field);
  if (auto* error = std::get_if<CommandError>(&made)) {
    check.fail(std::move(*error));
    return nullptr;
  }
  return std::get<0>(std::move(made));
}
std::shared_ptr<const CreatureDefinition> parse_definition(const v1::Creature& m) {
  auto unresolved = std::make_shared<CreatureDefinition>();
  unresolved->given = m;
  return unresolved;
}

// Whether it needs the gait of its light walk only later, when it leaves the physics.
bool is_in_physics(const Entity& e) { return !e.simplified && !e.family->light; }

Spawn parse(const v1::Spawn& m, CommandChecker& check) {
  Spawn out{check.name("body", m.body(), false), check.name("style", m.style(), false),
            ground_point(m.position_m()), wrap_angle(m.heading_rad()), m.wander()};
  check.choice("body", m.body(), "body_definition", m.has_body_definition());
  if (m.has_body_definition()) out.body_definition = parse_definition(m.body_definition());
  if (m.has_style_definition()) {
    if (!m.style().empty())
      check.fail("style_definition", "given together with `style`", "only one of the two");
    out.style_definition = parse_definition("style_definition", m.style_definition(), check);
  }
  out.controller = check.name("controller", m.controller(), false);
  return out;
}
void write(const Spawn& c, v1::Spawn& m) {
  if (c.body_definition) {
    *m.mutable_body_definition() = portable(*c.body_definition);
  } else {
    m.set_body(c.body);
  }
  if (c.style_definition) {
    *m.mutable_style_definition() = c.style_definition->message;
  } else {
    m.set_style(c.style);
  }
  if (c.position) m.mutable_position_m()->Assign(c.position->begin(), c.position->end());
  m.set_heading_rad(c.heading);
  m.set_wander(c.wander);
  m.set_controller(c.controller);
}
/// Body, controller and style. Nothing: the command is refused.
std::optional<CharacterPlan> plan_of(const Spawn& c, Applier& applier) {
  CharacterPlan plan;
  plan.body_definition =
      applier.body("spawn.body", c.body, "spawn.body_definition", c.body_definition);
  if (!plan.body_definition) return std::nullopt;
  plan.family = applier.family("spawn.controller", c.controller, *plan.body_definition->body);
  if (!plan.family) return std::nullopt;
  if (plan.family->styled) {
    plan.style_definition =
        applier.style("spawn.style", c.style.empty() ? kDefaultStyle : c.style, c.style_definition);
    if (!plan.style_definition) return std::nullopt;
  } else if (c.style_definition || !c.style.empty()) {
    applier.error(CommandError::Code::kUnsupported,
                  c.style_definition ? "spawn.style_definition" : "spawn.style",
                  c.style_definition ? "given" : schema::in_quotes(c.style),
                  "none, because the character's controller, " + std::string(plan.family->name) +
                      ", has no styles");
    return std::nullopt;
  }
  return plan;
}

void prepare(const Spawn& c, Applier& applier, Preparation& out) {
  const auto plan = plan_of(c, applier);
  if (!plan || !plan->style_definition) return;
  if (!applier.room.levels.may_become_light(*plan->family, Level::kAuto)) return;
  out.need_gait(plan->body_definition->body, plan->style_definition->style);
}

void apply(const Spawn& c, Applier& applier) {
  auto& room = applier.room;
  auto found = plan_of(c, applier);
  if (!found) return;
  CharacterPlan& plan = *found;
  const std::string family(plan.family->name);
  if (c.wander && !plan.family->walks) {
    return applier.error(
        CommandError::Code::kUnsupported, "spawn.wander", "true",
        "false, because the character's controller, " + family + ", does not walk");
  }
  const auto here = std::count_if(room.occupants.entities.begin(), room.occupants.entities.end(),
                                  [](const auto& e) { return !e->of_flow(); });
  if (here >= room.settings.max_characters) {
    return applier.error(
        CommandError::Code::kBusy, "spawn", std::to_string(here) + " characters are here",
        "up to " + std::to_string(room.settings.max_characters) + "; remove one first");
  }
  if (!applier.has_space("spawn",
                         {.body = plan.body_definition.get(), .style = plan.style_definition.get()},
                         nullptr)) {
    return;
  }
  plan.position = c.position;
  plan.heading = c.heading;
  if (c.wander) plan.order = behaviour::Wander::Order{};
  applier.result.character = room.add(plan).id;
}

SetBody parse(const v1::SetBody& m, CommandChecker& check) {
  SetBody out{check.character(m.character()), check.name("body", m.body(), false)};
  if (check.choice("body", m.body(), "definition", m.has_definition()) && m.has_definition()) {
    out.definition = parse_definition(m.definition());
  }
  if (m.has_based_on() && !m.has_definition()) {
    check.fail("based_on", "given", "given only together with `definition`");
  } else if (m.has_based_on()) {
    out.based_on = std::make_shared<const v1::Creature>(m.based_on());
  }
  return out;
}
void write(const SetBody& c, v1::SetBody& m) {
  m.set_character(c.character);
  if (c.based_on) *m.mutable_based_on() = *c.based_on;
  if (c.definition) {
    *m.mutable_definition() = portable(*c.definition);
  } else {
    m.set_body(c.body);
  }
}
void prepare(const SetBody& c, Applier& applier, Preparation& out) {
  const Entity* e = applier.character("set_body", c.character);
  if (!e || !e->style_definition) return;
  if (!applier.room.levels.may_become_light(*e->family, e->level)) return;
  const auto body = applier.body("set_body.body", c.body, "set_body.definition", c.definition);
  if (!body) return;
  out.need_gait(body->body, e->style_definition->style);
  if (is_in_physics(*e)) out.needed_later = e->id;
}
void apply(const SetBody& c, Applier& applier) {
  Entity* e = applier.character("set_body", c.character);
  if (!e) return;
  auto definition = applier.body("set_body.body", c.body, "set_body.definition", c.definition);
  if (!definition) return;
  if (const std::string why = e->family->why_not(*definition->body); !why.empty()) {
    return applier.error(CommandError::Code::kUnsupported, "set_body.body",
                         schema::in_quotes(definition->body->name),
                         "a body that the character's controller, " + std::string(e->family->name) +
                             ", can drive; " + why);
  }
  if (!applier.has_space("set_body", {.body = definition.get()}, e)) return;
  const std::shared_ptr<const Creature> before = e->body;
  const bool was_in_physics = is_in_physics(*e);  // a light one is for a moment, to be changed
  applier.result.before = e->body_definition->id;
  applier.result.after = definition->id;
  applier.room.ties.end_own(e->id);
  e->set_body(std::move(definition), applier.room.ground_and_tops());
  applier.room.ties.carry_over(*e, *before);
  applier.room.ties.add_own(*e, applier.room.view());
  if (was_in_physics) applier.room.levels.keep_until_measured(*e, applier.room.view());
  applier.room.roster.changed();
}

SetStyle parse(const v1::SetStyle& m, CommandChecker& check) {
  SetStyle out{check.character(m.character()), check.name("style", m.style(), false)};
  if (check.choice("style", m.style(), "definition", m.has_definition()) && m.has_definition()) {
    out.definition = parse_definition("definition", m.definition(), check);
  }
  if (m.has_based_on() && !m.has_definition()) {
    check.fail("based_on", "given", "given only together with `definition`");
  } else if (m.has_based_on()) {
    out.based_on = std::make_shared<const v1::Style>(m.based_on());
  }
  return out;
}
void write(const SetStyle& c, v1::SetStyle& m) {
  m.set_character(c.character);
  if (c.based_on) *m.mutable_based_on() = *c.based_on;
  if (c.definition) {
    *m.mutable_definition() = c.definition->message;
  } else {
    m.set_style(c.style);
  }
}
void prepare(const SetStyle& c, Applier& applier, Preparation& out) {
  const Entity* e = applier.character("set_style", c.character);
  if (!e || !applier.room.levels.may_become_light(*e->family, e->level)) return;
  const auto style = applier.style("set_style.style", c.style, c.definition);
  if (!style) return;
  out.need_gait(e->body, style->style);
  if (is_in_physics(*e)) out.needed_later = e->id;
}
void apply(const SetStyle& c, Applier& applier) {
  Entity* e = applier.character("set_style", c.character);
  if (!e) return;
  if (!e->family->styled) {
    return applier.error(CommandError::Code::kUnsupported, "set_style.character",
                         std::to_string(c.character) + ", driven by " +
                             std::string(e->family->name) + ", which has no styles",
                         "a character driven by " + control::styled_families());
  }
  auto definition = applier.style("set_style.style", c.style, c.definition);
  if (!definition || !applier.has_space("set_style", {.style = definition.get()}, e)) return;
  applier.result.before = e->style_definition->id;
  applier.result.after = definition->id;
  const bool shows =
      applier.result.before != applier.result.after ||
      (definition->origin == Origin::kEdited) != (e->style_definition->origin == Origin::kEdited);
  e->set_style(std::move(definition));
  if (is_in_physics(*e)) applier.room.levels.keep_until_measured(*e, applier.room.view());
  // Viewers get a new roster only if something in it changes.
  if (shows) {
    applier.room.roster.changed();
  } else {
    applier.room.roster.definitions_changed();
  }
}

SetController parse(const v1::SetController& m, CommandChecker& check) {
  return {check.character(m.character()), check.name("controller", m.controller(), true)};
}
void write(const SetController& c, v1::SetController& m) {
  m.set_character(c.character);
  m.set_controller(c.controller);
}
void prepare(const SetController& c, Applier& applier, Preparation& out) {
  const Entity* e = applier.character("set_controller", c.character);
  if (!e) return;
  const control::Family* family =
      applier.family("set_controller.controller", c.controller, *e->body);
  if (!family || !applier.room.levels.may_become_light(*family, e->level)) return;
  const auto style = e->style_definition
                         ? e->style_definition
                         : applier.style("set_controller.controller", kDefaultStyle, nullptr);
  if (style) out.need_gait(e->body, style->style);
}
void apply(const SetController& c, Applier& applier) {
  Entity* e = applier.character("set_controller", c.character);
  if (!e) return;
  const control::Family* family =
      applier.family("set_controller.controller", c.controller, *e->body);
  if (!family) return;
  if (family->light && applier.room.ties.is_held(e->id)) {
    return applier.error(CommandError::Code::kUnsupported, "set_controller.controller",
                         schema::in_quotes(c.controller),
                         "a controller that works through the physics while the character is held; "
                         "release it first");
  }
  if (family->styled && !e->style_definition) {
    e->style_definition = applier.style("set_controller.controller", kDefaultStyle, nullptr);
    if (!e->style_definition) return;
  }
  if (family->plays_gaits && !e->gait_definition) {
    e->gait_definition = applier.room.library->usual_gait(*e->body);
  }
  e->set_controller(*family, applier.room.library->controllers(), applier.room.ground_and_tops());
  applier.room.roster.changed();
}

Remove parse(const v1::Remove& m, CommandChecker& check) {
  return {check.character(m.character())};
}
void write(const Remove& c, v1::Remove& m) { m.set_character(c.character); }
void apply(const Remove& c, Applier& applier) {
  if (applier.occupant("remove", c.character)) applier.room.remove(c.character);
}

Reset parse(const v1::Reset& m, CommandChecker&) { return {m.character()}; }
void write(const Reset& c, v1::Reset& m) { m.set_character(c.character); }
void apply(const Reset& c, Applier& applier) {
  auto& room = applier.room;
  if (c.character != 0) {
    if (Prop* prop = room.occupants.find_prop(c.character)) return room.restart(*prop);
    if (Entity* e = applier.character("reset", c.character)) room.restart(*e);
    return;
  }
  for (const auto& prop : room.occupants.props) room.restart(*prop);
  room.crowd.load(*room.scene, room.settings.seed, room.dt());
  if (!room.courses.empty()) {
    room.courses.begin(*room.scene);
    room.lay_courses();
  }
  // All are taken out first, so that no start place is taken by a character that is about to leave.
  for (const auto& e : room.occupants.entities) e->quarantined = true;
  for (const auto& e : room.occupants.entities) room.restart(*e);
  room.ties.bring_back(0);
}

}  // namespace

CommandKinds making_kinds() {
  static const CommandKind kinds[] = {
      prepared<Spawn, prepare>(describe<Spawn, v1::Spawn, parse, write, apply>()),
      prepared<SetBody, prepare>(describe<SetBody, v1::SetBody, parse, write, apply>()),
      prepared<SetStyle, prepare>(describe<SetStyle, v1::SetStyle, parse, write, apply>()),
      prepared<SetController, prepare>(
          describe<SetController, v1::SetController, parse, write, apply>()),
      describe<Remove, v1::Remove, parse, write, apply>(),
      describe<Reset, v1::Reset, parse, write, apply>(),
  };
  return kinds;
}

}  // namespace promenade::world
