#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "behaviour/tasks/task.h"
#include "control/controller.h"
#include "creature/creature.h"
#include "world/command/command.h"
#include "world/crowd/flow_figures.h"

namespace promenade::world {

// Each type that is told to another process (isolation/archive.h) names its members once, in
// `exchange`, for both directions. A test counts them.

enum CharacterFlag : std::uint32_t {
  kFlagLeftStance = 1,
  kFlagLeftContact = 2,
  kFlagRightContact = 4,
  kFlagStanding = 8,
  kFlagFallen = 16,
  kFlagQuarantined = 32,
  kFlagPushed = 64,
  kFlagLimp = 128,      // its controller does not keep it up
  kFlagAway = 256,      // not in the scene at present, one of its flow
  kFlagLight = 512,     // moved outside the physics
  kFlagHolding = 1024,  // its controller holds a pose, and does nothing to stay on its feet
};

/// CharacterSnapshot::presence of a character of which all is to be seen.
constexpr std::uint32_t kWholePresence = 255;

struct RosterEntry {
  CharacterId id = 0;
  int body = 0;       // index into Roster::bodies
  std::string style;  // empty where the controller has none
  std::string color;
  std::string controller;         // the family's name
  std::uint32_t coordinates = 0;  // of its joints in a snapshot
  std::shared_ptr<const CreatureDefinition> body_definition = nullptr;
  std::shared_ptr<const StyleDefinition> style_definition = nullptr;  // null where it has none
  std::shared_ptr<const GaitDefinition> gait_definition = nullptr;    // null where it has none

  template <typename Archive>
  void exchange(Archive& archive) {
    archive(id, body, style, color, controller, coordinates);
  }
};

struct ThingEntry {
  CharacterId id = 0;
  int body = 0;  // index into Roster::bodies
  std::string color;
  std::uint32_t coordinates = 0;  // of its joints in a snapshot
  std::shared_ptr<const CreatureDefinition> body_definition = nullptr;

  template <typename Archive>
  void exchange(Archive& archive) {
    archive(id, body, color, coordinates);
  }
};

/// A tie or grip that holds now.
struct TieEntry {
  TieId id = 0;
  bool grip = false;
  TieType kind = TieType::kBall;
  struct End {
    CharacterId id = 0;  // 0: the world
    std::string link;
    Vec3 point = Vec3::Zero();  // m, in the link's frame; in the world frame if `id` is 0
  } a, b;

  template <typename Archive>
  void exchange(Archive& archive) {
    archive(id, grip, kind, a.id, a.link, a.point, b.id, b.link, b.point);
  }
};

/// The characters, things and ties of a room. Replaced as a whole whenever it changes.
struct Roster {
  std::uint64_t version = 0;  // stays where only definitions behind the same names change
  std::uint64_t epoch = 0;    // changes with the scene
  std::string scene;
  std::vector<std::shared_ptr<const Creature>> bodies;  // the library's, then others in use
  std::vector<RosterEntry> entries;  // ascending ids, the order of Snapshot::characters
  std::vector<ThingEntry> things;    // ascending ids, the order of Snapshot::things
  std::vector<TieEntry> ties;        // ascending ids
  std::uint64_t scene_tick = 0;      // at which the scene was loaded
  std::string flow;                  // encoded v1::CrowdFlow of its people; empty: nobody
  std::uint64_t flow_tick = 0;       // since when the flow is this one
  std::string course;                // encoded v1::CourseBlocks of its courses
  /// [bodies][joint coordinates] whether it is a length, m, and not an angle; empty: none is.
  std::vector<std::vector<bool>> lengths;

  /// All but the definitions, and what was made of them.
  template <typename Archive>
  void exchange(Archive& archive) {
    archive(version, epoch, scene, scene_tick, flow, flow_tick, course, lengths, entries, things,
            ties);
  }
};

struct CharacterSnapshot {
  CharacterId id = 0;
  Pose root;  // world_from_root
  std::uint32_t flags = 0;
  std::uint32_t limb_contacts = 0;          // bit i: limb i of the body presses on something
  std::uint32_t presence = kWholePresence;  // how much of it there is to see
  std::uint32_t first_coordinate = 0;       // into Snapshot::coordinates
  std::uint32_t first_way_point = 0;        // into Snapshot::way_points
  control::ControlReport report;
  Vec2 desired_velocity = Vec2::Zero();  // world frame
  double desired_heading = 0;
  double step_width = 0;                             // m, at the last foot-strike
  double asked_step_time = 0, asked_step_width = 0;  // s, m: of style and body
  double kinetic_energy = 0, potential_energy = 0;
  Vec3 push_point = Vec3::Zero(), push_force = Vec3::Zero();  // zero force: none

  template <typename Archive>
  void exchange(Archive& archive) {
    archive(id, root, flags, limb_contacts, presence, first_coordinate, first_way_point);
    report.visit(archive);
    archive(desired_velocity, desired_heading, step_width, asked_step_time, asked_step_width,
            kinetic_energy, potential_energy, push_point, push_force);
  }
};

struct ThingSnapshot {
  CharacterId id = 0;
  Pose root;  // world_from_root
  bool asleep = false;
  std::uint64_t slept_at = 0;          // tick at which it last fell asleep
  std::uint32_t first_coordinate = 0;  // into Snapshot::thing_coordinates

  template <typename Archive>
  void exchange(Archive& archive) {
    archive(id, root, asleep, slept_at, first_coordinate);
  }
};

/// The list of tasks that somebody has been given.
struct TaskListSnapshot {
  CharacterId id = 0;
  std::vector<behaviour::tasks::Task> tasks;
  std::uint32_t current = 0;  // of `tasks`; their number: all are over
  bool repeat = false;
  /// Where several share it: their ids, and their progress.
  std::vector<CharacterId> shared_by;
  struct Progress {
    std::uint8_t state = 0;  // as v1::TaskProgress::State
    CharacterId character = 0;

    template <typename Archive>
    void exchange(Archive& archive) {
      archive(state, character);
    }
  };
  std::vector<Progress> progress;  // [tasks]

  template <typename Archive>
  void exchange(Archive& archive) {
    archive(id, tasks, current, repeat, shared_by, progress);
  }
};

/// How somebody mixes its gait.
struct GaitSnapshot {
  CharacterId id = 0;
  std::vector<float> shares;  // [1 + variants] of the gait itself, then of each variant
  bool leaps = false;
  bool feedback_off = false;

  template <typename Archive>
  void exchange(Archive& archive) {
    archive(id, shares, leaps, feedback_off);
  }
};

struct ContactSnapshot {
  Vec3 position = Vec3::Zero(), force = Vec3::Zero();
  std::uint32_t character_index = 0;

  template <typename Archive>
  void exchange(Archive& archive) {
    archive(position, force, character_index);
  }
};

/// A room at one tick. Immutable once published.
struct Snapshot {
  std::uint64_t tick = 0;
  std::uint64_t server_time_us = 0;
  double real_time_factor = 0;
  bool has_hash = true;
  std::uint64_t state_hash = 0;  // Room::state_hash() at this tick, if `has_hash`
  bool paused = false;
  double time_scale = 1;
  std::uint32_t in_physics = 0;  // of the room's levels of detail, see SetDetail
  std::shared_ptr<const Roster> roster;
  std::vector<CharacterSnapshot> characters;  // order of the roster
  std::vector<float>
      coordinates;  // rad: hinge 1, universal 2 (pitch, roll), ball 3 (rotation vector); slider m
  std::vector<ThingSnapshot> things;     // order of the roster
  std::vector<float> thing_coordinates;  // as `coordinates`
  std::vector<ContactSnapshot> contacts;
  FlowFigures flow_figures;
  /// m, world, still to come; order of the roster, then of the way. In rooms that are not small
  /// only of those whose details somebody may want.
  std::vector<Vec2> way_points;
  std::vector<TaskListSnapshot> task_lists;  // in that order, of characters with tasks
  std::vector<GaitSnapshot> gaits;           // in that order, of characters that play gaits

  /// All but the roster.
  template <typename Archive>
  void exchange(Archive& archive) {
    archive(tick, server_time_us, real_time_factor, has_hash, state_hash, paused, time_scale,
            in_physics, characters, coordinates, things, thing_coordinates, contacts, flow_figures,
            way_points, task_lists, gaits);
  }
  /// Way-points that are still to come for one.
  std::span<const Vec2> path_of(std::size_t index) const {
    const std::size_t first = characters[index].first_way_point;
    const bool last = index + 1 == characters.size();
    const std::size_t end = last ? way_points.size() : characters[index + 1].first_way_point;
    return std::span(way_points).subspan(first, end - first);
  }
};

struct RoomEvent {
  enum class Kind : std::uint8_t {
    kFell,
    kGotUp,
    kQuarantined,
    kArrived,
    kLeft,     // the world; it comes back
    kRemoved,  // because it left the world
    kTaskDone,
    kTaskFailed,
    kSharedTasksDone,  // `character` is one of those who share them
    kNotice,
  };
  std::uint64_t tick = 0;
  CharacterId character = 0;
  Kind kind = Kind::kNotice;
  std::string text;
  double missed_by = 0;  // m, of kTaskDone: from hand or thing to its goal
};

/// Whether one of `entries`, which stand by ascending id, has that id.
template <typename Entry>
bool has_id(const std::vector<Entry>& entries, CharacterId id) {
  const auto found =
      std::lower_bound(entries.begin(), entries.end(), id,
                       [](const Entry& one, CharacterId wanted) { return one.id < wanted; });
  return found != entries.end() && found->id == id;
}

}  // namespace promenade::world
