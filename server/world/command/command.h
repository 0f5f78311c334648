#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "behaviour/kinds.h"
#include "behaviour/tasks/task.h"
#include "math/types.h"

namespace promenade::v1 {
class Creature;
class CrowdFlow;
class Style;
}  // namespace promenade::v1

// Commands as plain values whose ranges have been checked. The room checks names of bodies, styles,
// scenes and links, and whether characters exist, when the command takes effect.
// A command with a member `order`, of a behaviour, is followed by whoever walks; scenes can begin
// with it, too.
namespace promenade::world {

struct GaitDefinition;   // world/library/definitions.h
struct StyleDefinition;  // world/library/definitions.h
struct CreatureDefinition;

/// Of a character or a thing: 1, 2, ...; never used twice in a room.
using CharacterId = std::uint32_t;
/// Of a tie or grip: 1, 2, ... in a sequence of their own; never used twice in a room.
using TieId = std::uint32_t;

enum class Frame : std::uint8_t { kCharacter, kWorld };

struct SetVelocity {
  CharacterId character;
  Vec2 velocity = Vec2::Zero();
  Frame frame;
};
struct SetHeading {
  CharacterId character;
  double heading;
};
struct Stop {
  CharacterId character;
};
struct FollowPath {
  CharacterId character;
  behaviour::PathFollower::Order order;
};
struct Push {
  CharacterId character;
  std::string link;
  Vec3 point = Vec3::Zero();
  Vec3 force = Vec3::Zero();
  double duration;
};
// A name or a definition; if there is a definition the name is ignored.
struct SetStyle {
  CharacterId character;
  std::string style;
  std::shared_ptr<const StyleDefinition> definition = nullptr;
  std::shared_ptr<const v1::Style> based_on = nullptr;  // `definition` was changed from this
};
struct SetGait {
  CharacterId character;
  std::string gait;  // empty where there is a definition, or where the gait stays
  std::shared_ptr<const GaitDefinition> definition = nullptr;
  std::vector<double> weights = {};  // of the gait and its variants; empty: the goal mixes them
  std::optional<bool> feedback = std::nullopt;  // nothing: as before
};
struct Leap {
  CharacterId character;
  double size = 1;  // of the greatest leap
};
struct SetBody {
  CharacterId character;
  std::string body;
  std::shared_ptr<const CreatureDefinition> definition = nullptr;
  std::shared_ptr<const v1::Creature> based_on = nullptr;  // `definition` was changed from this
};
struct Spawn {
  std::string body, style;  // an empty style: the default where there has to be one
  std::optional<Vec2> position;
  double heading;
  bool wander;
  std::shared_ptr<const CreatureDefinition> body_definition = nullptr;
  std::shared_ptr<const StyleDefinition> style_definition = nullptr;
  std::string controller = {};  // empty: the first family that can drive the body
};
struct SetController {
  CharacterId character;
  std::string controller;
};
/// A new thing and its initial state. Without a position it is set down near the origin.
struct SpawnThing {
  std::string thing;
  std::optional<Vec2> on_ground;  // set down there, on the ground or a thing
  std::optional<Vec3> position;   // of the first link's origin, instead
  double yaw = 0, pitch = 0, roll = 0;
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  std::shared_ptr<const CreatureDefinition> definition = nullptr;
};
struct Place {
  CharacterId character;
  std::optional<Vec2> on_ground;
  std::optional<Vec3> position;  // of things
  double heading = 0;
};
struct Drag {
  CharacterId character;
  std::string link;            // empty: the first
  std::optional<Vec3> point;   // in the link's frame; none: its centre of mass
  std::optional<Vec3> target;  // none: lets go
  double max_force = 0;        // N; 0: by the body's weight
};
/// A point on a link of a character or thing, or in the world.
struct Anchor {
  CharacterId id = 0;         // 0: the world
  std::string link;           // empty: the first
  std::optional<Vec3> point;  // none: the link's origin; in the world the other end's present place
};
struct Grip {
  Anchor a, b;
  bool firm = false;
  double stiffness = 0;  // N/m; 0: by the lighter body
  double damping = 0;    // N s/m; 0: critical
  double max_force = 0;  // N; 0: 2000
};
enum class TieType : std::uint8_t { kBall = 1, kHinge, kSlider, kWeld, kSpring };  // as v1::Tie
struct AddTie {
  std::string name;
  Anchor a, b;
  TieType kind = TieType::kBall;
  Vec3 axis = Vec3::UnitX();          // hinge and slider, in the frame of a
  double length = 0;                  // m, spring
  double stiffness = 0, damping = 0;  // N/m, N s/m
  double break_force = 0;             // N; 0: never
};
/// Ends one tie or grip, or all of a character or thing.
struct Release {
  TieId tie = 0;
  CharacterId character = 0;
};
struct Remove {
  CharacterId character;
};
struct Reset {
  CharacterId character;
};
struct Pause {};
struct Resume {};
struct SingleStep {
  std::uint32_t ticks;
};
struct SetTimeScale {
  double scale;
};  // 0: as fast as possible
struct LoadScene {
  std::string scene;
  double people = 1;  // share of the people of its crowds and its flow
};
struct SetWander {
  CharacterId character;
  behaviour::Wander::Order order;
};

/// How a character is simulated: see world/crowd/levels.h.
enum class Level : std::uint8_t { kAuto, kPhysics, kLight };
inline constexpr std::size_t kLevels = 3;
struct SetLevel {
  CharacterId character;
  Level level;
};
/// A view of somebody, m, world frame.
struct View {
  Vec3 eye = Vec3::Zero(), at = Vec3::Zero();
};
struct SetDetail {
  std::optional<std::uint32_t> in_physics;  // by nearness; 0: all; none: as before
  std::vector<View> views;                  // empty: that of the scene's camera
};
struct Alarm {
  Vec2 center = Vec2::Zero();
  double radius, duration;  // m, s
};

/// Another plan of people who come and go.
struct SetFlow {
  std::shared_ptr<const v1::CrowdFlow> flow;  // empty: it ends
};

/// Tasks for a character, to be done one after another.
struct SetTasks {
  CharacterId character;
  std::vector<behaviour::tasks::Task> tasks;
  bool append = false, repeat = false;
  std::uint32_t begin_at = 0;  // of `tasks`
};

/// Tasks for several characters to do together.
struct ShareTasks {
  std::vector<CharacterId> characters;
  std::vector<behaviour::tasks::Task> tasks;
  bool repeat = false;
  bool append = false;
};

using Command =
    std::variant<SetVelocity, SetHeading, Stop, FollowPath, Push, SetStyle, Spawn, Remove, Reset,
                 Pause, Resume, SingleStep, SetTimeScale, LoadScene, SetWander, SetBody, SpawnThing,
                 Place, Drag, Grip, AddTie, Release, SetController, SetLevel, SetDetail, Alarm,
                 SetFlow, SetTasks, ShareTasks, SetGait, Leap>;

/// Why a command was refused: the field's path in the proto message, its value, what is allowed.
struct CommandError {
  enum class Code : std::uint8_t {
    kInvalid,
    kNotFound,
    kForbidden,
    kRateLimited,
    kBusy,
    kUnsupported,
    kInternal,
    kConflict
  };
  Code code = Code::kInvalid;
  std::string field;  // "push.link"
  std::string value;
  std::string allowed;
  std::string message;
};

/// In the words of schema::refusal().
CommandError refuse(CommandError::Code code, std::string field, std::string value,
                    std::string allowed);

struct CommandResult {
  std::uint64_t tick = 0;     // at which it took effect
  CharacterId character = 0;  // the character or thing that was spawned, if any
  TieId tie = 0;              // made, if any
  std::uint64_t before = 0;   // ids of the style or body that was set, before and after it
  std::uint64_t after = 0;
  std::optional<CommandError> error;
};

}  // namespace promenade::world
