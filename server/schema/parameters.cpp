#include "schema/parameters.h"

#include <cassert>
#include <string>

#include "schema/check.h"

namespace promenade::schema {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// @param prefix  of the group's keys: "", or "group."
void check_group(const Message& group, const std::string& prefix, const Source& source,
                 Checker* check) {
  for (int i = 0; i < group.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *group.GetDescriptor()->field(i);
    const std::string key = prefix + field.name();
    const bool given = source.lines.contains(key);
    if (field.message_type()) {
      if (!given) {
        check->fail(key, "", "an object", "is missing");
      } else {
        check_group(group.GetReflection()->GetMessage(group, &field), key + ".", source, check);
      }
      continue;
    }
    const auto limits = limits_of(field);
    assert(limits && "a number without limits");
    if (!given) {
      check->fail(key, "", "from " + range_text(limits->least(), limits->most()), "is missing");
    } else {
      check->range(key, group.GetReflection()->GetDouble(group, &field), limits->least(),
                   limits->most());
    }
  }
}

}  // namespace

std::optional<v1::Limits> limits_of(const FieldDescriptor& number) {
  if (!number.options().HasExtension(v1::limits)) return std::nullopt;
  return number.options().GetExtension(v1::limits);
}

std::optional<FileError> check_parameters(const Message& parameters, const Source& source) {
  Checker check(source);
  check_group(parameters, "", source, &check);
  if (check.ok()) return std::nullopt;
  return check.error();
}

}  // namespace promenade::schema
