#include <cstdio>

#include "app/run.h"
#include "app/subcommands.h"
#include "command/complain.h"
#include "command/progress_bar.h"
#include "command/ranges.h"
#include "world/journal/journal.h"

namespace promenade::app {
int replay_journal(std::shared_ptr<const Library> library, const ReplayOptions& options) {
  auto journal = world::Journal::read(options.journal);
  if (!journal) return command::complain("replay", journal.error().text());
  if (journal->header.data_digest() != world::format_hash(library->digest())) {
    std::fprintf(stderr,
                 "promenade replay: recorded with other bodies, styles, scenes or parameters than "
                 "these; expect another outcome\n");
  }
  if (!journal->whole) {
    std::fprintf(stderr,
                 "promenade replay: the journal has no end mark or lost entries; replaying what is "
                 "there\n");
  }
  world::ReplayResult result;
  {
    command::ProgressBar bar("replay", options.progress);
    try {
      result = world::replay(
          *journal, std::move(library), options.threads,
          [&](std::uint64_t tick, std::uint64_t end) { bar.show(double(tick), double(end)); });
    } catch (const world::RoomError& error) {
      bar.clear();
      return command::complain("replay", error.what());
    }
  }
  if (options.hash) {
    std::printf("%s\n", world::format_hash(result.hash).c_str());
  } else {
    std::printf("scene %s, %llu ticks, %zu commands, %d hashes compared: %s\n",
                journal->header.scene().c_str(), static_cast<unsigned long long>(result.ticks),
                journal->entries.size(), result.marks_checked,
                result.equal ? "all equal" : "not equal");
    std::printf("state hash %s\n", world::format_hash(result.hash).c_str());
  }
  if (!result.error.empty()) return command::complain("replay", result.error);
  if (!result.equal) {
    return command::complain("replay", "the state differs from the journal's at tick " +
                                           std::to_string(result.first_difference) +
                                           " or shortly before");
  }
  return 0;
}

command::Run add_replay(CLI::App& command, const command::CommonOptions& common) {
  auto options = std::make_shared<ReplayOptions>();
  command
      .add_option("journal", options->journal,
                  "Journal to repeat: a file that `promenade run --journal` or `promenade serve "
                  "--journal-dir` wrote.")
      ->required()
      ->check(CLI::ExistingFile);
  command
      .add_option("--threads", options->threads,
                  "Threads that step the bodies. Results do not depend on it.")
      ->check(command::whole_number(1, 64))
      ->capture_default_str();
  command.add_flag("--hash", options->hash,
                   "Prints nothing but the hash of the last state, 16 hexadecimal digits.");
  command.add_flag("--progress", options->progress,
                   "Shows the progress bar even if standard error is no terminal.");
  command.footer("The exit code is 0 if every state hash in the journal was met.");
  return [options, &common] {
    auto library = Library::load(common.data_dir);
    if (!library) return command::complain("replay", library.error().text());
    return replay_journal(*library, *options);
  };
}

}  // namespace promenade::app
