#include "world/checkpoint/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "schema/refusal.h"
#include "world/command/limits.h"
#include "world/journal/journal.h"
#include "world/room/room_impl.h"

namespace promenade::world {
namespace {

CommandError refuse(std::string field, std::string value, std::string allowed) {
  return world::refuse(CommandError::Code::kInvalid, std::move(field), std::move(value),
                       std::move(allowed));
}

CommandError refuse_number(std::string field, double value, std::string allowed) {
  return refuse(std::move(field), schema::number(value), std::move(allowed));
}

void save_definitions(const Entity& e, v1::SavedCharacter* out) {
  if (e.body_definition->origin == Origin::kBuiltIn) {
    out->set_body(e.body->name);
  } else {
    *out->mutable_body_definition() = portable(*e.body_definition);
    out->set_body_version(e.body_definition->version);
  }
  if (e.gait_definition && e.gait_definition->origin == Origin::kBuiltIn) {
    out->set_gait(e.gait_definition->message.name());
  } else if (e.gait_definition) {
    *out->mutable_gait_definition() = e.gait_definition->message;
    out->set_gait_version(e.gait_definition->version);
  }
  if (!e.style_definition) return;
  if (e.style_definition->origin == Origin::kBuiltIn) {
    out->set_style(e.style_definition->style->name);
  } else {
    *out->mutable_style_definition() = e.style_definition->message;
    out->set_style_version(e.style_definition->version);
  }
}

/// A copy of a definition that is marked as saved under this version.
template <typename Definition>
std::shared_ptr<const Definition> with_version(std::shared_ptr<const Definition> made,
                                               std::uint32_t version) {
  if (version == 0) return made;
  auto saved = std::make_shared<Definition>(*made);
  saved->origin = Origin::kSaved;
  saved->version = version;
  return saved;
}

/// Reads an object's state. @return what is wrong with it; empty: nothing
template <typename Words, typename Object>
std::string read_state(const Words& words, Object& object) {
  StateVisitor reader = StateVisitor::reader({words.data(), std::size_t(words.size())});
  object.visit(reader);
  if (reader.error().empty() && reader.left() > 0) reader.fail("is too long");
  return std::string(reader.error());
}

/// Builds the characters, things and ties of a checkpoint; keeps the first error.
struct Reader {
  const Library& library;
  std::optional<CommandError> error = std::nullopt;
  Occupants occupants = {};
  IdList<RoomTie> ties = {};

  void fail(std::string field, std::string value, std::string allowed) {
    error = refuse(std::move(field), std::move(value), std::move(allowed));
  }
  void fail_state(const std::string& field, int words, const std::string& why,
                  const std::string& whose) {
    fail(field + ".state", std::to_string(words) + " words, and " + why,
         "the state of " + whose + ", as it was saved");
  }

  /// @param field  of the definition in the message
  std::shared_ptr<const CreatureDefinition> define(const v1::Creature& given,
                                                   const Definitions& bases,
                                                   const std::string& field,
                                                   std::uint32_t version) {
    auto made = define_creature(given, bases, field);
    if (auto* wrong = std::get_if<CommandError>(&made)) {
      error = std::move(*wrong);
      return nullptr;
    }
    return with_version(std::get<0>(std::move(made)), version);
  }

  std::shared_ptr<const CreatureDefinition> body(const v1::SavedCharacter& m,
                                                 const std::string& field) {
    if (m.has_body_definition()) {
      return define(m.body_definition(), library, field + ".body_definition", m.body_version());
    }
    auto found = library.find_creature(m.body());
    if (!found) fail(field + ".body", schema::in_quotes(m.body()), library.known_creatures());
    return found;
  }

  /// The style of a character; null without an error if it has none.
  std::shared_ptr<const StyleDefinition> style(const v1::SavedCharacter& m,
                                               const std::string& field) {
    if (m.has_style_definition()) {
      auto made = define_style(m.style_definition(), field + ".style_definition");
      if (auto* wrong = std::get_if<CommandError>(&made)) {
        error = std::move(*wrong);
        return nullptr;
      }
      return with_version(std::get<0>(std::move(made)), m.style_version());
    }
    if (m.style().empty()) return nullptr;
    auto found = library.find_style(m.style());
    if (!found) fail(field + ".style", schema::in_quotes(m.style()), library.known_styles());
    return found;
  }

  /// The gait of a character; null without an error if it has none.
  std::shared_ptr<const GaitDefinition> gait(const v1::SavedCharacter& m,
                                             const std::string& field) {
    if (m.has_gait_definition()) {
      auto made = define_gait(m.gait_definition(), field + ".gait_definition");
      if (auto* wrong = std::get_if<CommandError>(&made)) {
        error = std::move(*wrong);
        return nullptr;
      }
      return with_version(std::get<0>(std::move(made)), m.gait_version());
    }
    if (m.gait().empty()) return nullptr;
    auto found = library.find_gait(m.gait());
    if (!found) fail(field + ".gait", schema::in_quotes(m.gait()), library.known_gaits(""));
    return found;
  }

  void read(const v1::SavedCharacter& m, const std::string& field) {
    auto body_found = body(m, field);
    if (error) return;
    auto style_found = style(m, field);
    if (error) return;
    auto gait_found = gait(m, field);
    if (error) return;
    const control::Family* family = control::find_family(m.controller());
    if (!family) {
      return fail(field + ".controller", schema::in_quotes(m.controller()),
                  control::known_families());
    }
    if (family->styled && !style_found) {
      return fail(field + ".style", "missing",
                  "a style: the controller " + std::string(family->name) + " needs one");
    }
    if (const std::string why = family->why_not(*body_found->body); !why.empty()) {
      return fail(field + ".controller", schema::in_quotes(m.controller()),
                  "a controller that can drive the body; " + why);
    }
    auto e = std::make_unique<Entity>(m.id(), std::move(body_found), std::move(style_found),
                                      *family, library.controllers());
    e->set_gait(std::move(gait_found));
    std::string wrong = read_state(m.state(), *e);
    if (wrong.empty() && !e->is_sound()) wrong = "is impossible for a body";
    if (wrong.empty() && !e->remembers_places_in_the_world()) wrong = "has a place far away";
    if (!wrong.empty()) {
      return fail_state(field, m.state_size(), wrong,
                        "a " + e->body->name + " driven by " + std::string(family->name));
    }
    occupants.entities.add(std::move(e));
  }

  void read(const v1::SavedThing& m, const std::string& field) {
    std::shared_ptr<const CreatureDefinition> definition;
    if (m.has_thing_definition()) {
      definition =
          define(m.thing_definition(), ThingBases(library), field + ".thing_definition", 0);
    } else if (!(definition = library.find_thing(m.thing()))) {
      fail(field + ".thing", schema::in_quotes(m.thing()), library.known_things());
    }
    if (error) return;
    auto prop = std::make_unique<Prop>(m.id(), std::move(definition), m.color());
    std::string wrong = read_state(m.state(), *prop);
    if (wrong.empty() && !prop->is_sound()) wrong = "is impossible for a body";
    if (!wrong.empty()) return fail_state(field, m.state_size(), wrong, "a " + prop->body->name);
    occupants.props.add(std::move(prop));
  }

  void read(const v1::SavedTie& m, const std::string& field) {
    auto tie = std::make_unique<RoomTie>();
    tie->id = m.id();
    tie->name = m.name();
    tie->a = m.a();
    tie->b = m.b();
    const std::string wrong = read_state(m.state(), *tie);
    if (!wrong.empty()) return fail_state(field, m.state_size(), wrong, "a tie");
    if (tie->a == 0 && tie->b == 0) return fail(field + ".a", "0", "a body at one end at least");
    for (const auto& [id, end, name] :
         {std::tuple{tie->a, &tie->tie.a, ".a"}, std::tuple{tie->b, &tie->tie.b, ".b"}}) {
      if (std::abs(end->frame.rotation.squaredNorm() - 1) > 1e-3) {
        return fail_state(field, m.state_size(), "has an invalid rotation", "a tie");
      }
      if (id == 0) continue;
      Occupant* held = occupants.find_occupant(id);
      if (!held || std::size_t(end->link) >= held->body->link_names.size()) {
        return fail(field + name, std::to_string(id), "0 or the id of what it holds");
      }
      end->body = &held->physics;
    }
    ties.add(std::move(tie));
  }

  /// Reads a list with ascending ids. @param end  above all of them
  template <typename List>
  void read_all(const List& list, const std::string& name, std::uint32_t end) {
    std::uint32_t before = 0;
    for (int i = 0; i < list.size() && !error; ++i) {
      const std::string field = "checkpoint." + name + "[" + std::to_string(i) + "]";
      const std::uint32_t id = list[i].id();
      const bool taken = name == "things" && occupants.find(id) != nullptr;
      if (id <= before || id >= end || taken) {
        return fail(field + ".id", std::to_string(id),
                    "above " + std::to_string(before) + ", below " + std::to_string(end) +
                        " and nobody else's");
      }
      before = id;
      read(list[i], field);
    }
  }
};

/// Reads the tasks that characters of the room share. @return what is wrong; empty: nothing
std::string read_shared(const v1::Checkpoint& m, const Reader& reader, SharedTasks& out) {
  if (std::string wrong = read_state(m.shared_state(), out); !wrong.empty()) return wrong;
  for (const auto& list : out.lists()) {
    for (std::size_t i = 0; i < list.members(); ++i) {
      if (!reader.occupants.find(list.member(i))) return "names a character that is not there";
    }
    if (list.members() == 0) return "has tasks of nobody";
  }
  return "";
}

/// Checks the fields that do not depend on the scene.
std::optional<CommandError> check_header(const v1::Checkpoint& m, const RoomSettings& settings,
                                         const std::string& digest) {
  if (m.format() != kCheckpointFormat) {
    return refuse("checkpoint.format", std::to_string(m.format()),
                  std::to_string(kCheckpointFormat) + ", that of this program");
  }
  if (m.version() != PROMENADE_VERSION) {
    return refuse("checkpoint.version", schema::in_quotes(m.version()),
                  schema::in_quotes(PROMENADE_VERSION) + ", that of this program");
  }
  if (m.data_digest() != digest) {
    return refuse("checkpoint.data_digest", schema::in_quotes(m.data_digest()),
                  schema::in_quotes(digest) + ", that of the data directory of this program");
  }
  if (m.substeps() != std::uint32_t(settings.substeps)) {
    return refuse_number("checkpoint.substeps", m.substeps(),
                         std::to_string(settings.substeps) + ", as this room has them");
  }
  if (m.ticks_per_second() != std::uint32_t(settings.ticks_per_second)) {
    return refuse_number("checkpoint.ticks_per_second", m.ticks_per_second(),
                         std::to_string(settings.ticks_per_second) + ", as this room has them");
  }
  if (m.seed() == 0) return refuse("checkpoint.seed", "0", "1 or more");
  if (m.tick() > kMaxTick) {
    return refuse_number("checkpoint.tick", double(m.tick()), "up to 2^40");
  }
  if (m.scene_tick() > m.tick()) {
    return refuse_number("checkpoint.scene_tick", double(m.scene_tick()), "up to the tick");
  }
  if (m.first_id() < 1 || m.first_id() > m.next_id()) {
    return refuse_number("checkpoint.first_id", m.first_id(), "1 to next_id");
  }
  if (m.first_tie() < 1 || m.first_tie() > m.next_tie()) {
    return refuse_number("checkpoint.first_tie", m.first_tie(), "1 to next_tie");
  }
  if (m.things_size() > kMaxThings) {
    return refuse_number("checkpoint.things", m.things_size(),
                         "up to " + std::to_string(kMaxThings));
  }
  const double scale = m.time_scale();
  if (!(scale == 0 || (scale >= 0.1 && scale <= 100))) {
    return refuse_number("checkpoint.time_scale", scale, "0 or from 0.1 to 100");
  }
  if (m.steps_left() > kMaxSingleSteps) {
    return refuse_number("checkpoint.steps_left", m.steps_left(),
                         "up to " + std::to_string(kMaxSingleSteps));
  }
  return std::nullopt;
}

/// Whether `done` commands of the script is a possible number after `elapsed` s.
bool script_position_fits(const Scene& scene, std::uint64_t done, double elapsed, double dt) {
  const auto count = std::uint64_t(scene.script.size());
  if (count == 0) return done == 0;
  const auto due = [&](std::uint64_t i) {
    const std::uint64_t periods = i / count;
    return scene.script[i % count].at + double(periods) * scene.script_period;
  };
  constexpr double kRounding = 1e-6;
  if (scene.script_period <= 0 && done >= count) return done == count;
  if (done > 0 && due(done - 1) > elapsed + kRounding) return false;
  return due(done) > elapsed - dt - kRounding;
}

/// Checks how many characters there are, and how far the script is, against the scene.
std::optional<CommandError> check_against(const v1::Checkpoint& m, const Scene& scene,
                                          const RoomSettings& settings, double dt) {
  // A flow that was replaced may have left more than it.
  const std::size_t of_flow = m.has_flow()         ? kMaxFlowPeople
                              : scene.flow.message ? scene.flow.crowd.plan->most_people
                                                   : 0;
  const std::size_t most = std::size_t(settings.max_characters) + of_flow;
  if (std::size_t(m.characters_size()) > most) {
    return refuse_number("checkpoint.characters", m.characters_size(),
                         "up to " + std::to_string(most));
  }
  const double elapsed = double(m.tick() - m.scene_tick()) * dt;
  if (!script_position_fits(scene, m.script_done(), elapsed, dt)) {
    return refuse_number("checkpoint.script_done", double(m.script_done()),
                         "as many as the scene's script has due by the tick");
  }
  return std::nullopt;
}

/// The parts of a room that a state has beside its bodies and ties.
struct SavedParts {
  Crowd crowd;
  Levels levels;
  SharedTasks shared;
  Courses courses;

  /// @param reader  has read the bodies
  std::optional<CommandError> read(const v1::Checkpoint& m, const Scene& scene,
                                   const Library& library, const Reader& reader, double dt);
};

/// The refusal of the words of a part.
CommandError wrong_words(const char* field, int count, const std::string& wrong,
                         const char* allowed) {
  return refuse(field, std::to_string(count) + " words, and " + wrong, allowed);
}

std::optional<CommandError> SavedParts::read(const v1::Checkpoint& m, const Scene& scene,
                                             const Library& library, const Reader& reader,
                                             double dt) {
  crowd.load(scene, m.seed(), dt);
  if (m.has_flow()) {
    auto made = flow_for(library, scene, m.flow(), m.seed(), "checkpoint");
    if (auto* wrong = std::get_if<CommandError>(&made)) return std::move(*wrong);
    crowd.replace(std::get<SceneFlow>(std::move(made)), m.seed(), m.flow_tick());
  }
  if (const std::string wrong = crowd.read(m.flow_state()); !wrong.empty()) {
    return wrong_words("checkpoint.flow_state", m.flow_state_size(), wrong,
                       "the state of the scene's flow, as it was saved");
  }
  levels.load(scene);
  if (const std::string wrong = read_state(m.level_state(), levels); !wrong.empty()) {
    return wrong_words("checkpoint.level_state", m.level_state_size(), wrong,
                       "which characters are in full physics, as it was saved");
  }
  if (const std::string wrong = read_shared(m, reader, shared); !wrong.empty()) {
    return wrong_words("checkpoint.shared_state", m.shared_state_size(), wrong,
                       "the tasks that characters share, as they were saved");
  }
  courses.begin(scene);
  const std::string wrong_course = !courses.empty()        ? read_state(m.course_state(), courses)
                                   : m.course_state_size() ? "the scene has no course"
                                                           : "";
  if (!wrong_course.empty()) {
    return wrong_words("checkpoint.course_state", m.course_state_size(), wrong_course,
                       "what is on the scene's courses, as it was saved");
  }
  return std::nullopt;
}

}  // namespace

RoomSettings settings_of(const v1::Checkpoint& checkpoint, int threads) {
  RoomSettings settings;
  settings.scene = checkpoint.scene();
  settings.seed = checkpoint.seed();
  settings.threads = threads;
  settings.substeps = int(std::min<std::uint32_t>(checkpoint.substeps(), 1000000));
  settings.ticks_per_second = int(std::min<std::uint32_t>(checkpoint.ticks_per_second(), 1000000));
  return settings;
}

v1::Checkpoint Room::Impl::save() const {
  v1::Checkpoint out;
  out.set_format(kCheckpointFormat);
  out.set_version(PROMENADE_VERSION);
  out.set_data_digest(format_hash(library->digest()));
  out.set_state_hash(format_hash(state_hash()));
  out.set_scene(scene->name());
  if (scene->people != 1) out.set_people(scene->people);
  out.set_seed(settings.seed);
  out.set_substeps(std::uint32_t(settings.substeps));
  out.set_ticks_per_second(std::uint32_t(settings.ticks_per_second));
  out.set_tick(tick_number);
  out.set_scene_tick(scene_tick);
  out.set_script_done(script_done);
  out.set_first_id(occupants.first_id);
  out.set_next_id(occupants.next_id);
  out.set_first_tie(ties.first_id());
  out.set_next_tie(ties.next_id());
  out.set_paused(paused);
  out.set_steps_left(steps_left);
  out.set_time_scale(time_scale);
  StateVisitor::Buffer words;
  for (const auto& e : occupants.entities) {
    v1::SavedCharacter* character = out.add_characters();
    character->set_id(e->id);
    save_definitions(*e, character);
    character->set_controller(std::string(e->family->name));
    words.clear();
    write_state(*e, words);
    character->mutable_state()->Add(words.begin(), words.end());
  }
  for (const auto& prop : occupants.props) {
    v1::SavedThing* thing = out.add_things();
    thing->set_id(prop->id);
    thing->set_color(prop->color);
    if (prop->body_definition->origin == Origin::kBuiltIn) {
      thing->set_thing(prop->body->name);
    } else {
      *thing->mutable_thing_definition() = portable(*prop->body_definition);
    }
    words.clear();
    write_state(*prop, words);
    thing->mutable_state()->Add(words.begin(), words.end());
  }
  out.set_moving_links(std::uint32_t(occupants.moving_links()));
  if (crowd.replaced()) {
    *out.mutable_flow() = *crowd.given().message;
    out.set_flow_tick(crowd.since());
  }
  words.clear();
  crowd.write(words);
  out.mutable_flow_state()->Add(words.begin(), words.end());
  words.clear();
  write_state(levels, words);
  out.mutable_level_state()->Add(words.begin(), words.end());
  words.clear();
  write_state(shared, words);
  out.mutable_shared_state()->Add(words.begin(), words.end());
  if (!courses.empty()) {
    words.clear();
    write_state(courses, words);
    out.mutable_course_state()->Add(words.begin(), words.end());
  }
  for (const auto& tie : ties.all()) {
    v1::SavedTie* saved = out.add_ties();
    saved->set_id(tie->id);
    saved->set_name(tie->name);
    saved->set_a(tie->a);
    saved->set_b(tie->b);
    words.clear();
    write_state(*tie, words);
    saved->mutable_state()->Add(words.begin(), words.end());
  }
  return out;
}

std::optional<CommandError> Room::Impl::restore(const v1::Checkpoint& m) {
  if (auto error = check_header(m, settings, format_hash(library->digest()))) return error;
  auto next = library->find_scene(m.scene());
  if (!next) {
    return refuse("checkpoint.scene", schema::in_quotes(m.scene()),
                  schema::listed_names(library->scene_names()));
  }
  if (!(m.people() == 0 || (m.people() >= kLeastPeople && m.people() < 1))) {
    return refuse_number("checkpoint.people", m.people(),
                         schema::range_text(kLeastPeople, 1) + ", or 0 for all");
  }
  if (m.people() != 0) next = with_fewer_people(next, m.people());
  if (auto wrong = check_against(m, *next, settings, dt())) return wrong;
  Reader reader{*library};
  reader.read_all(m.characters(), "characters", m.next_id());
  if (!reader.error) reader.read_all(m.things(), "things", m.next_id());
  if (!reader.error) reader.read_all(m.ties(), "ties", m.next_tie());
  if (reader.error) return std::move(reader.error);
  SavedParts saved;
  if (auto wrong = saved.read(m, *next, *library, reader, dt())) return wrong;

  const Moment moment{m.tick(),    m.scene_tick(), m.script_done(), m.first_id(),
                      m.next_id(), m.first_tie(),  m.next_tie()};
  std::vector<std::uint64_t> found_digests;
  for (const auto& e : reader.occupants.entities) found_digests.push_back(e->digest());
  for (const auto& prop : reader.occupants.props) found_digests.push_back(prop->digest());
  const std::string found =
      format_hash(hash_of(moment, *next, m.seed(), found_digests, reader.ties,
                          common_digest(saved.crowd, saved.levels, saved.shared, saved.courses)));
  if (m.state_hash() != found) {
    return refuse("checkpoint.state_hash", schema::in_quotes(m.state_hash()),
                  schema::in_quotes(found) + ", that of the state in it: it was changed");
  }
  // By it the state was let in: see WorkBudget.
  const std::size_t moving = reader.occupants.moving_links();
  if (m.moving_links() != 0 && m.moving_links() != moving) {
    return refuse_number("checkpoint.moving_links", m.moving_links(), std::to_string(moving));
  }

  crowd = std::move(saved.crowd);
  levels = std::move(saved.levels);
  shared = std::move(saved.shared);
  scene = std::move(next);
  courses = std::move(saved.courses);
  ties.restore(std::move(reader.ties), moment.first_tie, moment.next_tie);
  occupants.entities = std::move(reader.occupants.entities);
  occupants.props = std::move(reader.occupants.props);
  settings.seed = m.seed();
  lay_courses();
  tick_number = moment.tick;
  scene_tick = moment.scene_tick;
  script_done = moment.script_done;
  occupants.first_id = moment.first_id;
  occupants.next_id = moment.next_id;
  paused = m.paused();
  steps_left = m.steps_left();
  time_scale = m.time_scale();
  ++epoch;
  bodies_changed();
  return std::nullopt;
}

}  // namespace promenade::world
