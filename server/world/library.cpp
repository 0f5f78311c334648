#include "world/library.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>

#include "schema/check.h"
#include "schema/message.h"
#include "world/hash.h"

namespace promenade {
namespace {

// Adds names and bytes of a directory's files. Errors are left to the loaders.
void digest_directory(const std::filesystem::path& directory, world::Hash& hash) {
  const auto files = schema::json_files(directory);
  if (!files) return;
  for (const auto& path : *files) {
    hash.add(std::string_view(path.filename().string()));
    if (const auto text = schema::read_file(path)) hash.add(std::string_view(*text));
  }
}

/// Whether every parameter is there and one that the controller can take. One left out would be 0,
/// and quietly switch a part of the controller off or be divided by.
std::optional<schema::FileError> check_parameters(const control::GbwcParameters& parameters,
                                                  const schema::Source& source) {
  struct Bounds {
    const char* key;
    double low, high;
  };
  constexpr Bounds kOthers = {"", 0, 1e6};
  constexpr Bounds kBounds[] = {
      {"full_load", 0.01, 1},
      {"straighten_phase", 0.01, 1},
      {"swing_speed_mps", 0.01, 100},
      {"hurry", 1, 100},
      {"patience", 0, 1},
      {"turn_slow_rad", 0.01, 100},
      {"root_kp_nm", 1, 1e6},
      {"root_kd_nms", 1, 1e6},
      {"max_step", 0.01, 10},
      {"turn_rate", 0.01, 100},
      {"acceleration_mps2", 0.01, 100},
  };
  schema::Checker check(source);
  const google::protobuf::Descriptor* type = parameters.GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const std::string& key = type->field(i)->name();
    const auto* found = std::find_if(std::begin(kBounds), std::end(kBounds),
                                     [&](const Bounds& bounds) { return key == bounds.key; });
    const Bounds& bounds = found == std::end(kBounds) ? kOthers : *found;
    if (!source.lines.contains(key)) {
      check.fail(key, "",
                 "from " + schema::number(bounds.low) + " to " + schema::number(bounds.high),
                 "is missing");
    } else {
      const double value = parameters.GetReflection()->GetDouble(parameters, type->field(i));
      check.range(key, value, bounds.low, bounds.high);
    }
  }
  if (check.ok()) return std::nullopt;
  return check.error();
}

std::shared_ptr<const world::CreatureDefinition> built_in(const CreatureLibrary::Entry& entry) {
  auto definition = std::make_shared<world::CreatureDefinition>();
  definition->given = definition->whole = entry.character;
  definition->body = entry.body;
  definition->origin = world::Origin::kBuiltIn;
  return definition;
}

}  // namespace

schema::Result<std::shared_ptr<const Library>> Library::load(
    const std::filesystem::path& data_dir) {
  auto library = std::make_shared<Library>();
  auto bodies = CreatureLibrary::load(data_dir / "creatures");
  if (!bodies) return bodies.error();
  library->bodies_ = std::move(bodies).value();
  // A data directory may do without things.
  if (std::filesystem::is_directory(data_dir / "things")) {
    auto things = CreatureLibrary::load(data_dir / "things");
    if (!things) return things.error();
    library->things_ = std::move(things).value();
  }
  auto styles = StyleLibrary::load(data_dir / "styles");
  if (!styles) return styles.error();
  library->styles_ = std::move(styles).value();
  auto gbwc = schema::load_message<v1::GbwcParameters>(data_dir / "controllers" / "gbwc.json");
  if (!gbwc) return gbwc.error();
  if (auto error = check_parameters(gbwc->message, gbwc->source)) return *std::move(error);
  library->gbwc_ = std::make_shared<const control::GbwcParameters>(gbwc->message);
  for (const std::string& name : library->bodies_.names()) {
    const CreatureLibrary::Entry& entry = *library->bodies_.find(name);
    library->body_list_.push_back(entry.body);
    library->body_definitions_[name] = built_in(entry);
  }
  for (const std::string& name : library->things_.names()) {
    library->thing_definitions_[name] = built_in(*library->things_.find(name));
  }
  for (const std::string& name : library->styles_.names()) {
    auto file = schema::load_message<v1::Style>(data_dir / "styles" / (name + ".json"));
    if (!file) return file.error();
    auto definition = std::make_shared<world::StyleDefinition>();
    definition->message = std::move(file->message);
    definition->style = library->styles_.find(name);
    definition->origin = world::Origin::kBuiltIn;
    library->style_definitions_[name] = std::move(definition);
  }

  const auto files = schema::json_files(data_dir / "scenes");
  if (!files) return files.error();
  for (const auto& path : *files) {
    auto loaded = schema::load_message<v1::Scene>(path);
    if (!loaded) return loaded.error();
    auto scene =
        world::build_scene(loaded->message, library->bodies_, library->things_, library->styles_,
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
    for (world::ScriptedCommand& scripted : scene->script) {
      if (const auto error = world::resolve(scripted.command, *library)) {
        return schema::FileError{path.string(),
                                 loaded->source.line("script"),
                                 "script: " + error->field,
                                 error->value,
                                 error->allowed,
                                 ""};
      }
    }
    const std::string name = scene->name();
    library->scenes_[name] = std::make_shared<const world::Scene>(std::move(scene).value());
  }
  for (const auto& [name, scene] : library->scenes_) library->scene_names_.push_back(name);
  std::stable_partition(library->scene_names_.begin(), library->scene_names_.end(),
                        [](const std::string& name) { return name == "square"; });

  world::Hash hash;
  for (const char* folder : {"controllers", "creatures", "scenes", "styles", "things"}) {
    digest_directory(data_dir / folder, hash);
  }
  library->digest_ = hash.value();
  return std::shared_ptr<const Library>(std::move(library));
}

std::shared_ptr<const world::StyleDefinition> Library::find_style(const std::string& name) const {
  const auto found = style_definitions_.find(name);
  return found == style_definitions_.end() ? nullptr : found->second;
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
