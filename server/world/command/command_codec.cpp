#include "world/command/command_codec.h"

#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <type_traits>

#include "world/command/checker.h"
#include "world/command/field_limits.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Path and number of the first field that this program does not know, or an empty path.
std::pair<std::string, int> find_unknown(const Message& message) {
  const auto* reflection = message.GetReflection();
  const auto& unknown = reflection->GetUnknownFields(message);
  if (!unknown.empty()) return {message.GetDescriptor()->name(), unknown.field(0).number()};
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const Message& child = field->is_repeated()
                                 ? reflection->GetRepeatedMessage(message, field, i)
                                 : reflection->GetMessage(message, field);
      auto found = find_unknown(child);
      if (found.second != 0) return found;
    }
  }
  return {"", 0};
}

std::vector<CommandKind> gather_kinds() {
  std::vector<CommandKind> all;
  for (const CommandKinds kinds :
       {walking_kinds(), pushing_kinds(), making_kinds(), thing_kinds(), tie_kinds(), room_kinds(),
        crowd_kinds(), flow_kinds(), task_kinds(), gait_kinds()}) {
    all.insert(all.end(), kinds.begin(), kinds.end());
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  assert(all.size() == std::variant_size_v<Command>);
  return all;
}

template <typename T>
concept NamesCharacter = requires(T c) {
  c.character;
};

}  // namespace

CommandError refuse(CommandError::Code code, std::string field, std::string value,
                    std::string allowed) {
  CommandError error{code, std::move(field), std::move(value), std::move(allowed), ""};
  error.message = schema::refusal(error.field, error.value, error.allowed);
  return error;
}

const FieldDescriptor& field_for(const google::protobuf::Descriptor& message) {
  const google::protobuf::Descriptor* command = v1::Command::descriptor();
  const FieldDescriptor* found = nullptr;
  for (int i = 0; i < command->field_count(); ++i) {
    if (command->field(i)->message_type() != &message) continue;
    assert(!found);
    found = command->field(i);
  }
  if (!found) throw std::logic_error(message.name() + " is in no field of the message Command");
  return *found;
}

CommandKinds all_kinds() {
  static const std::vector<CommandKind> kinds = gather_kinds();
  return kinds;
}

const CommandKind& kind_of(const Command& command) { return all_kinds()[command.index()]; }

std::variant<Command, CommandError> command_from_proto(const v1::Command& message) {
  if (const auto [where, number] = find_unknown(message); number != 0) {
    CommandError error;
    error.field = where + ", field number " + std::to_string(number);
    error.value = "unknown";
    error.allowed = "the fields of promenade/v1/command.proto";
    error.message = error.field + " is not known to this server; allowed: " + error.allowed;
    return error;
  }
  for (const CommandKind& kind : all_kinds()) {
    const FieldDescriptor* field = kind.field;
    if (field->number() != int(message.kind_case())) continue;
    const Message& own = message.GetReflection()->GetMessage(message, field);
    if (auto wrong = find_out_of_limits(own, kind.name)) {
      return refuse(CommandError::Code::kInvalid, std::move(wrong->field), std::move(wrong->value),
                    std::move(wrong->allowed));
    }
    CommandChecker check(kind.name);
    Command command = kind.parse(own, check);
    if (!check.ok()) return check.take();
    return command;
  }
  std::string known;
  for (const CommandKind& kind : all_kinds())
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  CommandError error;
  error.field = "command";
  error.value = "empty";
  error.allowed = "one of " + known;
  error.message = "the command is empty; allowed: " + error.allowed;
  return error;
}

std::variant<Command, CommandError> command_about(CharacterId character, const std::string& whose,
                                                  v1::Command message) {
  std::vector<const FieldDescriptor*> set;
  message.GetReflection()->ListFields(message, &set);
  if (!set.empty()) {
    Message* kind = message.GetReflection()->MutableMessage(&message, set[0]);
    if (const auto* field = kind->GetDescriptor()->FindFieldByName("character")) {
      if (const auto given = kind->GetReflection()->GetUInt32(*kind, field); given != 0) {
        return refuse(CommandError::Code::kInvalid, std::string(set[0]->name()) + ".character",
                      std::to_string(given), "nothing: " + whose);
      }
      kind->GetReflection()->SetUInt32(kind, field, character);
    }
  }
  return command_from_proto(message);
}

v1::Command command_to_proto(const Command& command) {
  v1::Command out;
  const CommandKind& kind = kind_of(command);
  kind.write(command, *out.GetReflection()->MutableMessage(&out, kind.field));
  return out;
}

const char* command_name(const Command& command) { return kind_of(command).name; }

const v1::CommandRules& rules_of(const Command& command) { return *kind_of(command).rules; }

std::string names_of_kinds(const std::function<bool(const v1::CommandRules&)>& chosen) {
  std::vector<std::string> names;
  for (const CommandKind& kind : all_kinds()) {
    if (chosen(*kind.rules)) names.emplace_back(kind.name);
  }
  return schema::listed_names(names);
}

std::optional<behaviour::Order> order_of(const Command& command) {
  const CommandKind& kind = kind_of(command);
  return kind.order ? std::optional(kind.order(command)) : std::nullopt;
}

std::string names_of_kinds_with_order() {
  std::vector<std::string> names;
  for (const CommandKind& kind : all_kinds()) {
    if (kind.order) names.emplace_back(kind.name);
  }
  return schema::listed_names(names);
}

bool needs_admin(const Command& command) {
  const v1::CommandRules& rules = rules_of(command);
  return rules.needs() == v1::CommandRules::ADMIN ||
         (rules.needs() == v1::CommandRules::ADMIN_FOR_ALL && command_character(command) == 0);
}

CharacterId command_character(const Command& command) {
  return std::visit(
      [](const auto& c) -> CharacterId {
        if constexpr (NamesCharacter<decltype(c)>) return c.character;
        return 0;
      },
      command);
}

Command with_character(Command command, CharacterId character) {
  std::visit(
      [character](auto& c) {
        if constexpr (NamesCharacter<decltype(c)>) c.character = character;
      },
      command);
  return command;
}

}  // namespace promenade::world
