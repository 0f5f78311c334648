#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/controller_library.h"
#include "control/gbwc/style_library.h"
#include "creature/creature_library.h"
#include "schema/error.h"
#include "world/library/definitions.h"
#include "world/scene/scene.h"

namespace promenade {

/// Everything in a data directory: creatures, things, styles, gaits, parameters of controllers, and
/// scenes. Never changed once loaded, so rooms and threads share one.
class Library : public world::Definitions {
 public:
  /// Loads tasks.json and the *.json of
  /// `data_dir`/{creatures,things,styles,gaits,scenes,controllers}. The first mistake in any file
  /// is the error, with file, line and key.
  static schema::Result<std::shared_ptr<const Library>> load(const std::filesystem::path& data_dir);

  const CreatureLibrary& bodies() const { return bodies_; }
  const CreatureLibrary& things() const { return things_; }
  const StyleLibrary& styles() const { return styles_; }
  const GaitLibrary& gaits() const { return controllers_.toys(); }
  const control::ControllerLibrary& controllers() const { return controllers_; }
  /// Sorted by name; their order is the order of Roster::bodies.
  const std::vector<std::shared_ptr<const Creature>>& body_list() const { return body_list_; }

  std::shared_ptr<const world::StyleDefinition> find_style(const std::string& name) const override;
  std::shared_ptr<const world::CreatureDefinition> find_creature(
      const std::string& name) const override;
  std::string known_styles() const override { return schema::listed_names(styles_.names()); }
  std::string known_creatures() const override { return schema::listed_names(bodies_.names()); }
  std::shared_ptr<const world::CreatureDefinition> find_thing(
      const std::string& name) const override;
  std::string known_things() const override { return schema::listed_names(things_.names()); }
  std::shared_ptr<const world::GaitDefinition> find_gait(const std::string& name) const override;
  std::string known_gaits(const std::string& creature) const override;
  const v1::TaskParameters& tasks() const override { return *tasks_; }
  /// The gait of a body for which none is named; null: it has none.
  std::shared_ptr<const world::GaitDefinition> usual_gait(const Creature& body) const;

  /// nullptr if there is none.
  std::shared_ptr<const world::Scene> find_scene(const std::string& name) const;
  /// "plaza" first, the others sorted.
  const std::vector<std::string>& scene_names() const { return scene_names_; }

  /// A hash of the bytes of all files: two libraries with the same digest make the same rooms.
  std::uint64_t digest() const { return digest_; }

 private:
  std::optional<schema::FileError> load_bodies(const std::filesystem::path& data_dir);
  /// Makes definitions of bodies, things, gaits and styles, and tells the tables of gaits of them.
  std::optional<schema::FileError> define(const std::filesystem::path& data_dir);
  /// @pre  all definitions are there, for the scenes' commands
  std::optional<schema::FileError> load_scenes(const std::filesystem::path& data_dir);
  /// Whether the characters of a scene can play the gaits that it names.
  std::optional<schema::FileError> check_gaits(const world::Scene& scene,
                                               const schema::Source& source) const;
  void sort_scene_names();

  std::shared_ptr<const v1::TaskParameters> tasks_;
  CreatureLibrary bodies_;
  CreatureLibrary things_;
  StyleLibrary styles_;
  control::ControllerLibrary controllers_;
  std::vector<std::shared_ptr<const Creature>> body_list_;
  std::map<std::string, std::shared_ptr<const world::StyleDefinition>> style_definitions_;
  std::map<std::string, std::shared_ptr<const world::GaitDefinition>> gait_definitions_;
  std::map<std::string, std::shared_ptr<const world::CreatureDefinition>> body_definitions_;
  std::map<std::string, std::shared_ptr<const world::CreatureDefinition>> thing_definitions_;
  std::map<std::string, std::shared_ptr<const world::Scene>> scenes_;
  std::vector<std::string> scene_names_;
  std::uint64_t digest_ = 0;
};

}  // namespace promenade
