#include "schema/check.h"

#include <algorithm>
#include <cmath>

namespace promenade::schema {

bool Checker::fail(const std::string& key, std::string value, std::string allowed,
                   std::string message) {
  if (!error_) {
    error_ = FileError{source_.file,     source_.line(key),  key,
                       std::move(value), std::move(allowed), std::move(message)};
  }
  return false;
}

bool Checker::range(const std::string& key, double value, double low, double high,
                    std::string_view unit) {
  if (std::isfinite(value) && value >= low && value <= high) return true;
  return fail(key, number(value), "from " + range_text(low, high) + std::string(unit));
}

bool Checker::positive(const std::string& key, double value, std::string_view unit) {
  if (std::isfinite(value) && value > 0) return true;
  return fail(key, number(value), "> 0" + std::string(unit));
}

bool Checker::count(const std::string& key, std::size_t got, std::size_t wanted) {
  if (got == wanted) return true;
  return fail(key, std::to_string(got) + " entries", std::to_string(wanted),
              "has " + std::to_string(got) + (got == 1 ? " entry" : " entries"));
}

bool Checker::name(const std::string& key, const std::string& value) {
  const bool fits =
      !value.empty() && value.size() <= 40 && std::all_of(value.begin(), value.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
      });
  return fits || fail(key, in_quotes(value), "1 to 40 of the characters a-z, 0-9, '_' and '-'");
}

bool Checker::color(const std::string& key, const std::string& value) {
  const bool fits =
      value.size() == 7 && value[0] == '#' &&
      std::all_of(value.begin() + 1, value.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      });
  return fits || fail(key, in_quotes(value), "a color as in \"#a0b1c2\"");
}

}  // namespace promenade::schema
