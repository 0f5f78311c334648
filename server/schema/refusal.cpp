#include "schema/refusal.h"

#include <cstdio>

#include "schema/json.h"

namespace promenade::schema {

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string range_text(double low, double high, std::string_view unit) {
  std::string text = number(low) + " to " + number(high);
  if (!unit.empty()) text.append(" ").append(unit);
  return text;
}

std::string in_quotes(std::string_view name, std::size_t longest) {
  std::string shown = shortened(name, longest);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '"') c = '?';
  }
  return "\"" + shown + "\"";
}

std::string listed_names(const std::vector<std::string>& names) {
  if (names.empty()) return "none, because there are none";
  constexpr std::size_t kMaxListed = 20;
  std::string text = "one of ";
  for (std::size_t i = 0; i < names.size() && i < kMaxListed; ++i) {
    text += (i ? ", " : "") + names[i];
  }
  return names.size() > kMaxListed ? text + ", ..." : text;
}

std::string indexed(std::string_view list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

std::string refusal(std::string_view field, std::string_view value, std::string_view allowed) {
  std::string text(field);
  return text.append(" is ").append(value).append("; allowed: ").append(allowed);
}

}  // namespace promenade::schema
