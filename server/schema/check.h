#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "schema/message.h"
#include "schema/refusal.h"

namespace promenade::schema {

/// Checks values of a message that came from `source`; keeps the first error with file and line.
/// Every check returns whether it holds, so that dependent checks can be skipped.
class Checker {
 public:
  /// @param source  must outlive the checker
  explicit Checker(const Source& source) : source_(source) {}
  explicit Checker(const Source&&) = delete;  // it would be gone

  bool ok() const { return !error_; }
  /// @pre !ok()
  const FileError& error() const { return *error_; }

  /// Notes an error at the key. @return false
  bool fail(const std::string& key, std::string value, std::string allowed,
            std::string message = "");
  /// Finite and low <= value <= high. @param unit  " kg", " rad": after the numbers in errors
  bool range(const std::string& key, double value, double low, double high,
             std::string_view unit = "");
  /// Finite and > 0.
  bool positive(const std::string& key, double value, std::string_view unit = "");
  /// A repeated field has `wanted` entries.
  bool count(const std::string& key, std::size_t got, std::size_t wanted);
  /// [a-z0-9_-], 1 to 40 characters.
  bool name(const std::string& key, const std::string& value);
  /// "#rrggbb".
  bool color(const std::string& key, const std::string& value);

 private:
  const Source& source_;
  std::optional<FileError> error_;
};

}  // namespace promenade::schema
