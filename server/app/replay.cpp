#include "world/journal/replay.h"

#include <cstdio>
#include <system_error>

#include "app/load_library.h"
#include "app/run.h"
#include "app/subcommands.h"
#include "command/complain.h"
#include "command/progress_bar.h"
#include "command/ranges.h"
#include "world/journal/journal_set.h"

namespace promenade::app {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<fs::path>;

Files segments_of(const fs::path& directory, const std::string& room) {
  Files files;
  for (const auto& segment : world::JournalSet(directory, room).list().segments) {
    files.push_back(segment.path);
  }
  return files;
}

/// The files that an argument names: itself, or the segments of DIR/ROOM, or those of the one room
/// in DIR.
schema::Result<Files> files_of(const fs::path& argument) {
  const auto refuse = [&](std::string message) {
    return schema::FileError{argument.string(), 0, "", "", "", std::move(message)};
  };
  std::error_code ignored;
  if (fs::is_directory(argument, ignored)) {
    const auto rooms = world::JournalSet::rooms_in(argument);
    if (rooms.empty()) return refuse("contains no journals");
    if (rooms.size() == 1) return segments_of(argument, rooms.front());
    std::string text = "contains the journals of several rooms; name one of";
    for (const std::string& room : rooms) text += " " + (argument / room).string();
    return refuse(std::move(text));
  }
  if (fs::exists(argument, ignored)) return Files{argument};
  const fs::path directory = argument.has_parent_path() ? argument.parent_path() : ".";
  Files files = segments_of(directory, argument.filename().string());
  if (files.empty()) return refuse("there is no such file, and no room of that name with journals");
  return files;
}

void print(const world::ReplayResult& result, std::size_t files) {
  std::printf("%zu file%s, up to tick %llu, %zu commands, %zu hashes compared", files,
              files == 1 ? "" : "s", static_cast<unsigned long long>(result.ticks), result.commands,
              result.marks_checked + result.boundaries_checked);
  if (files > 1) std::printf(", %zu of them between files", result.boundaries_checked);
  std::printf(": %s\n", result.equal ? "all equal" : "not equal");
  std::printf("state hash %s\n", world::format_hash(result.hash).c_str());
}

}  // namespace

int replay_journals(std::shared_ptr<const Library> library, const ReplayOptions& options) {
  Files files;
  for (const fs::path& argument : options.journals) {
    auto found = files_of(argument);
    if (!found) return command::complain("replay", found.error().text());
    files.insert(files.end(), found->begin(), found->end());
  }
  command::ProgressBar bar("replay", options.progress);
  try {
    const auto result = world::replay(files, std::move(library), options.threads,
                                      [&](double done) { bar.show(done, 1); });
    bar.clear();
    if (!result) return command::complain("replay", result.error().text());
    for (const std::string& note : result->notes) command::complain("replay", note);
    if (options.hash) {
      std::printf("%s\n", world::format_hash(result->hash).c_str());
    } else {
      print(*result, files.size());
    }
    if (!result->error.empty()) return command::complain("replay", result->error);
    if (!result->equal) {
      return command::complain("replay", "the state differs from the recorded one at " +
                                             result->difference + " or shortly before");
    }
  } catch (const world::RoomError& error) {
    bar.clear();
    return command::complain("replay", error.what());
  }
  return 0;
}

command::Run add_replay(CLI::App& command, const command::CommonOptions& common) {
  auto options = std::make_shared<ReplayOptions>();
  command
      .add_option("journal", options->journals,
                  "Journals to repeat: files that `promenade run --journal` or `promenade serve "
                  "--state-dir` wrote, in order; or DIR/ROOM: all files of a room in the state "
                  "directory DIR; or DIR, if it holds only one room.")
      ->type_name("JOURNAL")
      ->required();
  command
      .add_option("--threads", options->threads,
                  "Threads that step the bodies. Results do not depend on their number.")
      ->check(command::whole_number(1, 64))
      ->capture_default_str();
  command.add_flag("--hash", options->hash,
                   "Prints only the hash of the last state, 16 hexadecimal digits.");
  command.add_flag("--progress", options->progress,
                   "Shows the progress bar even if standard error is not a terminal.");
  command.footer(
      "The exit code is 0 if every state hash in the journals was reached, and every file that "
      "continues\nanother begins with the state in which that one ends.");
  return [options, &common] {
    auto library = load_library(common);
    if (!library) return command::complain("replay", library.error().text());
    return replay_journals(*library, *options);
  };
}

}  // namespace promenade::app
