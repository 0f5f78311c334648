#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

#include "schema/refusal.h"

// Ranges of options. CLI11's own Range lets "nan" pass, and its reading of whole numbers takes -4
// for 2^64 - 4, 010 for 8, and a number that is too large for the largest one.
namespace promenade::command {

/// "-1 is not allowed, must be a number from 0 to 10", behind the option's name and a colon.
inline std::string out_of_range(const std::string& value, const std::string& allowed) {
  return value + " is not allowed, must be " + allowed;
}

/// A number from `low` to `high`, both included.
inline CLI::Validator finite_range(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
        return out_of_range(text, "a number from " + schema::range_text(low, high));
      },
      CLI::Range(low, high).get_description());
}

/// A whole number from `low` to `high`, both included, in decimal digits.
inline CLI::Validator whole_number(std::uint64_t low,
                                   std::uint64_t high = std::numeric_limits<std::uint64_t>::max()) {
  const std::string first = std::to_string(low), last = std::to_string(high);
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        std::uint64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [read, code] = std::from_chars(text.data(), end, value);
        // CLI11 reads the text again, and takes zeros in front for the sign of octal digits.
        const bool in = code == std::errc() && read == end && value >= low && value <= high;
        const bool zeros = text[0] == '0' && value != 0;
        if (in && !zeros) return {};
        return out_of_range(text, "a whole number from " + first + " to " + last +
                                      (in ? ", without zeros in front" : ""));
      },
      "UINT in [" + first + " - " + last + "]");
}

}  // namespace promenade::command
