#include "command/config_file.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "command/nearest.h"
#include "schema/text.h"

namespace promenade::command {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The quote that opens in a value and does not close, in front of a comment; 0: none.
char unclosed_quote(const std::string& value) {
  char open = 0;
  for (const char c : value) {
    if (open == 0 && c == '#') break;
    if (open == 0 && (c == '"' || c == '\'')) {
      open = c;
    } else if (c == open) {
      open = 0;
    }
  }
  return open;
}

}  // namespace

std::optional<ConfigFile::Fault> ConfigFile::fault_of_section(int number,
                                                              const std::string& line) const {
  const auto end = line.find(']');
  if (end == line.npos || line.starts_with("[[")) {
    return Fault{number, line + ": not a section; sections are written like [serve]"};
  }
  const std::string rest = trimmed(line.substr(end + 1));
  if (!rest.empty() && rest[0] != '#' && rest[0] != ';') {
    return Fault{number, line + ": \"" + rest + "\" follows the section"};
  }
  const std::string section = trimmed(line.substr(1, end - 1));
  if (known_.empty() || known_.contains(section)) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, keys] : known_) names.push_back(name);
  std::string text =
      "[" + section + "]: unknown section" + meant(section, names) + "; the sections are ";
  for (const std::string& name : names) text += (name == names.front() ? "" : ", ") + name;
  return Fault{number, text};
}

std::optional<ConfigFile::Fault> ConfigFile::find_lines(std::istream& input) const {
  lines_.clear();
  std::string section;
  int number = 0;
  for (std::string raw; std::getline(input, raw);) {
    ++number;
    const std::string line = trimmed(raw);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line[0] == '[') {
      if (auto fault = fault_of_section(number, line)) return fault;
      section = trimmed(line.substr(1, line.find(']') - 1));
      continue;
    }
    const auto equals = line.find('=');
    std::string key = section.empty() || section == "default" ? "" : section + ".";
    key += trimmed(line.substr(0, equals));
    if (equals != line.npos) {
      const std::string value = trimmed(line.substr(equals + 1));
      if (const char open = unclosed_quote(value)) {
        return Fault{number, key + ": the " + open + " in front of " + value.substr(1) +
                                 " has no closing one"};
      }
      if (value.starts_with('[') && value.find(']') == value.npos) {
        return Fault{number,
                     key + ": the list is not closed; write it on one line, as in [\"a\", \"b\"]"};
      }
    }
    if (const auto [first, fresh] = lines_.emplace(key, number); !fresh) {
      return Fault{number, key + ": it is already given in line " + std::to_string(first->second) +
                               "; allowed once"};
    }
  }
  return std::nullopt;
}

std::vector<CLI::ConfigItem> ConfigFile::from_config(std::istream& input) const {
  const std::string bytes{std::istreambuf_iterator<char>(input), {}};
  if (const auto wrong = schema::text_fault(bytes)) {
    lines_.clear();
    fault_ = Fault{wrong->line, wrong->what()};
    throw CLI::ConfigError(fault_->text);
  }
  std::stringstream copy(bytes.substr(schema::mark_size(bytes)));
  fault_ = find_lines(copy);
  if (fault_) throw CLI::ConfigError(fault_->text);
  copy.clear();
  copy.seekg(0);
  std::vector<CLI::ConfigItem> read = CLI::ConfigTOML::from_config(copy);
  share(read);
  // CLI11 checks an item of the file even where the command line has the option too.
  std::erase_if(read, [&](const CLI::ConfigItem& item) {
    return item.parents.size() == 1 && contains(words_, item.parents[0]) && is_given(item.name);
  });
  return read;
}

bool ConfigFile::is_given(const std::string& setting) const {
  const std::string flag = "--" + setting;
  return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
    return word == flag || word.starts_with(flag + "=");
  });
}

bool ConfigFile::shares(const std::string& command) const {
  return std::any_of(shared_.begin(), shared_.end(),
                     [&](const Shared& shared) { return contains(shared.with, command); });
}

void ConfigFile::share(std::vector<CLI::ConfigItem>& read) const {
  std::vector<CLI::ConfigItem> more;
  for (const Shared& shared : shared_) {
    for (const CLI::ConfigItem& item : read) {
      if (item.parents != std::vector<std::string>{shared.from}) continue;
      if (!shared.settings.empty() && !contains(shared.settings, item.name)) continue;
      for (const std::string& command : shared.with) {
        const bool has_own = std::any_of(read.begin(), read.end(), [&](const auto& other) {
          return other.name == item.name && other.parents == std::vector<std::string>{command};
        });
        if (has_own || !contains(words_, command)) continue;
        more.push_back(item);
        more.back().parents = {command};
      }
    }
  }
  read.insert(read.end(), more.begin(), more.end());
}

std::string ConfigFile::setting_of(const std::string& key, const std::string& command) const {
  const auto dot = key.find('.');
  if (dot == std::string::npos) return "";
  const std::string section = key.substr(0, dot);
  std::string setting = key.substr(dot + 1);
  if (section == command) return setting;
  const bool takes = std::any_of(shared_.begin(), shared_.end(), [&](const Shared& shared) {
    return shared.from == section && contains(shared.with, command) &&
           (shared.settings.empty() || contains(shared.settings, setting));
  });
  return takes ? setting : "";
}

std::string ConfigFile::explain(const std::string& error, const std::string& file,
                                const std::string& command) const {
  if (fault_) return file + ":" + std::to_string(fault_->line) + ": " + fault_->text;
  for (const auto& [key, line] : lines_) {
    std::string place = file;
    place.append(":").append(std::to_string(line)).append(": ").append(key).append(": ");
    const std::string setting = setting_of(key, command);  // empty: a key of another command
    const std::string flag = "--" + setting;
    const bool names_flag = !setting.empty() && error.starts_with(flag) &&
                            error.find_first_of(": ", flag.size()) == flag.size();
    if (names_flag && !is_given(setting)) {
      const auto text = error.find_first_not_of(": ", flag.size());
      return place + (text == error.npos ? "wrong" : error.substr(text));
    }
    // For keys that belong to no command CLI11 gives the names alone.
    std::string named(1, ' ');
    const auto at = error.find(named.append(key));
    if (at != error.npos && error.find("parse") != error.npos &&
        at + 1 + key.size() == error.find_last_not_of(" []") + 1) {
      const auto known = known_.find(key.substr(0, key.find('.')));
      return place.append("unknown key")
          .append(known == known_.end() ? "" : meant(key.substr(key.find('.') + 1), known->second))
          .append("; promenade ")
          .append(command)
          .append(" --help lists the keys");
    }
  }
  return error;
}

}  // namespace promenade::command
