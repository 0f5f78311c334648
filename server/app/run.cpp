#include "app/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/run_csv.h"
#include "app/subcommands.h"
#include "command/progress_bar.h"
#include "command/ranges.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "world/checkpoint/checkpoint.h"
#include "world/command/command_codec.h"
#include "world/journal/journal.h"
#include "world/room.h"

namespace promenade::app {
namespace {

using world::Command;
using world::Room;

struct Timed {
  double at = 0;
  Command command;
  int line = 0;
};

// A run goes as fast as possible from its first tick to its last, so commands to the clock make no
// sense in it.
bool commands_the_clock(const Command& command) {
  return std::holds_alternative<world::Pause>(command) ||
         std::holds_alternative<world::Resume>(command) ||
         std::holds_alternative<world::SingleStep>(command) ||
         std::holds_alternative<world::SetTimeScale>(command);
}

// A file of TimedCommand, one JSON object a line; blank lines are skipped.
schema::Result<std::vector<Timed>> read_commands(const std::filesystem::path& path) {
  auto text = schema::read_file(path, std::size_t{64} << 20);
  if (!text) return text.error();
  std::vector<Timed> out;
  int number = 0;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const std::string_view line = std::string_view(*text).substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto fail = [&](schema::FileError error) {
      error.file = path.string();
      error.line = number;
      return error;
    };
    v1::TimedCommand message;
    if (auto error = schema::message_from_json(line, &message)) return fail(*error);
    if (!std::isfinite(message.at_s()) || message.at_s() < 0) {
      return fail({"", 0, "at_s", std::to_string(message.at_s()), "0 s or later", ""});
    }
    auto command = world::command_from_proto(message.command());
    if (const auto* error = std::get_if<world::CommandError>(&command)) {
      return fail({"", 0, "command." + error->field, error->value, error->allowed, ""});
    }
    if (commands_the_clock(std::get<Command>(command))) {
      return fail({"", 0, "command", "", "any but pause, resume, single_step and set_time_scale",
                   "a run has no clock to command"});
    }
    out.push_back({message.at_s(), std::move(std::get<Command>(command)), number});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Timed& a, const Timed& b) { return a.at < b.at; });
  return out;
}

// What happened to each character, for the summary.
struct Account {
  std::string body, style;
  int falls = 0, quarantines = 0;
  double travelled = 0;  // m, along the ground
  double seconds = 0;    // on its feet
  Vec2 last = Vec2::Zero();
  bool seen = false;
};

class Accounts {
 public:
  void note(const std::vector<world::RoomEvent>& events) {
    for (const world::RoomEvent& event : events) {
      if (event.kind == world::RoomEvent::Kind::kFell) ++all_[event.character].falls;
      if (event.kind == world::RoomEvent::Kind::kQuarantined) ++all_[event.character].quarantines;
    }
  }
  void note(const world::Snapshot& snapshot, double dt) {
    for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
      const world::CharacterSnapshot& c = snapshot.characters[i];
      Account& account = all_[c.id];
      const Vec2 here = c.root.position.head<2>();
      const world::RosterEntry& entry = snapshot.roster->entries[i];
      if (!account.seen) account.body = snapshot.roster->bodies[std::size_t(entry.body)]->name;
      account.style = entry.style;
      const bool up = !(c.flags & (world::kFlagFallen | world::kFlagQuarantined));
      // Distance between two looks: short enough to follow curves, long enough to leave out the
      // sway of steps. A longer jump is a character that was set upright elsewhere.
      const double moved = (here - account.last).norm();
      if (up && account.seen && moved < 5 * dt + 0.1) {
        account.travelled += moved;
        account.seconds += dt;
      }
      account.last = here;
      account.seen = true;
    }
  }
  void print(double simulated, double wall, const Room& room) const {
    int falls = 0, quarantines = 0;
    double travelled = 0, seconds = 0;
    for (const auto& [id, a] : all_) {
      falls += a.falls;
      quarantines += a.quarantines;
      travelled += a.travelled;
      seconds += a.seconds;
    }
    std::printf("%.2f s simulated in %.2f s: %.2f x real time, %zu characters, %d thread%s\n",
                simulated, wall, wall > 0 ? simulated / wall : 0, room.character_count(),
                room.settings().threads, room.settings().threads == 1 ? "" : "s");
    const world::RoomTimes t = room.times();
    std::printf("workers: behaviour %.2f s, control %.2f s, physics %.2f s\n", t.behaviour,
                t.control, t.physics);
    std::printf("falls %d, quarantines %d, mean speed %.2f m/s\n", falls, quarantines,
                seconds > 0 ? travelled / seconds : 0);
    std::printf("%5s  %-10s %-14s %8s %6s\n", "id", "body", "style", "m/s", "falls");
    for (const auto& [id, a] : all_) {
      std::printf("%5u  %-10s %-14s %8.2f %6d%s\n", id, a.body.c_str(), a.style.c_str(),
                  a.seconds > 0 ? a.travelled / a.seconds : 0, a.falls,
                  a.quarantines ? "  (quarantined)" : "");
    }
  }

 private:
  std::map<world::CharacterId, Account> all_;
};

double now_s() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

int complain(const std::string& message) {
  std::fprintf(stderr, "promenade run: %s\n", message.c_str());
  return 1;
}

}  // namespace

int run_scene(std::shared_ptr<const Library> library, const RunOptions& options) {
  std::vector<Timed> commands;
  if (!options.commands.empty()) {
    auto read = read_commands(options.commands);
    if (!read) return complain(read.error().text());
    commands = std::move(read).value();
  }
  world::RoomSettings settings;
  settings.scene = options.scene;
  settings.seed = options.seed;
  settings.threads = options.threads;
  std::optional<v1::Checkpoint> checkpoint;
  if (!options.restore.empty()) {
    auto read = world::read_checkpoint(options.restore);
    if (!read) return complain(read.error().text());
    checkpoint = std::move(read).value();
    if (checkpoint->scene() != options.scene) {
      return complain(
          options.restore.string() + ": scene: " + schema::in_quotes(checkpoint->scene()) +
          " is not allowed, must be " + schema::in_quotes(options.scene) + ", the scene to run");
    }
    settings = world::settings_of(*checkpoint, options.threads);
  }
  const std::uint64_t digest = library->digest();
  std::unique_ptr<Room> room;
  std::unique_ptr<world::JournalWriter> journal;
  try {
    room = std::make_unique<Room>(std::move(library), settings);
    if (checkpoint) {
      if (const auto error = room->restore(*checkpoint)) {
        return complain(options.restore.string() + ": " + error->message);
      }
    }
    if (!options.journal.empty()) {
      journal = std::make_unique<world::JournalWriter>(options.journal, room->settings(), digest);
    }
  } catch (const world::RoomError& error) {
    return complain(error.what());
  }
  if (journal) {
    room->set_command_sink(
        [&](std::uint64_t tick, const Command& command) { journal->add(tick, command); });
  }
  RunCsv csv;
  if (!csv.open(options.csv, options.things_csv)) return complain(csv.cannot_write());

  const double dt = room->tick_seconds();
  const auto ticks = std::uint64_t(std::llround(options.seconds / dt));
  constexpr std::uint64_t kLook = 30;  // ticks between looks at the distance travelled
  Accounts accounts;
  command::ProgressBar bar(options.scene, options.progress);
  const double start = now_s();
  std::size_t next = 0;
  bool refused = false;
  for (std::uint64_t tick = 0; tick <= ticks; ++tick) {
    for (; next < commands.size() && commands[next].at <= double(tick) * dt + 1e-9; ++next) {
      const world::CommandResult result = room->apply(commands[next].command);
      if (result.error) {
        bar.clear();
        std::fprintf(stderr, "promenade run: %s:%d: at %.3f s: %s\n", options.commands.c_str(),
                     commands[next].line, commands[next].at, result.error->message.c_str());
        refused = true;
      }
    }
    const bool row = csv.wanted() && tick % std::uint64_t(std::max(1, options.csv_every)) == 0;
    if (row || tick % kLook == 0) {
      const auto snapshot = room->snapshot();
      if (row) csv.write(*snapshot, dt);
      if (tick % kLook == 0) accounts.note(*snapshot, kLook * dt);
    }
    if (tick == ticks) break;
    accounts.note(room->tick());
    char note[48];
    std::snprintf(note, sizeof note, "%.1f x real time", double(tick + 1) * dt / (now_s() - start));
    bar.show(double(tick + 1), double(ticks), note);
  }
  const double wall = now_s() - start;
  bar.clear();
  const std::uint64_t hash = room->state_hash();
  if (journal) {
    journal->close(room->tick_count(), hash);
    if (journal->lost() > 0) {
      return complain(options.journal.string() + " is not whole: " +
                      std::to_string(journal->lost()) + " entries could not be written");
    }
  }
  if (!csv.good()) return complain(csv.cannot_write());
  if (!options.save.empty()) {
    if (auto error = world::write_checkpoint(room->save(), options.save)) {
      return complain(error->text());
    }
  }
  if (options.hash) {
    std::printf("%s\n", world::format_hash(hash).c_str());
  } else {
    accounts.print(double(ticks) * dt, wall, *room);
    std::printf("state hash %s at tick %llu\n", world::format_hash(hash).c_str(),
                static_cast<unsigned long long>(room->tick_count()));
  }
  return refused ? 1 : 0;
}

command::Run add_run(CLI::App& command, const command::CommonOptions& common) {
  auto options = std::make_shared<RunOptions>();
  command
      .add_option(
          "scene", options->scene,
          "Scene to run: the name of a file in scenes/ of the data directory, such as square.")
      ->type_name("SCENE")
      ->required();
  command.add_option("--seconds", options->seconds, "Simulated time in seconds.")
      ->check(command::finite_range(0.0, 1e6))
      ->capture_default_str();
  command
      .add_option("--commands", options->commands,
                  "File of commands, one JSON object a line, each with its time in simulated "
                  "seconds:\n{\"at_s\": 2, \"command\": {\"stop\": {\"character\": 1}}}\nAll "
                  "commands of docs/protocol.md but pause, resume, single_step and "
                  "set_time_scale, because a run has no clock.")
      ->check(CLI::ExistingFile);
  command
      .add_option("--csv", options->csv,
                  "File to which a table is written: a row for each character and tick.")
      ->type_name("FILE");
  command
      .add_option("--things-csv", options->things_csv,
                  "File to which a table is written: a row for each thing and tick.")
      ->type_name("FILE");
  command.add_option("--csv-every", options->csv_every, "Writes the rows of every N-th tick only.")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  CLI::Option* journal =
      command
          .add_option("--journal", options->journal,
                      "File to which the run is recorded for `promenade replay`.")
          ->type_name("FILE");
  command.add_option("--save", options->save, "File to which the last state is saved.")
      ->type_name("FILE");
  command
      .add_option("--restore", options->restore,
                  "Starts from a state that --save wrote, or GET .../checkpoint of a server gave. "
                  "Scene, data and version of the program must be the same.")
      ->check(CLI::ExistingFile)
      ->excludes(journal);
  command.add_option("--seed", options->seed,
                     "Seed of everything random; 0 or left out takes the scene's own.");
  command
      .add_option("--threads", options->threads,
                  "Threads that step the bodies. Results do not depend on it.")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command.add_flag("--hash", options->hash,
                   "Prints nothing but the hash of the last state, 16 hexadecimal digits.");
  command.add_flag("--progress", options->progress,
                   "Shows the progress bar even if standard error is no terminal.");
  command.footer(
      "Example: a table of ten rows a second of a minute on the square\n"
      "  promenade run square --seconds 60 --csv square.csv --csv-every 6\n"
      "The exit code is 0 if the scene ran to its end and no command was refused. A mistake in "
      "the\n"
      "file of commands is reported before the first tick. A command that is refused later, such "
      "as\n"
      "one to a character that is not there, is reported and does not end the run.");
  return [options, &common] {
    auto library = Library::load(common.data_dir);
    if (!library) return complain(library.error().text());
    return run_scene(*library, *options);
  };
}

}  // namespace promenade::app
