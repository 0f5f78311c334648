#include "world/library/definitions.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <cstring>
#include <utility>

#include "control/registry.h"
#include "creature/creature_builder.h"
#include "creature/creature_resolve.h"
#include "math/hash.h"
#include "schema/check.h"
#include "schema/refusal.h"
#include "world/command/limits.h"

namespace promenade::world {
namespace {

std::string path_of(const std::string& field, const std::string& key) {
  return field.empty() || key.empty() ? field + key : field + "." + key;
}

// Equal messages give the same bytes: serialisation is deterministic within a program.
std::string encoding_of(const google::protobuf::Message& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return bytes;
}

std::uint64_t digest_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.value();
}

struct Resolver {
  const Definitions& definitions;
  std::optional<CommandError> error;

  void unknown(const std::string& field, const std::string& name, std::string allowed) {
    error =
        refuse(CommandError::Code::kNotFound, field, schema::in_quotes(name), std::move(allowed));
  }

  void style(const std::string& name, std::shared_ptr<const StyleDefinition>* definition,
             const std::string& name_field) {
    if (*definition || name.empty()) return;
    auto found = definitions.find_style(name);
    if (!found) return unknown(name_field, name, definitions.known_styles());
    if (found->origin != Origin::kBuiltIn) *definition = std::move(found);
  }

  void body(const std::string& name, std::shared_ptr<const CreatureDefinition>* definition,
            const std::string& name_field, const std::string& field) {
    if (!*definition) {
      auto found = definitions.find_creature(name);
      if (!found) return unknown(name_field, name, definitions.known_creatures());
      if (found->origin != Origin::kBuiltIn) *definition = std::move(found);
      return;
    }
    if ((*definition)->body) return;
    auto made = define_creature((*definition)->given, definitions, field);
    if (auto* wrong = std::get_if<CommandError>(&made)) {
      error = std::move(*wrong);
      return;
    }
    *definition = std::move(std::get<0>(made));
  }

  void operator()(SetGait& c) {
    if (c.definition || c.gait.empty()) return;
    auto found = definitions.find_gait(c.gait);
    if (!found) return unknown("set_gait.gait", c.gait, definitions.known_gaits(""));
    if (found->origin != Origin::kBuiltIn) c.definition = std::move(found);
  }
  void operator()(SetStyle& c) { style(c.style, &c.definition, "set_style.style"); }
  void operator()(SetBody& c) {
    body(c.body, &c.definition, "set_body.body", "set_body.definition");
  }
  void operator()(Spawn& c) {
    style(c.style, &c.style_definition, "spawn.style");
    if (!error) body(c.body, &c.body_definition, "spawn.body", "spawn.body_definition");
  }
  void operator()(SpawnThing& c) {
    if (!c.definition) {
      if (!definitions.find_thing(c.thing)) {
        unknown("spawn_thing.thing", c.thing, definitions.known_things());
      }
      return;
    }
    if (c.definition->body) return;
    auto made = define_creature(c.definition->given, ThingBases(definitions),
                                "spawn_thing.thing_definition");
    if (auto* wrong = std::get_if<CommandError>(&made)) {
      error = std::move(*wrong);
      return;
    }
    c.definition = std::move(std::get<0>(made));
  }
  template <typename Other>
  void operator()(Other&) {}
};

}  // namespace

CommandError error_of(const schema::FileError& wrong, const std::string& field) {
  CommandError error;
  error.code = CommandError::Code::kInvalid;
  error.field = path_of(field, wrong.key);
  error.value = wrong.value;
  error.allowed = wrong.allowed;
  error.message = wrong.message.empty() ? schema::refusal(error.field, wrong.value, wrong.allowed)
                                        : error.field + ": " + wrong.message;
  return error;
}

void note_encoding(CreatureDefinition& definition, const v1::TaskParameters& tasks) {
  definition.encoded = encoding_of(definition.whole);
  const boost::uuids::name_generator_sha1 hash{boost::uuids::uuid{}};
  const boost::uuids::uuid name = hash(definition.encoded.data(), definition.encoded.size());
  // The second half: all but two of its bits are the hash's.
  std::memcpy(&definition.id, name.begin() + sizeof definition.id, sizeof definition.id);
  definition.bytes = definition.encoded.size();
  if (!definition.given.base().empty()) definition.bytes += definition.given.ByteSizeLong();
  definition.facts = {control::families_that_drive(*definition.body),
                      behaviour::tasks::hand_limits(*definition.body, tasks.abilities())};
}

std::uint64_t id_of_built_in(const std::string& name) { return digest_of(name); }

std::variant<std::shared_ptr<const StyleDefinition>, CommandError> define_style(
    const v1::Style& message, const std::string& field) {
  auto built = build_style(message);
  if (!built) return error_of(built.error(), field);
  auto out = std::make_shared<StyleDefinition>();
  out->message = message;
  out->style = std::make_shared<const Style>(*std::move(built));
  const std::string bytes = encoding_of(message);
  out->digest = out->id = digest_of(bytes);
  out->bytes = bytes.size();
  return out;
}

std::variant<std::shared_ptr<const GaitDefinition>, CommandError> define_gait(
    const v1::Gait& message, const std::string& field) {
  const schema::Source source;
  schema::Checker check(source);
  if (!check.name("name", message.name())) return error_of(check.error(), field);
  auto out = std::make_shared<GaitDefinition>();
  out->message = message;
  const std::string bytes = encoding_of(message);
  if (bytes.size() > kMaxGaitBytes) {
    return refuse(CommandError::Code::kInvalid, path_of(field, "states"),
                  "too large: the gait has " + std::to_string(bytes.size()) + " bytes",
                  "a gait of at most " + std::to_string(kMaxGaitBytes) + " bytes when encoded");
  }
  out->digest = out->id = digest_of(bytes);
  out->bytes = bytes.size();
  return out;
}

std::variant<std::shared_ptr<const control::posegraph::Gait>, CommandError> fit_gait(
    const GaitDefinition& definition, const Creature& body, const std::string& field) {
  v1::Gait fitting = definition.message;
  fitting.set_creature(body.name);
  auto built = control::posegraph::build_gait(fitting, body, {});
  if (built) return *std::move(built);
  // What is wrong with it is the creature, if it was made for another.
  const std::string& made_for = definition.message.creature();
  if (!made_for.empty() && made_for != body.name) {
    return refuse(CommandError::Code::kInvalid, path_of(field, "creature"),
                  schema::in_quotes(made_for),
                  schema::in_quotes(body.name) + ", or a creature with the same joints; " +
                      built.error().key + " is " + built.error().value);
  }
  return error_of(built.error(), field);
}

std::variant<std::shared_ptr<const CreatureDefinition>, CommandError> define_creature(
    const v1::Creature& given, const Definitions& bases, const std::string& field) {
  const auto base = given.base().empty() ? nullptr : bases.find_creature(given.base());
  if (!base && !given.base().empty()) {
    return refuse(CommandError::Code::kNotFound, path_of(field, "base"),
                  schema::in_quotes(given.base()), bases.known_creatures());
  }
  auto whole = resolve_creature(given, base ? &base->whole : nullptr, bases.known_creatures());
  if (!whole) return error_of(whole.error(), field);
  if (const std::size_t bytes = whole->ByteSizeLong(); bytes > kMaxBodyBytes) {
    return refuse(CommandError::Code::kInvalid, path_of(field, "links"),
                  "too large: the body has " + std::to_string(bytes) + " bytes",
                  "a body of at most " + std::to_string(kMaxBodyBytes) + " bytes when encoded");
  }
  auto body = build_creature(*whole);
  if (!body) return error_of(body.error(), field);
  auto out = std::make_shared<CreatureDefinition>();
  out->given = given;
  out->body = std::make_shared<const Creature>(*std::move(body));
  out->whole = *std::move(whole);
  note_encoding(*out, bases.tasks());
  out->digest = digest_of(out->encoded);
  out->base = base;
  out->fixed = base && base->origin != Origin::kBuiltIn;
  return out;
}

std::optional<CommandError> resolve(Command& command, const Definitions& definitions) {
  Resolver resolver{definitions, std::nullopt};
  std::visit(resolver, command);
  return std::move(resolver.error);
}

const v1::Creature& portable(const CreatureDefinition& body) {
  return body.fixed ? body.whole : body.given;
}

}  // namespace promenade::world
