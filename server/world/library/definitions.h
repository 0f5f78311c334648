#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "behaviour/tasks/abilities.h"
#include "control/gbwc/style.h"
#include "control/posegraph/gait.h"
#include "creature/creature.h"
#include "promenade/v1/creature.pb.h"
#include "promenade/v1/gait.pb.h"
#include "promenade/v1/style.pb.h"
#include "promenade/v1/task_parameters.pb.h"
#include "schema/error.h"
#include "schema/refusal.h"
#include "world/command/command.h"

// Styles and bodies as commands give them: by a name, which is looked up, or whole.
namespace promenade::world {

/// Where a definition comes from.
enum class Origin : std::uint8_t {
  kBuiltIn,  // a file of the data directory
  kSaved,    // kept by the server under its name
  kEdited,   // in a command
};

/// A style and the message that it was built from. Never changed once made.
struct StyleDefinition {
  v1::Style message;
  std::shared_ptr<const Style> style;
  Origin origin = Origin::kEdited;
  std::uint32_t version = 0;  // kSaved: 1, 2, ...
  std::uint64_t digest = 0;   // of the message; 0: built-in
  std::uint64_t id = 0;       // the digest; built-in: of the name. Viewers tell styles by it
  std::size_t bytes = 0;      // of the message, encoded
};

/// A gait as a file or a command gives it. Never changed once made. It is built for the body of
/// whoever is to play it: see fit_gait().
struct GaitDefinition {
  v1::Gait message;
  Origin origin = Origin::kEdited;
  std::uint32_t version = 0;  // kSaved: 1, 2, ...
  std::uint64_t digest = 0;   // of the message; 0: built-in
  std::uint64_t id = 0;       // the digest; built-in: of the name. Viewers tell gaits by it
  std::size_t bytes = 0;      // of the message, encoded
};

/// What follows from a body for those who want to drive it.
struct BodyFacts {
  std::vector<std::string_view> families;  // of controllers that can, the default one first
  std::optional<behaviour::tasks::HandLimits> hands;  // nothing: it has none
};

/// A body, the message that describes it, and the whole message after its edit. Never changed once
/// made.
struct CreatureDefinition {
  v1::Creature given;  // whole, or an edit of a base
  v1::Creature whole;  // links and joints in the order of `body`; empty until resolved
  std::shared_ptr<const Creature> body;  // null until resolved
  Origin origin = Origin::kEdited;
  std::uint32_t version = 0;                                 // kSaved: 1, 2, ...
  std::uint64_t digest = 0;                                  // of `whole`
  std::shared_ptr<const CreatureDefinition> base = nullptr;  // that `given` names; null: unknown
  bool fixed = false;     // only `whole` counts: `given` names a base that may have changed
  std::string encoded;    // `whole` in protobuf's encoding; empty until resolved, as the next
  std::uint64_t id = 0;   // of `encoded`: by it viewers ask for the body
  std::size_t bytes = 0;  // of the messages, encoded
  BodyFacts facts;
};

/// Notes how `whole` is encoded, and what follows from it and from `body`: `encoded`, `id`,
/// `bytes`, `facts`. @pre `body` is not null
/// The id is the same for the same body in every process. It is part of a SHA-1, so that nobody can
/// make a body that viewers take for another one that they know.
void note_encoding(CreatureDefinition& definition, const v1::TaskParameters& tasks);

/// Where names are looked up. Functions may be called from several threads at once.
class Definitions {
 public:
  virtual ~Definitions() = default;
  /// nullptr if there is none of that name.
  virtual std::shared_ptr<const StyleDefinition> find_style(const std::string& name) const = 0;
  virtual std::shared_ptr<const CreatureDefinition> find_creature(
      const std::string& name) const = 0;
  /// A thing; nullptr if there is none of that name.
  virtual std::shared_ptr<const CreatureDefinition> find_thing(const std::string& name) const = 0;
  virtual std::shared_ptr<const GaitDefinition> find_gait(const std::string& name) const = 0;
  /// "one of normal, march, ...", for errors.
  virtual std::string known_styles() const = 0;
  virtual std::string known_creatures() const = 0;
  virtual std::string known_things() const = 0;
  /// Lists the gaits that were made for a creature of that name; empty name: all gaits.
  virtual std::string known_gaits(const std::string& creature) const = 0;
  /// The numbers of tasks.
  virtual const v1::TaskParameters& tasks() const = 0;
};

/// Definitions with things in place of creatures, in which the base of an edited thing is found.
class ThingBases : public Definitions {
 public:
  explicit ThingBases(const Definitions& all) : all_(all) {}
  std::shared_ptr<const StyleDefinition> find_style(const std::string&) const override {
    return nullptr;
  }
  std::shared_ptr<const CreatureDefinition> find_creature(const std::string& name) const override {
    return all_.find_thing(name);
  }
  std::shared_ptr<const CreatureDefinition> find_thing(const std::string& name) const override {
    return all_.find_thing(name);
  }
  std::shared_ptr<const GaitDefinition> find_gait(const std::string&) const override {
    return nullptr;
  }
  std::string known_styles() const override { return "none"; }
  std::string known_creatures() const override { return all_.known_things(); }
  std::string known_things() const override { return all_.known_things(); }
  std::string known_gaits(const std::string&) const override { return "none"; }
  const v1::TaskParameters& tasks() const override { return all_.tasks(); }

 private:
  const Definitions& all_;
};

/// The id by which a built-in style, which has no digest, is told from others.
std::uint64_t id_of_built_in(const std::string& name);

/// The error of a message, as the refusal of a command.
/// @param field  path of the message in the command
CommandError error_of(const schema::FileError& wrong, const std::string& field);

/// Checks a style and builds it.
/// @param field  path of the message in a command, as in "set_style.definition"; may be empty
std::variant<std::shared_ptr<const StyleDefinition>, CommandError> define_style(
    const v1::Style& message, const std::string& field);

/// Checks what can be checked of a gait without its creature: its name and its size.
std::variant<std::shared_ptr<const GaitDefinition>, CommandError> define_gait(
    const v1::Gait& message, const std::string& field);

/// The gait for a body with joints of the same names as those that it was made for.
/// @return the first thing that does not fit, as an error at `field`
std::variant<std::shared_ptr<const control::posegraph::Gait>, CommandError> fit_gait(
    const GaitDefinition& definition, const Creature& body, const std::string& field);

/// Checks a body, finds its base and builds it.
std::variant<std::shared_ptr<const CreatureDefinition>, CommandError> define_creature(
    const v1::Creature& given, const Definitions& bases, const std::string& field);

/// Puts definitions into a command, so that it can be carried out and written to a journal without
/// `definitions`: those of names that are not built in, and the whole body where a base is named.
/// @return the error for an unknown name or a wrong body; nothing if all is well
std::optional<CommandError> resolve(Command& command, const Definitions& definitions);

/// The message that describes the body to a program that knows only built-in bodies.
const v1::Creature& portable(const CreatureDefinition& body);

}  // namespace promenade::world
