#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace promenade::command {

/// A number from `low` to `high`, both included. CLI11's own Range lets "nan" pass.
inline CLI::Validator finite_range(double low, double high) {
  const CLI::Range shown(low, high);
  return CLI::Validator(
      [low, high](std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
        return "Value " + text + " not in range [" + CLI::detail::to_string(low) + " - " +
               CLI::detail::to_string(high) + "]";
      },
      shown.get_description());
}

}  // namespace promenade::command
