#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace promenade::command {

/// Reads files of settings, and remembers where each setting stands in them: CLI11 tells of a
/// mistake neither file nor line.
class ConfigFile : public CLI::ConfigTOML {
 public:
  /// Settings that commands take from the section of another one where their own has none.
  struct Shared {
    std::string from;
    std::vector<std::string> with;
    std::vector<std::string> settings;  // empty: all
  };
  /// @param words  of the command line: a setting there wins over the file, which may then even
  ///               have a wrong value for it
  ConfigFile(std::vector<Shared> shared, std::vector<std::string> words)
      : shared_(std::move(shared)), words_(std::move(words)) {}

  /// Whether a command takes settings from the section of another.
  bool shares(const std::string& command) const;
  /// The keys that a section may have, without which any may stand there: a mistake in one is told
  /// with the nearest.
  void know(const std::string& section, std::vector<std::string> keys) {
    known_[section] = std::move(keys);
  }

  /// Throws CLI::ConfigError where a line is none of a file of settings; explain() has its place.
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;

  /// The text of a mistake, with file, line and key in front if it stands in the file.
  /// @param error  CLI11's text; it names an option as in "--port: ..." or a key as in "serve.prot"
  /// @param file  that was read; empty: none
  /// @param command  the one whose settings are read
  std::string explain(const std::string& error, const std::string& file,
                      const std::string& command) const;

 private:
  struct Fault {
    int line = 0;
    std::string text;
  };
  /// Where each key stands. @return the first line that is a mistake
  std::optional<Fault> find_lines(std::istream& input) const;
  std::optional<Fault> fault_of_section(int number, const std::string& line) const;
  void share(std::vector<CLI::ConfigItem>& read) const;
  bool is_given(const std::string& setting) const;  // on the command line
  /// The setting of a command that a key such as "serve.port" sets, "port"; empty: none.
  std::string setting_of(const std::string& key, const std::string& command) const;

  const std::vector<Shared> shared_;
  const std::vector<std::string> words_;
  std::map<std::string, std::vector<std::string>> known_;  // keys of each section
  mutable std::map<std::string, int> lines_;               // of "serve.port"
  mutable std::optional<Fault> fault_;                     // of the file that was read last
};

}  // namespace promenade::command
