#include "world/library/library.h"

#include <algorithm>

#include "behaviour/tasks/parameters.h"
#include "control/pendulum/gait_tables.h"
#include "math/hash.h"
#include "schema/check.h"
#include "schema/message.h"
#include "schema/refusal.h"

namespace promenade {
namespace {

constexpr const char* kPlainStyle = "normal";  // put on for work
constexpr const char* kTasks = "tasks.json";

// Adds names and bytes of a directory's files. Errors are ignored here; the loaders report them.
void digest_directory(const std::filesystem::path& directory, Hash& hash) {
  const auto files = schema::json_files(directory);
  if (!files) return;
  for (const auto& path : *files) {
    hash.add(std::string_view(path.filename().string()));
    if (const auto text = schema::read_file(path)) hash.add(std::string_view(*text));
  }
}

/// A name means one body: creatures and things together have each name once.
std::optional<schema::FileError> check_names(const CreatureLibrary& bodies,
                                             const CreatureLibrary& things,
                                             const std::filesystem::path& directory) {
  for (const std::string& name : things.names()) {
    if (!bodies.find(name)) continue;
    const std::filesystem::path path = directory / (name + ".json");
    const auto file = schema::load_message<v1::Creature>(path);
    return schema::FileError{path.string(),
                             file ? file->source.line("name") : 0,
                             "name",
                             schema::in_quotes(name),
                             "a name that no creature has; things and creatures share their names",
                             ""};
  }
  return std::nullopt;
}

std::shared_ptr<const world::CreatureDefinition> built_in(const CreatureLibrary::Entry& entry,
                                                          const v1::TaskParameters& tasks) {
  auto definition = std::make_shared<world::CreatureDefinition>();
  definition->given = definition->whole = entry.character;
  definition->body = entry.body;
  definition->origin = world::Origin::kBuiltIn;
  note_encoding(*definition, tasks);
  return definition;
}

}  // namespace

schema::Result<std::shared_ptr<const Library>> Library::load(
    const std::filesystem::path& data_dir) {
  auto library = std::make_shared<Library>();
  if (auto error = library->load_bodies(data_dir)) return *std::move(error);
  auto styles = StyleLibrary::load(data_dir / "styles");
  if (!styles) return styles.error();
  library->styles_ = std::move(styles).value();
  auto gaits = GaitLibrary::load(data_dir / "gaits", library->bodies_);
  if (!gaits) return gaits.error();
  auto controllers = control::ControllerLibrary::load(data_dir / "controllers");
  if (!controllers) return controllers.error();
  library->controllers_ = std::move(controllers).value();
  library->controllers_.set_toys(std::move(gaits).value());
  library->controllers_.set_plain_style(library->styles_.find(kPlainStyle));
  auto tasks = behaviour::tasks::load_parameters(data_dir / kTasks);
  if (!tasks) return tasks.error();
  library->tasks_ = *std::move(tasks);
  if (auto error = library->define(data_dir)) return *std::move(error);
  if (auto error = library->load_scenes(data_dir)) return *std::move(error);
  library->sort_scene_names();

  Hash hash;
  for (const char* folder : {"controllers", "creatures", "gaits", "scenes", "styles", "things"}) {
    digest_directory(data_dir / folder, hash);
  }
  if (const auto text = schema::read_file(data_dir / kTasks)) hash.add(std::string_view(*text));
  library->digest_ = hash.value();
  return std::shared_ptr<const Library>(std::move(library));
}

std::optional<schema::FileError> Library::load_bodies(const std::filesystem::path& data_dir) {
  auto bodies = CreatureLibrary::load(data_dir / "creatures");
  if (!bodies) return bodies.error();
  bodies_ = std::move(bodies).value();
  // A data directory need not have things.
  if (!std::filesystem::is_directory(data_dir / "things")) return std::nullopt;
  auto things = CreatureLibrary::load(data_dir / "things");
  if (!things) return things.error();
  things_ = std::move(things).value();
  return check_names(bodies_, things_, data_dir / "things");
}

std::optional<schema::FileError> Library::define(const std::filesystem::path& data_dir) {
  const auto tables = controllers_.setup(*control::find_family("pendulum"), nullptr).gaits;
  for (const std::string& name : bodies_.names()) {
    const CreatureLibrary::Entry& entry = *bodies_.find(name);
    body_list_.push_back(entry.body);
    body_definitions_[name] = built_in(entry, *tasks_);
    tables->note(entry.body, body_definitions_[name]->encoded);
  }
  for (const std::string& name : things_.names()) {
    thing_definitions_[name] = built_in(*things_.find(name), *tasks_);
  }
  for (const std::string& name : gaits().names()) {
    auto definition = std::make_shared<world::GaitDefinition>();
    definition->message = gaits().find(name)->message;
    definition->origin = world::Origin::kBuiltIn;
    definition->id = world::id_of_built_in(name);
    gait_definitions_[name] = std::move(definition);
  }
  for (const std::string& name : styles_.names()) {
    auto file = schema::load_message<v1::Style>(data_dir / "styles" / (name + ".json"));
    if (!file) return file.error();
    auto definition = std::make_shared<world::StyleDefinition>();
    definition->message = std::move(file->message);
    definition->style = styles_.find(name);
    definition->origin = world::Origin::kBuiltIn;
    definition->id = world::id_of_built_in(name);
    tables->note(definition->style, definition->message.SerializeAsString());
    style_definitions_[name] = std::move(definition);
  }
  return std::nullopt;
}

std::optional<schema::FileError> Library::load_scenes(const std::filesystem::path& data_dir) {
  const auto files = schema::json_files(data_dir / "scenes");
  if (!files) return files.error();
  for (const auto& path : *files) {
    auto loaded = schema::load_message<v1::Scene>(path);
    if (!loaded) return loaded.error();
    auto scene = world::build_scene(loaded->message, bodies_, things_, styles_,
                                    world::height_images(data_dir / "heights"), loaded->source);
    if (!scene) return scene.error();
    if (scene->name() != path.stem().string()) {
      return schema::FileError{path.string(),
                               loaded->source.line("name"),
                               "name",
                               "\"" + scene->name() + "\"",
                               "the file's name, \"" + path.stem().string() + "\"",
                               ""};
    }
    if (auto error = check_gaits(*scene, loaded->source)) return error;
    for (world::ScriptedCommand& scripted : scene->script) {
      if (const auto error = world::resolve(scripted.command, *this)) {
        return schema::FileError{path.string(),
                                 loaded->source.line("script"),
                                 "script: " + error->field,
                                 error->value,
                                 error->allowed,
                                 ""};
      }
    }
    const std::string name = scene->name();
    scenes_[name] = std::make_shared<const world::Scene>(std::move(scene).value());
  }
  return std::nullopt;
}

std::optional<schema::FileError> Library::check_gaits(const world::Scene& scene,
                                                      const schema::Source& source) const {
  schema::Checker check(source);
  for (std::size_t i = 0; i < scene.characters.size() && check.ok(); ++i) {
    const world::CharacterPlan& plan = scene.characters[i];
    if (plan.gait.empty()) continue;
    const std::string field = schema::indexed("characters", i) + ".gait";
    const auto found = find_gait(plan.gait);
    if (!found) {
      check.fail(field, schema::in_quotes(plan.gait), known_gaits(plan.body));
      continue;
    }
    const auto fitting = world::fit_gait(*found, *bodies_.find(plan.body)->body, "");
    if (const auto* wrong = std::get_if<world::CommandError>(&fitting)) {
      check.fail(field, schema::in_quotes(plan.gait),
                 known_gaits(plan.body) + "; " + wrong->message);
    }
  }
  return check.ok() ? std::nullopt : std::optional(check.error());
}

void Library::sort_scene_names() {
  for (const auto& [name, scene] : scenes_) scene_names_.push_back(name);
  std::stable_partition(scene_names_.begin(), scene_names_.end(),
                        [](const std::string& name) { return name == "plaza"; });
}

std::shared_ptr<const world::StyleDefinition> Library::find_style(const std::string& name) const {
  const auto found = style_definitions_.find(name);
  return found == style_definitions_.end() ? nullptr : found->second;
}

std::shared_ptr<const world::GaitDefinition> Library::find_gait(const std::string& name) const {
  const auto found = gait_definitions_.find(name);
  return found == gait_definitions_.end() ? nullptr : found->second;
}

std::string Library::known_gaits(const std::string& creature) const {
  std::vector<std::string> names;
  for (const auto& [name, gait] : gait_definitions_) {
    if (creature.empty() || gait->message.creature() == creature) names.push_back(name);
  }
  return names.empty() ? "none: it has no gait" : schema::listed_names(names);
}

std::shared_ptr<const world::GaitDefinition> Library::usual_gait(const Creature& body) const {
  const auto usual = gaits().usual_for(body);
  return usual ? find_gait(usual->name) : nullptr;
}

std::shared_ptr<const world::CreatureDefinition> Library::find_creature(
    const std::string& name) const {
  const auto found = body_definitions_.find(name);
  return found == body_definitions_.end() ? nullptr : found->second;
}

std::shared_ptr<const world::CreatureDefinition> Library::find_thing(
    const std::string& name) const {
  const auto found = thing_definitions_.find(name);
  return found == thing_definitions_.end() ? nullptr : found->second;
}

std::shared_ptr<const world::Scene> Library::find_scene(const std::string& name) const {
  const auto found = scenes_.find(name);
  return found == scenes_.end() ? nullptr : found->second;
}

}  // namespace promenade
