#pragma once

#include <cstdio>
#include <string>
#include <string_view>

// Numbers and names as they appear in messages for people.
namespace promenade::world {

/// Shortest common form: "0.5", "1e+20", "nan".
inline std::string format_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// "-3 to 3 m/s"
inline std::string format_range(double low, double high, std::string_view unit) {
  std::string text = format_number(low) + " to " + format_number(high);
  if (!unit.empty()) text.append(" ").append(unit);
  return text;
}

/// In quotes, cut to 40 bytes, control characters replaced: safe to show and to log.
inline std::string format_quoted(std::string_view value) {
  constexpr std::size_t kShown = 40;
  std::string text = "\"";
  for (const char c : value.substr(0, kShown)) {
    text += static_cast<unsigned char>(c) < 0x20 || c == '"' ? '?' : c;
  }
  return text + (value.size() > kShown ? "...\"" : "\"");
}

}  // namespace promenade::world
