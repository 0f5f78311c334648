#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/kinds.h"
#include "control/gbwc/style_library.h"
#include "control/registry.h"
#include "creature/creature_library.h"
#include "math/state.h"
#include "physics/ground/ground.h"
#include "promenade/v1/scene.pb.h"
#include "schema/check.h"
#include "schema/error.h"
#include "schema/message.h"
#include "world/command/command.h"
#include "world/scene/course.h"
#include "world/scene/crowd_flow.h"
#include "world/scene/ground.h"

namespace promenade::world {

/// The style where a controller needs one and none is named.
inline constexpr const char* kDefaultStyle = "normal";

/// A character that a scene makes.
struct CharacterPlan {
  std::string body;
  std::string style = kDefaultStyle;  // ignored where the controller has no styles
  std::string gait;                   // empty: the usual one, where the controller plays gaits
  std::shared_ptr<const CreatureDefinition> body_definition;  // instead of the name, if given
  std::shared_ptr<const StyleDefinition> style_definition;
  std::optional<Vec2> position;  // world; none: a free place near the origin
  double heading = 0;            // rad
  double scatter = 0;            // m: the room's seed moves the position by up to this
  double heading_scatter = 0;    // rad: the seed turns the heading by up to this, to either side
  behaviour::Order order;        // from the start, and again after a reset
  const control::Family* family = nullptr;  // null: the first that can drive the body
};

/// The members of a crowd: bodies and styles given out in turn, so that all pairs occur.
struct CrowdMix {
  /// Neither is empty. Creatures without a style ignore theirs.
  std::vector<std::string> bodies, styles;
  const control::Family* family = nullptr;  // null: for each body the first that can drive it
  /// The k-th of the crowd.
  CharacterPlan member(std::size_t k) const;
};

/// A crowd of characters, placed at random when the scene is loaded.
struct CrowdPlan {
  int count = 0;
  int left_out = 0;  // members of the scene's file that are left out: nobody gets their numbers
  CrowdMix mix;
  Vec2 center = Vec2::Zero();
  double radius = 8;    // m
  bool wander = false;  // of the members that walk
};

/// A thing that a scene makes.
struct ThingPlan {
  std::string thing;
  std::shared_ptr<const CreatureDefinition> definition = nullptr;  // instead of the name, if given
  std::string color;                                               // empty: its own
  std::optional<Vec2> on_ground;  // set down there; neither: near the origin
  std::optional<Vec3> position;   // of the first link's origin
  Quat rotation = Quat::Identity();
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  bool of_scene = false;
};

/// Things dropped at random when the scene is loaded.
struct HeapPlan {
  int count = 0;
  std::vector<std::string> things;  // dealt in turn
  Vec2 center = Vec2::Zero();
  double radius = 1, height = 1;  // m
};

struct ScriptedCommand {
  double at = 0;    // s after the scene is loaded
  Command command;  // characters, things and ties counted from 1 in the order of the scene
};

/// The people who come and go.
struct SceneFlow {
  std::shared_ptr<const v1::CrowdFlow> message;  // as given; null: nobody
  CrowdFlow crowd;                               // without a plan: nobody
  CrowdMix mix;
};

/// A scene, checked against the bodies and styles of the library. Never changed once built.
struct Scene {
  v1::Scene message;  // as in the file
  std::uint64_t seed = 1;
  std::shared_ptr<const physics::Ground> ground;
  std::vector<behaviour::Obstacle> obstacles;  // high blocks, pits, steep ground
  std::vector<CoursePlan> courses;
  std::vector<CharacterPlan> characters;
  std::vector<CrowdPlan> crowds;
  SceneFlow flow;
  std::uint32_t in_physics = 0;  // as SetDetail
  View view;                     // of its camera
  std::vector<ThingPlan> things;
  std::vector<HeapPlan> heaps;
  std::vector<AddTie> ties;             // numbered as for ScriptedCommand
  std::vector<ScriptedCommand> script;  // by time
  double script_period = 0;             // s; 0: once
  double get_up_delay = 3;              // s; negative: never
  double get_up_for = 20;               // s of trying by itself; negative: it does not try
  double people = 1;                    // share of those of its file, see with_fewer_people()

  const std::string& name() const { return message.name(); }
  int character_count() const;  // when it has just been loaded
  int thing_count() const;
};

/// The scene with a share of the people of its crowds and its flow, at least one of each. Numbers
/// of characters and things stay as they are.
/// @param share  0.01 to 1
std::shared_ptr<const Scene> with_fewer_people(std::shared_ptr<const Scene> scene, double share);

/// Checks every field; errors name the key and, from `source`, file and line.
schema::Result<Scene> build_scene(const v1::Scene& message, const CreatureLibrary& bodies,
                                  const CreatureLibrary& things, const StyleLibrary& styles,
                                  const HeightImages& images, const schema::Source& source);

/// Reads a flow. Keys in errors begin with "flow.".
/// @param obstacles  of the scene
/// @return  without a plan where `check` got an error
SceneFlow build_flow(const v1::CrowdFlow& message, std::span<const behaviour::Obstacle> obstacles,
                     std::uint64_t seed, const CreatureLibrary& bodies, const StyleLibrary& styles,
                     schema::Checker& check);

inline constexpr int kMaxSceneCharacters = 10000;
inline constexpr int kMaxScript = 1000;

}  // namespace promenade::world
