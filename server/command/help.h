#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace promenade::command {

/// Lays out --help: beside each option its meaning, and below that its range, its default and its
/// environment variable.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace promenade::command
