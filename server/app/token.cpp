#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "api/tokens.h"
#include "app/subcommands.h"
#include "command/complain.h"
#include "schema/message.h"
#include "schema/text.h"

namespace promenade::app {
namespace {

struct TokenOptions {
  std::string action, role, name, room;
  std::filesystem::path file;
};

/// The salt of the hashed tokens in a file, so that a guess is hashed once for all of them; a new
/// one where there is none.
schema::Result<std::string> salt_of(const std::filesystem::path& file) {
  std::error_code error;
  if (file.empty() || !std::filesystem::exists(file, error)) return api::random_hex(16);
  const auto text = schema::read_text(file);
  if (!text) return text.error();
  const auto tokens = api::parse_token_file(*text, file.string());
  if (!tokens) return tokens.error();
  for (const api::HashedToken& token : *tokens) {
    if (token.salt != api::process_salt()) return token.salt;
  }
  return api::random_hex(16);
}

/// A line of a token file is words with blanks between: one more would be read as the room.
void require_word(const char* flag, const std::string& text) {
  const bool is_word = std::all_of(text.begin(), text.end(),
                                   [](unsigned char c) { return std::isgraph(c) || c >= 0x80; });
  if (is_word) return;
  throw CLI::ValidationError(
      flag, "\"" + text + "\" contains a blank; allowed: letters, digits and signs");
}

int make(const TokenOptions& options) {
  require_word("--name", options.name);
  require_word("--room", options.room);
  const auto salt = salt_of(options.file);
  if (!salt) return command::complain("token", salt.error().text());
  const std::string token = api::random_hex(16);
  const auto hashed = api::hash_token(token, api::parse_role(options.role).value(), *salt);
  std::string line = options.role + " " + api::hashed_text(hashed);
  if (!options.name.empty() || !options.room.empty()) {
    line += " " + (options.name.empty() ? "-" : options.name);
  }
  if (!options.room.empty()) line += " " + options.room;
  // Read as the server will read it, so that a wrong name is told now.
  if (const auto read = api::parse_token_file(line, ""); !read) {
    return command::complain("token", read.error().what());
  }
  if (!options.file.empty()) {
    std::ofstream out(options.file, std::ios::app);
    out << line << '\n';
    out.flush();
    if (!out) return command::complain("token", options.file.string() + " cannot be written");
    std::error_code ignored;
    std::filesystem::permissions(
        options.file, std::filesystem::perms::group_all | std::filesystem::perms::others_all,
        std::filesystem::perm_options::remove, ignored);
  }
  std::printf("token  %s\nline   %s\n", token.c_str(), line.c_str());
  return 0;
}

}  // namespace

command::Run add_token(CLI::App& command, const command::CommonOptions&) {
  auto options = std::make_shared<TokenOptions>();
  command.add_option("action", options->action, "What to do: new makes a token.")
      ->required()
      ->check(CLI::IsMember({"new"}));
  command.add_option("role", options->role, "Role that the token gives.")
      ->required()
      ->check(CLI::IsMember({"viewer", "player", "operator", "admin"}));
  command.add_option(
      "--name", options->name,
      "Name of the person it is for, without blanks; shown to admins and in the audit log.");
  command.add_option("--room", options->room,
                     "The only room where it gives the role. Left out: every room.");
  command
      .add_option("--file", options->file,
                  "Token file, as for serve --token-file, to append the line to. Only its owner "
                  "may read it afterwards.")
      ->type_name("FILE");
  command.footer(
      "Prints the token, only this once, and its line for a token file. The token cannot be found "
      "out\nfrom that line.");
  return [options] { return make(*options); };
}

}  // namespace promenade::app
