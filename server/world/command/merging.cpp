#include "world/command/merging.h"

#include <google/protobuf/util/message_differencer.h>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "world/library/definitions.h"
#include "world/room/room_impl.h"

namespace promenade::world {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;

bool same_field(const Message& a, const Message& b, const FieldDescriptor* field) {
  MessageDifferencer differencer;
  return differencer.CompareWithFields(a, b, {field}, {field});
}

void copy_field(const Message& from, const FieldDescriptor* field, Message& to) {
  const auto& reflection = *from.GetReflection();
  to.GetReflection()->ClearField(&to, field);
  const bool there = field->is_repeated() ? reflection.FieldSize(from, field) > 0
                                          : reflection.HasField(from, field);
  if (!there) return;
  // A copy with nothing but this field takes its value over, whatever its type.
  const std::unique_ptr<Message> only(from.New());
  only->CopyFrom(from);
  std::vector<const FieldDescriptor*> set;
  reflection.ListFields(*only, &set);
  for (const FieldDescriptor* other : set) {
    if (other != field) reflection.ClearField(only.get(), other);
  }
  to.MergeFrom(*only);
}

/// The subject of an entry of a list; empty where the list is one value.
std::string subject_of(const Message& entry) {
  if (const auto* curve = dynamic_cast<const v1::JointCurve*>(&entry)) {
    return curve->joint() + "." + std::to_string(curve->axis()) + "." +
           std::to_string(curve->side());
  }
  if (const auto* link = dynamic_cast<const v1::LinkEdit*>(&entry)) return link->link();
  return {};
}

bool is_keyed(const FieldDescriptor* field) {
  const auto* type = field->message_type();
  return field->is_repeated() && type &&
         (type == v1::JointCurve::descriptor() || type == v1::LinkEdit::descriptor());
}

/// Whether the parts of a message of this type are values of their own.
bool has_parts(const FieldDescriptor* field) {
  return !field->is_repeated() && field->message_type() == v1::BodyEdit::descriptor();
}

void merge(const Message& base, const Message& mine, Message& out);

/// Entries by their subject and, as several may have the same one, by which of them they are.
using Entries = std::map<std::pair<std::string, int>, const Message*>;
Entries entries_of(const Message& message, const FieldDescriptor* field) {
  Entries out;
  std::map<std::string, int> count;
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
    const Message& entry = reflection.GetRepeatedMessage(message, field, i);
    const std::string subject = subject_of(entry);
    out[{subject, count[subject]++}] = &entry;
  }
  return out;
}

/// Entries keep the order of `out`; new ones of `mine` come behind them in their order.
void merge_keyed(const Message& base, const Message& mine, const FieldDescriptor* field,
                 Message& out) {
  const std::unique_ptr<Message> before(out.New());
  before->CopyFrom(out);
  const Entries was = entries_of(base, field), is = entries_of(mine, field);
  const Entries theirs = entries_of(*before, field);
  const auto find = [](const Entries& in, const auto& key) {
    const auto found = in.find(key);
    return found == in.end() ? nullptr : found->second;
  };
  const auto& reflection = *out.GetReflection();
  reflection.ClearField(&out, field);
  std::map<std::string, int> count;
  for (int i = 0; i < reflection.FieldSize(*before, field); ++i) {
    const Message& entry = reflection.GetRepeatedMessage(*before, field, i);
    const std::string subject = subject_of(entry);
    const std::pair key(subject, count[subject]++);
    const Message *base_entry = find(was, key), *mine_entry = find(is, key);
    if (base_entry && !mine_entry) continue;  // taken away by this edit
    Message* kept = reflection.AddMessage(&out, field);
    kept->CopyFrom(entry);
    if (!mine_entry) continue;
    const std::unique_ptr<Message> nothing(entry.New());
    merge(base_entry ? *base_entry : *nothing, *mine_entry, *kept);
  }
  count.clear();
  for (int i = 0; i < reflection.FieldSize(mine, field); ++i) {
    const Message& entry = reflection.GetRepeatedMessage(mine, field, i);
    const std::string subject = subject_of(entry);
    const std::pair key(subject, count[subject]++);
    if (find(theirs, key)) continue;
    const Message* base_entry = find(was, key);
    if (base_entry && MessageDifferencer::Equals(*base_entry, entry))
      continue;  // taken away by them
    reflection.AddMessage(&out, field)->CopyFrom(entry);
  }
}

void merge(const Message& base, const Message& mine, Message& out) {
  const auto* type = mine.GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* field = type->field(i);
    if (same_field(base, mine, field)) continue;
    if (is_keyed(field)) {
      merge_keyed(base, mine, field, out);
    } else if (has_parts(field)) {
      const auto& reflection = *mine.GetReflection();
      merge(reflection.GetMessage(base, field), reflection.GetMessage(mine, field),
            *reflection.MutableMessage(&out, field));
    } else {
      copy_field(mine, field, out);
    }
  }
}

/// Looks in the definitions that the editors have worked with, then in the library.
class BasesAtHand : public Definitions {
 public:
  BasesAtHand(const Library& library, const CreatureDefinition& mine,
              const std::shared_ptr<const CreatureDefinition>& theirs)
      : library_(library), at_hand_{mine.base, theirs->base, theirs} {}
  std::shared_ptr<const StyleDefinition> find_style(const std::string&) const override {
    return nullptr;
  }
  std::shared_ptr<const CreatureDefinition> find_creature(const std::string& name) const override {
    for (const auto& one : at_hand_) {
      if (one && one->origin != Origin::kEdited && one->given.name() == name) return one;
    }
    return library_.find_creature(name);
  }
  std::shared_ptr<const CreatureDefinition> find_thing(const std::string&) const override {
    return nullptr;
  }
  std::shared_ptr<const GaitDefinition> find_gait(const std::string&) const override {
    return nullptr;
  }
  std::string known_styles() const override { return "none"; }
  std::string known_creatures() const override { return library_.known_creatures(); }
  std::string known_things() const override { return "none"; }
  std::string known_gaits(const std::string&) const override { return "none"; }
  const v1::TaskParameters& tasks() const override { return library_.tasks(); }

 private:
  const Library& library_;
  std::array<std::shared_ptr<const CreatureDefinition>, 3> at_hand_;
};

/// As editors see a body: one that is known by its name is an edit of itself that changes nothing.
v1::Creature as_edited(const CreatureDefinition& body) {
  if (!body.given.base().empty() || body.origin == Origin::kEdited) return body.given;
  v1::Creature out;
  out.set_name(body.given.name());
  out.set_title(body.given.title());
  out.set_description(body.given.description());
  out.set_color(body.given.color());
  out.set_base(body.given.name());
  return out;
}

using Outcome = std::optional<std::variant<Command, CommandError>>;

Outcome merged_style(const SetStyle& c, const Entity* e) {
  if (!e || !e->style_definition) return std::nullopt;
  auto made = define_style(merged(*c.based_on, c.definition->message, e->style_definition->message),
                           "set_style.definition");
  if (auto* wrong = std::get_if<CommandError>(&made)) return std::move(*wrong);
  return SetStyle{c.character, c.style, std::get<0>(std::move(made))};
}

Outcome merged_body(const SetBody& c, const Entity* e, const Library& library) {
  if (!e) return std::nullopt;
  const v1::Creature theirs = as_edited(*e->body_definition);
  // Changes of parts of one body say nothing about the parts of another.
  if (theirs.base() != c.based_on->base() || theirs.base().empty()) return std::nullopt;
  auto made = define_creature(merged(*c.based_on, c.definition->given, theirs),
                              BasesAtHand(library, *c.definition, e->body_definition),
                              "set_body.definition");
  if (auto* wrong = std::get_if<CommandError>(&made)) return std::move(*wrong);
  return SetBody{c.character, c.body, std::get<0>(std::move(made))};
}

}  // namespace

v1::Style merged(const v1::Style& base, const v1::Style& mine, const v1::Style& theirs) {
  v1::Style out = theirs;
  merge(base, mine, out);
  return out;
}

v1::Creature merged(const v1::Creature& base, const v1::Creature& mine,
                    const v1::Creature& theirs) {
  v1::Creature out = theirs;
  merge(base, mine, out);
  return out;
}

Outcome Room::Impl::merged(const Command& command) const {
  if (const auto* style = std::get_if<SetStyle>(&command)) {
    if (style->based_on && style->definition)
      return merged_style(*style, occupants.find(style->character));
  } else if (const auto* body = std::get_if<SetBody>(&command)) {
    if (body->based_on && body->definition) {
      return merged_body(*body, occupants.find(body->character), *library);
    }
  }
  return std::nullopt;
}

}  // namespace promenade::world
