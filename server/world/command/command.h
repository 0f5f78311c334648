#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "math/types.h"

// Validated commands: plain values, ranges already checked by api/; names of bodies, styles,
// scenes, links and the existence of characters are checked by the room when the command takes
// effect.
namespace promenade::world {

struct StyleDefinition;  // world/definitions.h
struct CreatureDefinition;

using CharacterId = std::uint32_t;  // 1, 2, ...; never used twice in a room

enum class Frame : std::uint8_t { kCharacter, kWorld };

struct SetVelocity {
  CharacterId character;
  Vec2 velocity;
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
  std::vector<Vec2> points;
  bool closed;
  double speed;
};
struct Push {
  CharacterId character;
  std::string link;
  Vec3 point;
  Vec3 force;
  double duration;
};
// A name, or a definition; where there is a definition, the name does not count.
struct SetStyle {
  CharacterId character;
  std::string style;
  std::shared_ptr<const StyleDefinition> definition = nullptr;
};
struct SetBody {
  CharacterId character;
  std::string body;
  std::shared_ptr<const CreatureDefinition> definition = nullptr;
};
struct Spawn {
  std::string body, style;
  std::optional<Vec2> position;
  double heading;
  bool wander;
  std::shared_ptr<const CreatureDefinition> body_definition = nullptr;
  std::shared_ptr<const StyleDefinition> style_definition = nullptr;
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
};
struct SetWander {
  CharacterId character;
  std::optional<Vec2> center;
  double radius;
};

using Command =
    std::variant<SetVelocity, SetHeading, Stop, FollowPath, Push, SetStyle, Spawn, Remove, Reset,
                 Pause, Resume, SingleStep, SetTimeScale, LoadScene, SetWander, SetBody>;

/// Why a command was refused: the field's path in the proto message, what it was, what is allowed.
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
  CharacterId character = 0;  // spawned, if any
  std::optional<CommandError> error;
};

}  // namespace promenade::world
