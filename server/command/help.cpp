#include "command/help.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace promenade::command {
namespace {

constexpr std::size_t kColumn = 34;  // where the right column begins
constexpr std::size_t kLine = 100;   // characters a line

/// Breaks a text into lines that fit the right column; line breaks in the text stay.
std::string wrapped(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::size_t used = 0;
    if (!out.empty()) out += '\n';
    for (std::string word; words >> word;) {
      const bool fits = used + 1 + word.size() <= kLine - kColumn;
      if (used > 0) out += fits ? ' ' : '\n';
      used = used > 0 && fits ? used + 1 + word.size() : word.size();
      out += word;
    }
  }
  return out;
}

/// A number as it is written by hand: CLI11 has 1e+06 for a million. Other texts stay.
std::string plain(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.find('e') == value.npos || *end != '\0') return value;
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", number);
  return text;
}

/// The value that may be given: a placeholder, and its range in words if it has one.
struct Allowed {
  std::string placeholder, range;
};

/// CLI11 joins the name of the type and the names of the checks with colons, as in
/// "INT:INT in [0 - 64]", "TEXT:{viewer,admin}" and "TEXT:DIR".
Allowed allowed(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto starts = [&](const char* word) { return type.rfind(word, 0) == 0; };
  const auto ends = [&](const std::string& word) {
    return type.size() > word.size() && type.substr(type.size() - word.size()) == word;
  };
  if (const auto open = type.find(":{"); open != type.npos) {
    std::string choices = type.substr(open + 2, type.size() - open - 3);
    for (char& c : choices) c = c == ',' ? '|' : c;
    return {choices, ""};
  }
  const std::string number = starts("FLOAT") ? "NUMBER" : "INTEGER";
  if (const auto open = type.find(" in ["); open != type.npos) {
    const std::string range = type.substr(open + 5, type.size() - open - 6);
    const auto middle = range.find(" - ");
    return {number, plain(range.substr(0, middle)) + " to " + plain(range.substr(middle + 3))};
  }
  if (starts("INT") || starts("UINT") || starts("FLOAT")) return {number, ""};
  if (ends(":DIR")) return {"DIR", ""};
  if (ends(":FILE")) return {"FILE", ""};
  return {type, ""};
}

}  // namespace

HelpFormatter::HelpFormatter() { column_width(kColumn); }

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const bool flag = option->get_type_size() == 0 || option->get_positional();
  return flag ? "" : " " + allowed(*option).placeholder;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::string details;
  const auto add = [&](const std::string& text) {
    details += (details.empty() ? "" : "; ") + text;
  };
  if (option->get_type_size() != 0) {
    const Allowed what = allowed(*option);
    if (!what.range.empty()) add(what.range);
    if (option->get_positional() && what.placeholder.find('|') != std::string::npos) {
      add(what.placeholder);
    }
    const std::string value = option->get_default_str();
    if (!value.empty() && value != "[]") add("default " + plain(value));
  }
  for (const CLI::Option* other : option->get_excludes())
    add("not together with " + other->get_name());
  if (!option->get_envname().empty()) add("variable " + option->get_envname());
  const std::string text = option->get_description();
  return wrapped(details.empty() ? text : text + "\n[" + details + "]");
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  std::stringstream out;
  CLI::detail::format_help(out, command->get_name(), wrapped(command->get_description()), kColumn);
  return out.str();
}

}  // namespace promenade::command
