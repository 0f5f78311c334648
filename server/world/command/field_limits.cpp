#include "world/command/field_limits.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "promenade/v1/rules.pb.h"
#include "schema/refusal.h"

namespace promenade::world {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// "0.1 to 100, or 0 for as fast as possible"
std::string allowed_by(const v1::Limits& limits) {
  std::string text = schema::range_text(limits.least(), limits.most(), limits.unit());
  if (!limits.zero().empty()) text += ", or 0 for " + limits.zero();
  return text;
}

/// "2 or 3 numbers, or none"; "1 to 17 numbers, or none" of many that follow each other.
std::string allowed_counts(const v1::Limits& limits) {
  constexpr std::size_t kFew = 3;  // that are listed
  std::vector<std::uint32_t> some(limits.counts().begin(), limits.counts().end());
  const bool none = std::erase(some, 0u) > 0;
  std::string text;
  if (some.size() > kFew && some.back() - some.front() + 1 == some.size()) {
    text = std::to_string(some.front()) + " to " + std::to_string(some.back());
  } else {
    for (const std::uint32_t count : some) {
      text += (text.empty() ? "" : " or ") + std::to_string(count);
    }
  }
  return text + " numbers" + (none ? ", or none" : "");
}

/// Of the numeric types that a field with limits has; `index` is -1 where it is not repeated.
double number_in(const Message& message, const FieldDescriptor& field, int index) {
  const auto* reflection = message.GetReflection();
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_UINT32) {
    return index < 0 ? reflection->GetUInt32(message, &field)
                     : reflection->GetRepeatedUInt32(message, &field, index);
  }
  return index < 0 ? reflection->GetDouble(message, &field)
                   : reflection->GetRepeatedDouble(message, &field, index);
}

std::optional<OutOfLimits> check_number(const Message& message, const FieldDescriptor& field,
                                        int index, const std::string& path,
                                        const v1::Limits& limits) {
  const double value = number_in(message, field, index);
  const bool within = value >= limits.least() && value <= limits.most();  // not so for NaN
  if (within || (value == 0 && !limits.zero().empty())) return std::nullopt;
  return OutOfLimits{path, schema::number(value), allowed_by(limits)};
}

std::optional<OutOfLimits> check_numbers(const Message& message, const FieldDescriptor& field,
                                         const std::string& path, const v1::Limits& limits) {
  const int count = message.GetReflection()->FieldSize(message, &field);
  const auto& counts = limits.counts();
  if (!counts.empty() &&
      std::find(counts.begin(), counts.end(), std::uint32_t(count)) == counts.end()) {
    return OutOfLimits{path, std::to_string(count) + " numbers", allowed_counts(limits)};
  }
  for (int i = 0; i < count; ++i) {
    const std::string at = schema::indexed(path, std::size_t(i));
    if (auto wrong = check_number(message, field, i, at, limits)) return wrong;
  }
  return std::nullopt;
}

/// How many messages a field has.
std::optional<OutOfLimits> check_count(const Message& message, const FieldDescriptor& field,
                                       const std::string& path, const v1::Limits& limits) {
  const int count = message.GetReflection()->FieldSize(message, &field);
  if (count >= limits.least() && count <= limits.most()) return std::nullopt;
  return OutOfLimits{path, std::to_string(count) + " " + limits.unit(),
                     limits.least() > 0
                         ? allowed_by(limits)
                         : "up to " + schema::number(limits.most()) + " " + limits.unit()};
}

std::optional<OutOfLimits> check_own_field(const Message& message, const FieldDescriptor& field,
                                           const std::string& path) {
  if (!field.options().HasExtension(v1::limits)) return std::nullopt;
  const v1::Limits& limits = field.options().GetExtension(v1::limits);
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    return check_count(message, field, path, limits);
  }
  if (field.is_repeated()) return check_numbers(message, field, path, limits);
  const bool left_out = field.has_presence() && !message.GetReflection()->HasField(message, &field);
  return left_out ? std::nullopt : check_number(message, field, -1, path, limits);
}

/// The path of a field of a message.
std::string path_of(const std::string& path, const FieldDescriptor& field) {
  return path.empty() ? field.name() : path + "." + field.name();
}

/// Checks a message without those in it.
std::optional<OutOfLimits> check_own(const Message& message, const std::string& path) {
  const auto* descriptor = message.GetDescriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor& field = *descriptor->field(i);
    if (auto wrong = check_own_field(message, field, path_of(path, field))) return wrong;
  }
  return std::nullopt;
}

std::optional<OutOfLimits> check_children(const Message& message, const FieldDescriptor& field,
                                          const std::string& path) {
  const auto* reflection = message.GetReflection();
  if (!field.is_repeated()) {
    const Message& child = reflection->GetMessage(message, &field);
    if (reflection->HasField(message, &field)) return find_out_of_limits(child, path);
    // One that is left out has nothing in it, which may be too little.
    return field.real_containing_oneof() ? std::nullopt : check_own(child, path);
  }
  for (int i = 0; i < reflection->FieldSize(message, &field); ++i) {
    const std::string at = schema::indexed(path, std::size_t(i));
    const Message& child = reflection->GetRepeatedMessage(message, &field, i);
    if (auto wrong = find_out_of_limits(child, at)) return wrong;
  }
  return std::nullopt;
}

}  // namespace

std::optional<OutOfLimits> find_out_of_limits(const Message& message, const std::string& path) {
  const auto* descriptor = message.GetDescriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor& field = *descriptor->field(i);
    const std::string at = path_of(path, field);
    if (auto wrong = check_own_field(message, field, at)) return wrong;
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (auto wrong = check_children(message, field, at)) return wrong;
  }
  return std::nullopt;
}

}  // namespace promenade::world
