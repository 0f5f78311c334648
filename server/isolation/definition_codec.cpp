#include "isolation/definition_codec.h"

#include <utility>

#include "world/command/command_codec.h"

namespace promenade::isolation {
namespace {

using world::CreatureDefinition;
using world::GaitDefinition;
using world::StyleDefinition;

/// The definitions of a command, whatever its kind.
struct Slots {
  std::shared_ptr<const CreatureDefinition>* body = nullptr;
  std::shared_ptr<const StyleDefinition>* style = nullptr;
  std::shared_ptr<const GaitDefinition>* gait = nullptr;
  bool thing = false;
};
Slots slots_of(world::Command& command) {
  Slots slots;
  if (auto* spawn = std::get_if<world::Spawn>(&command)) {
    slots = {&spawn->body_definition, &spawn->style_definition};
  } else if (auto* set_body = std::get_if<world::SetBody>(&command)) {
    slots.body = &set_body->definition;
  } else if (auto* set_style = std::get_if<world::SetStyle>(&command)) {
    slots.style = &set_style->definition;
  } else if (auto* set_gait = std::get_if<world::SetGait>(&command)) {
    slots.gait = &set_gait->definition;
  } else if (auto* thing = std::get_if<world::SpawnThing>(&command)) {
    slots.body = &thing->definition;
    slots.thing = true;
  }
  return slots;
}

template <typename Definition>
void take_version(Definition& definition, std::uint32_t version) {
  if (version == 0) return;
  definition.origin = world::Origin::kSaved;
  definition.version = version;
}

}  // namespace

v1::SharedDefinition encode_definition(const StyleDefinition& style) {
  v1::SharedDefinition out;
  if (style.origin == world::Origin::kBuiltIn) {
    out.set_built_in(style.style->name);
    return out;
  }
  *out.mutable_style() = style.message;
  out.set_saved_version(style.version);
  return out;
}

v1::SharedDefinition encode_definition(const GaitDefinition& gait) {
  v1::SharedDefinition out;
  if (gait.origin == world::Origin::kBuiltIn) {
    out.set_built_in(gait.message.name());
    return out;
  }
  *out.mutable_gait() = gait.message;
  out.set_saved_version(gait.version);
  return out;
}

v1::SharedDefinition encode_definition(const CreatureDefinition& body, bool thing) {
  v1::SharedDefinition out;
  out.set_thing(thing);
  if (body.origin == world::Origin::kBuiltIn) {
    out.set_built_in(body.body->name);
    return out;
  }
  *out.mutable_given() = body.given;
  if (body.fixed) *out.mutable_whole() = body.whole;
  out.set_saved_version(body.version);
  return out;
}

std::shared_ptr<const StyleDefinition> decode_style(const v1::SharedDefinition& message,
                                                    const Library& library) {
  if (!message.has_style()) return library.find_style(message.built_in());
  auto made = world::define_style(message.style(), "");
  if (!std::holds_alternative<std::shared_ptr<const StyleDefinition>>(made)) return nullptr;
  auto out = std::make_shared<StyleDefinition>(*std::get<0>(made));
  take_version(*out, message.saved_version());
  return out;
}

std::shared_ptr<const GaitDefinition> decode_gait(const v1::SharedDefinition& message,
                                                  const Library& library) {
  if (!message.has_gait()) return library.find_gait(message.built_in());
  auto made = world::define_gait(message.gait(), "");
  if (!std::holds_alternative<std::shared_ptr<const GaitDefinition>>(made)) return nullptr;
  auto out = std::make_shared<GaitDefinition>(*std::get<0>(made));
  take_version(*out, message.saved_version());
  return out;
}

std::shared_ptr<const CreatureDefinition> decode_body(const v1::SharedDefinition& message,
                                                      const Library& library) {
  const world::ThingBases things(library);
  const world::Definitions& bases =
      message.thing() ? static_cast<const world::Definitions&>(things) : library;
  if (!message.has_given()) return bases.find_creature(message.built_in());
  auto made =
      world::define_creature(message.has_whole() ? message.whole() : message.given(), bases, "");
  if (!std::holds_alternative<std::shared_ptr<const CreatureDefinition>>(made)) return nullptr;
  auto out = std::make_shared<CreatureDefinition>(*std::get<0>(made));
  if (message.has_whole()) {
    out->given = message.given();
    out->fixed = true;
    world::note_encoding(*out, library.tasks());  // the sum of both messages' bytes counts
  }
  take_version(*out, message.saved_version());
  return out;
}

v1::RoomCommand encode_command(const world::Command& command) {
  v1::RoomCommand out;
  *out.mutable_command() = world::command_to_proto(command);
  // slots_of() only reads the command here.
  const Slots slots = slots_of(const_cast<world::Command&>(command));
  if (slots.body && *slots.body && (*slots.body)->body) {
    *out.mutable_body() = encode_definition(**slots.body, slots.thing);
    // A room's process knows no saved bodies: it gets the base along, for edits to be merged.
    if (const auto& base = (*slots.body)->base; base && base->origin == world::Origin::kSaved) {
      *out.mutable_body_base() = encode_definition(*base, slots.thing);
    }
  }
  if (slots.gait && *slots.gait) *out.mutable_gait() = encode_definition(**slots.gait);
  if (slots.style && *slots.style) *out.mutable_style() = encode_definition(**slots.style);
  return out;
}

std::optional<world::Command> decode_command(const v1::RoomCommand& message,
                                             const Library& library) {
  auto read = world::command_from_proto(message.command());
  auto* command = std::get_if<world::Command>(&read);
  if (!command) return std::nullopt;
  const Slots slots = slots_of(*command);
  if (message.has_body()) {
    auto body = decode_body(message.body(), library);
    if (!slots.body || !body) return std::nullopt;
    if (message.has_body_base()) {
      auto with_base = std::make_shared<CreatureDefinition>(*body);
      if (!(with_base->base = decode_body(message.body_base(), library))) return std::nullopt;
      body = std::move(with_base);
    }
    *slots.body = std::move(body);
  }
  if (message.has_style()) {
    if (!slots.style || !(*slots.style = decode_style(message.style(), library))) {
      return std::nullopt;
    }
  }
  if (message.has_gait()) {
    if (!slots.gait || !(*slots.gait = decode_gait(message.gait(), library))) return std::nullopt;
  }
  return std::move(*command);
}

}  // namespace promenade::isolation
