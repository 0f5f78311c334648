#include "control/parameters.h"

#include <google/protobuf/descriptor.h>

#include <cassert>
#include <string>

#include "schema/check.h"

namespace promenade::control {

std::optional<schema::FileError> check_parameters(const google::protobuf::Message& parameters,
                                                  const schema::Source& source,
                                                  std::span<const ParameterRange> ranges) {
  schema::Checker check(source);
  const google::protobuf::Descriptor* type = parameters.GetDescriptor();
  for (const ParameterRange& range : ranges) {
    const google::protobuf::FieldDescriptor* field = type->FindFieldByName(range.key);
    assert(field && "a range of a field that is not in the message");
    if (!source.lines.contains(range.key)) {
      check.fail(range.key, "",
                 "from " + schema::number(range.low) + " to " + schema::number(range.high),
                 "is missing");
    } else {
      check.range(range.key, parameters.GetReflection()->GetDouble(parameters, field), range.low,
                  range.high);
    }
  }
  if (check.ok()) return std::nullopt;
  return check.error();
}

}  // namespace promenade::control
