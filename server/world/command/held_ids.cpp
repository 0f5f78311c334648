#include "world/command/held_ids.h"

#include <cassert>
#include <utility>

#include "schema/refusal.h"
#include "world/command/command_codec.h"

namespace promenade::world {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Calls `visit` with message, field and index of every id; the index is -1 where the field is not
/// repeated.
template <typename M, typename Visit>
void visit_ids(M& message, const std::string& path, const Visit& visit) {
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const bool child = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    const v1::Holds kind = child ? v1::HOLDS_AMOUNT : field->options().GetExtension(v1::holds);
    if (!child && kind != v1::HOLDS_BODY && kind != v1::HOLDS_TIE) continue;
    const std::string name = path.empty() ? field->name() : path + "." + field->name();
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const std::string at = field->is_repeated() ? schema::indexed(name, std::size_t(i)) : name;
      const int index = field->is_repeated() ? i : -1;
      if (!child) {
        visit(message, *field, index, at, kind);
      } else if constexpr (std::is_const_v<M>) {
        visit_ids(index < 0 ? reflection->GetMessage(message, field)
                            : reflection->GetRepeatedMessage(message, field, i),
                  at, visit);
      } else {
        visit_ids(index < 0 ? *reflection->MutableMessage(&message, field)
                            : *reflection->MutableRepeatedMessage(&message, field, i),
                  at, visit);
      }
    }
  }
}

std::uint32_t read(const Message& message, const FieldDescriptor& field, int index) {
  const auto* reflection = message.GetReflection();
  return index < 0 ? reflection->GetUInt32(message, &field)
                   : reflection->GetRepeatedUInt32(message, &field, index);
}

}  // namespace

std::vector<HeldId> ids_in(const Message& message) {
  std::vector<HeldId> found;
  visit_ids(message, "",
            [&found](const Message& m, const FieldDescriptor& field, int index,
                     const std::string& path, v1::Holds kind) {
              const std::uint32_t id = read(m, field, index);
              if (id != 0) found.push_back({path, kind, id});
            });
  return found;
}

Command renumbered(Command command, CharacterId first, TieId first_tie) {
  if (first == 1 && first_tie == 1) return command;
  v1::Command message = command_to_proto(command);
  visit_ids<Message>(message, "",
                     [first, first_tie](Message& m, const FieldDescriptor& field, int index,
                                        const std::string&, v1::Holds kind) {
                       const std::uint32_t id = read(m, field, index);
                       if (id == 0) return;
                       const std::uint32_t moved =
                           id + (kind == v1::HOLDS_TIE ? first_tie : first) - 1;
                       if (index < 0) {
                         m.GetReflection()->SetUInt32(&m, &field, moved);
                       } else {
                         m.GetReflection()->SetRepeatedUInt32(&m, &field, index, moved);
                       }
                     });
  auto moved = command_from_proto(message);
  assert(std::holds_alternative<Command>(moved));  // other ids are as valid as those of the scene
  return std::move(*std::get_if<Command>(&moved));
}

}  // namespace promenade::world
