#pragma once

#include <google/protobuf/message.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/controller.h"
#include "control/gbwc/style.h"
#include "creature/creature.h"

namespace promenade::control {

namespace pendulum {
class GaitTables;
}
namespace posegraph {
struct Gait;
}

/// The parameters of a family's controllers. Shared by many controllers and never changed.
using Parameters = std::shared_ptr<const google::protobuf::Message>;

struct ControllerSetup {
  std::shared_ptr<const Creature> creature;
  Parameters parameters;               // of the family's message
  std::shared_ptr<const Style> style;  // of families that have styles; ignored by others
  // Of light families, whose poses are made from the walk in full physics; ignored by others.
  Parameters walk;                                        // parameters of the family gbwc
  std::shared_ptr<pendulum::GaitTables> gaits;            // null: it measures for itself
  std::shared_ptr<const Style> plain = nullptr;           // see Goal::plain; null: its own style
  std::shared_ptr<const posegraph::Gait> gait = nullptr;  // of the family posegraph
};

/// A kind of controller. A new one is a folder beside this file and an entry in registry.cpp.
struct Family {
  std::string_view name;                // as in commands, scenes and the file of its parameters
  std::string_view title, description;  // for people
  /// The parts that a creature needs to be driven, as "the limbs of a person"; empty: none.
  std::string_view needs;
  bool styled;               // needs ControllerSetup::style, can change it
  bool walks;                // goes where its goal says; others ignore the goal
  bool light;                // moved by a model of its own, see Kinematic
  bool stands;               // keeps its creature upright, so that lying down counts as a fall
  bool plays_gaits = false;  // of files: its controllers are GaitPlayers
  /// Whether it does things with the hands of a biped: set_tasks.
  bool tasks() const { return styled && walks && !light; }
  /// Why the family cannot drive a creature, for errors; empty: it can.
  std::string (*why_not)(const Creature& creature);
  /// The message of its parameters, empty.
  const google::protobuf::Message& (*parameters)();
  /// @pre why_not(creature) is empty
  std::unique_ptr<Controller> (*make)(const ControllerSetup& setup);
};

/// All families. A creature gets the first that can drive it, unless another is asked for.
std::span<const Family> families();
/// nullptr if there is none of that name.
const Family* find_family(std::string_view name);
/// The first family that can drive the creature.
const Family& default_family(const Creature& creature);
/// The names of those that can drive the creature, the default one first.
std::vector<std::string_view> families_that_drive(const Creature& creature);
/// "one of gbwc, pendulum, hold, limp, rise, posegraph", for errors.
std::string known_families();
/// The families that can drive the creature, in the same form.
std::string families_for(const Creature& creature);
/// Those that have styles: "gbwc or pendulum".
std::string styled_families();
/// The families whose creatures go where they are told: "gbwc or pendulum or posegraph".
std::string walking_families();
std::string gait_families();

}  // namespace promenade::control
