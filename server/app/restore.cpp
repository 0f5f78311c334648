#include "service/store/restore.h"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/stored_files.h"
#include "app/subcommands.h"
#include "command/complain.h"
#include "net/http/http_client.h"
#include "world/checkpoint/checkpoint.h"
#include "world/library/library.h"

namespace promenade::app {
namespace {

namespace fs = std::filesystem;

struct RestoreOptions {
  fs::path from;
  service::ServerFiles to;
  std::string room, server = "http://localhost:8080", token;
};

int complain(const std::string& text) { return command::complain("restore", text); }

/// Puts the state of one room into a server that runs.
int restore_room(const RestoreOptions& options, const command::CommonOptions& common) {
  const auto place = net::parse_place(options.server);
  if (!place) {
    throw CLI::ValidationError("--server",
                               "\"" + options.server + "\" is not http://HOST or http://HOST:PORT");
  }
  fs::path directory = options.from;
  std::error_code ignored;
  if (fs::exists(options.from / service::kManifestFile, ignored)) {
    const auto manifest = service::check_files(options.from);
    if (!manifest) return complain(manifest.error().text());
    directory /= service::kStateFolder;
  }
  const auto library = Library::load(common.data_dir);
  if (!library) return complain(library.error().text());
  const auto room = service::recovered_room(directory, options.room, *library);
  if (!room) return complain(room.error().text());
  const v1::Checkpoint state = (*room)->save();
  try {
    const auto answer =
        net::http_request(*place, "PUT", "/api/v1/rooms/" + options.room + "/checkpoint",
                          world::checkpoint_bytes(state), options.token);
    if (answer.status != 200) {
      return complain(options.server + " answered " + std::to_string(answer.status) + ": " +
                      answer.body);
    }
  } catch (const std::runtime_error& error) {
    return complain(options.server + ": " + error.what());
  }
  std::printf("room %s of %s goes on at tick %llu, state hash %s\n", options.room.c_str(),
              options.server.c_str(), static_cast<unsigned long long>(state.tick()),
              state.state_hash().c_str());
  return 0;
}

int restore_all(RestoreOptions options) {
  const auto manifest = service::check_files(options.from);
  if (!manifest) return complain(manifest.error().text());
  options.to.store = store_or_default(options.to.store);
  std::vector<std::string> notes;
  if (const auto error = service::restore_files(options.from, *manifest, options.to, notes)) {
    return complain(error->text());
  }
  std::printf("restored %s, made %s\n", options.from.c_str(), manifest->made_at().c_str());
  for (const std::string& note : notes) std::printf("  %s\n", note.c_str());
  return 0;
}

}  // namespace

command::Run add_restore(CLI::App& command, const command::CommonOptions& common) {
  auto options = std::make_shared<RestoreOptions>();
  command
      .add_option("--from", options->from,
                  "The backup. With --room, a directory of journals also works, such as the one "
                  "that was set aside when its room was closed.")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory)
      ->required()
      ->envname("PROMENADE_RESTORE_FROM");
  add_stored_files(command, options->to);
  CLI::Option* room =
      command
          .add_option("--room", options->room,
                      "Puts only this room's state into the room of the same name on a running "
                      "server. Left out: restores all files; no server may be using them.")
          ->type_name("ROOM")
          ->envname("PROMENADE_RESTORE_ROOM");
  command.add_option("--server", options->server, "The running server; http only.")
      ->type_name("URL")
      ->envname("PROMENADE_RESTORE_SERVER")
      ->capture_default_str()
      ->needs(room);
  command
      .add_option("--token", options->token,
                  "An admin's token for that server, where guests are not admins.")
      ->type_name("TOKEN")
      ->envname("PROMENADE_RESTORE_TOKEN");
  command.footer(
      "What is replaced is kept with before-TIME in its name, never deleted. The digests of the "
      "backup\nare checked first; nothing is changed if one is wrong or the disk is too full.");
  return [options, &common] {
    return options->room.empty() ? restore_all(*options) : restore_room(*options, common);
  };
}

}  // namespace promenade::app
