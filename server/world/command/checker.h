#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "math/types.h"
#include "schema/refusal.h"
#include "world/command/command.h"
#include "world/command/limits.h"

namespace promenade::world {

/// A field of two numbers, of which the schema has had the count checked (field_limits.h); nothing
/// of another count.
template <typename Repeated>
std::optional<Vec2> ground_point(const Repeated& values) {
  if (values.size() != 2) return std::nullopt;
  return Vec2(values[0], values[1]);
}

/// A field of three numbers, in the same way.
template <typename Repeated>
std::optional<Vec3> point(const Repeated& values) {
  if (values.size() != 3) return std::nullopt;
  return Vec3(values[0], values[1], values[2]);
}

/// Checks rules of one command that the schema's limits do not say; keeps the first error, whose
/// path begins with the command's name. Every check returns the value it was given, so that it can
/// stand in an initialiser.
class CommandChecker {
 public:
  /// @param prefix  the command's name: "push"
  explicit CommandChecker(std::string prefix) : prefix_(std::move(prefix)) {}

  bool ok() const { return !error_; }
  /// @pre !ok()
  CommandError take() { return *std::move(error_); }
  const std::string& prefix() const { return prefix_; }

  void fail(CommandError error) {
    if (!error_) error_ = std::move(error);
  }
  void fail(const std::string& field, std::string value, std::string allowed) {
    fail(refuse(CommandError::Code::kInvalid, prefix_ + "." + field, std::move(value),
                std::move(allowed)));
  }

  double number(const std::string& field, double value, double low, double high, const char* unit) {
    if (!std::isfinite(value) || value < low || value > high) {
      fail(field, schema::number(value), schema::range_text(low, high, unit));
    }
    return value;
  }

  CharacterId character(std::uint32_t id) {
    if (id == 0) fail("character", "0", "the id of a character, 1 or more");
    return id;
  }

  std::string name(const std::string& field, const std::string& value, bool required) {
    if (value.empty() ? required : value.size() > kMaxNameLength) {
      fail(field, value.empty() ? "empty" : schema::in_quotes(value),
           "a name of 1 to " + std::to_string(kMaxNameLength) + " characters");
    }
    return value;
  }

  /// Checks that either a name or a definition is given. @return whether there is no error so far
  bool choice(const std::string& name_field, const std::string& name,
              const std::string& definition_field, bool has_definition) {
    if (has_definition && !name.empty()) {
      fail(definition_field, "given together with `" + name_field + "`", "only one of the two");
    } else if (!has_definition && name.empty()) {
      fail(name_field, "empty", "a name, or `" + definition_field + "` instead");
    }
    return ok();
  }

  template <typename Repeated>
  bool length(const std::string& field, const Repeated& values, int wanted, bool may_be_empty) {
    if (values.size() == wanted) return true;
    if (values.empty() && may_be_empty) return false;
    fail(field, std::to_string(values.size()) + " numbers",
         std::to_string(wanted) + " numbers" + (may_be_empty ? ", or none" : ""));
    return false;
  }

  /// Three numbers, each from -most to most; nothing for an empty field where `may_be_empty`.
  template <typename Repeated>
  std::optional<Vec3> vector(const std::string& field, const Repeated& values, double most,
                             const char* unit, bool may_be_empty) {
    if (!length(field, values, 3, may_be_empty)) return std::nullopt;
    Vec3 out;
    for (int i = 0; i < 3; ++i) {
      out[i] = number(schema::indexed(field, i), values[i], -most, most, unit);
    }
    return out;
  }

 private:
  std::string prefix_;
  std::optional<CommandError> error_;
};

}  // namespace promenade::world
