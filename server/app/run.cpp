#include "app/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/load_library.h"
#include "app/run_csv.h"
#include "app/subcommands.h"
#include "command/complain.h"
#include "command/progress_bar.h"
#include "command/ranges.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "schema/text.h"
#include "world/checkpoint/checkpoint.h"
#include "world/command/command_codec.h"
#include "world/journal/journal_writer.h"
#include "world/room/room.h"

namespace promenade::app {
namespace {

using world::Command;
using world::Room;

struct Timed {
  double at = 0;
  Command command;
  int line = 0;
};

// A file of TimedCommand, one JSON object a line; blank lines are skipped.
schema::Result<std::vector<Timed>> read_commands(const std::filesystem::path& path) {
  auto text = schema::read_text(path, std::size_t{64} << 20);
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
    // A run goes as fast as possible from its first tick to its last.
    if (world::rules_of(std::get<Command>(command)).clock()) {
      return fail({"", 0, "command", "",
                   "any command but " + world::names_of_kinds(&v1::CommandRules::clock),
                   "a run has no clock to command"});
    }
    out.push_back({message.at_s(), std::move(std::get<Command>(command)), number});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Timed& a, const Timed& b) { return a.at < b.at; });
  return out;
}

// The deeds and falls of each character, for the summary.
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
      using Kind = world::RoomEvent::Kind;
      if (event.kind == Kind::kFell) ++all_[event.character].falls;
      if (event.kind == Kind::kQuarantined) ++all_[event.character].quarantines;
      left_ += event.kind == Kind::kLeft;
      removed_ += event.kind == Kind::kRemoved;
      if (event.kind == Kind::kNotice) last_notice_ = event.text;
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
    std::printf("%.2f s simulated in %.2f s: %.2f x real time, %zu character%s, %d thread%s\n",
                simulated, wall, wall > 0 ? simulated / wall : 0, room.character_count(),
                room.character_count() == 1 ? "" : "s", room.settings().threads,
                room.settings().threads == 1 ? "" : "s");
    const world::RoomTimes t = room.times();
    std::printf("workers: behaviour %.2f s, control %.2f s, physics %.2f s\n", t.behaviour,
                t.control, t.physics);
    std::printf("falls %d, quarantines %d, mean speed %.2f m/s\n", falls, quarantines,
                seconds > 0 ? travelled / seconds : 0);
    if (left_ + removed_ > 0) {
      std::printf("left the world: %d put back, %d removed\n", left_, removed_);
    }
    if (!last_notice_.empty()) std::printf("last note: %s\n", last_notice_.c_str());
    std::printf("%5s  %-12s %-14s %8s %6s\n", "id", "body", "style", "m/s", "falls");
    for (const auto& [id, a] : all_) {
      std::printf("%5u  %-12s %-14s %8.2f %6d%s\n", id, a.body.c_str(),
                  a.style.empty() ? "-" : a.style.c_str(),
                  a.seconds > 0 ? a.travelled / a.seconds : 0, a.falls,
                  a.quarantines ? "  (quarantined)" : "");
    }
  }

 private:
  std::map<world::CharacterId, Account> all_;
  // How often characters and things left the world: put back, gone for good.
  int left_ = 0, removed_ = 0;
  std::string last_notice_;
};

double now_s() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// Why a run cannot go on; for standard error.
using Trouble = std::optional<std::string>;

/// A run of a scene, from its files to its files.
class SceneRun {
 public:
  explicit SceneRun(const RunOptions& options) : options_(options) {}

  /// Reads what the run begins from, makes the room and opens the files to write.
  Trouble begin(std::shared_ptr<const Library> library);
  void simulate();
  /// Writes the last state and closes the files.
  Trouble end();
  void print() const;
  /// Whether the room refused a command.
  bool refused() const { return refused_; }

 private:
  Trouble read_checkpoint();
  Trouble make_room(std::shared_ptr<const Library> library);
  /// Applies the commands that are due at `now`, s. @param bar is cleared for messages
  void apply_commands(double now, command::ProgressBar& bar);

  const RunOptions& options_;
  std::vector<Timed> commands_;
  std::size_t next_ = 0;  // of them
  std::optional<v1::Checkpoint> checkpoint_;
  std::unique_ptr<Room> room_;
  std::unique_ptr<world::JournalWriter> journal_;
  RunCsv csv_;
  Accounts accounts_;
  double simulated_ = 0, wall_ = 0;  // s
  std::uint64_t hash_ = 0;           // of the last state
  bool refused_ = false;
};

Trouble SceneRun::read_checkpoint() {
  auto read = world::read_checkpoint(options_.restore);
  if (!read) return read.error().text();
  checkpoint_ = std::move(read).value();
  if (checkpoint_->scene() == options_.scene) return {};
  return options_.restore.string() + ": scene: " + schema::in_quotes(checkpoint_->scene()) +
         " is not allowed, must be " + schema::in_quotes(options_.scene) + ", the scene to run";
}

Trouble SceneRun::make_room(std::shared_ptr<const Library> library) {
  world::RoomSettings settings;
  settings.scene = options_.scene;
  settings.seed = options_.seed;
  settings.threads = options_.threads;
  if (checkpoint_) settings = world::settings_of(*checkpoint_, options_.threads);
  const std::uint64_t digest = library->digest();
  try {
    room_ = std::make_unique<Room>(std::move(library), settings);
    if (checkpoint_) {
      if (const auto error = room_->restore(*checkpoint_)) {
        return options_.restore.string() + ": " + error->message;
      }
    }
    if (!options_.journal.empty()) {
      journal_ = std::make_unique<world::JournalWriter>(options_.journal, room_->settings(), digest,
                                                        checkpoint_ ? &*checkpoint_ : nullptr);
      room_->set_command_sink(
          [this](std::uint64_t tick, const Command& command) { journal_->add(tick, command); });
    }
  } catch (const world::RoomError& error) {
    return error.what();
  }
  return {};
}

Trouble SceneRun::begin(std::shared_ptr<const Library> library) {
  if (!options_.commands.empty()) {
    auto read = read_commands(options_.commands);
    if (!read) return read.error().text();
    commands_ = std::move(read).value();
  }
  if (!options_.restore.empty()) {
    if (Trouble trouble = read_checkpoint()) return trouble;
  }
  if (Trouble trouble = make_room(std::move(library))) return trouble;
  if (!csv_.open(options_.csv, options_.things_csv)) return csv_.cannot_write();
  return {};
}

void SceneRun::apply_commands(double now, command::ProgressBar& bar) {
  for (; next_ < commands_.size() && commands_[next_].at <= now + 1e-9; ++next_) {
    const Timed& timed = commands_[next_];
    const world::CommandResult result = room_->apply(timed.command);
    if (!result.error) continue;
    bar.clear();
    std::fprintf(stderr, "promenade run: %s:%d: at %.3f s: %s\n", options_.commands.c_str(),
                 timed.line, timed.at, result.error->message.c_str());
    refused_ = true;
  }
}

void SceneRun::simulate() {
  const double dt = room_->tick_seconds();
  const auto ticks = std::uint64_t(std::llround(options_.seconds / dt));
  constexpr std::uint64_t kLook = 30;  // ticks between looks at the distance travelled
  command::ProgressBar bar(options_.scene, options_.progress);
  const double start = now_s();
  for (std::uint64_t tick = 0; tick <= ticks; ++tick) {
    apply_commands(double(tick) * dt, bar);
    const bool row = csv_.wanted() && tick % std::uint64_t(std::max(1, options_.csv_every)) == 0;
    if (row || tick % kLook == 0) {
      const auto snapshot = room_->snapshot();
      if (row) csv_.write(*snapshot, dt);
      if (tick % kLook == 0) accounts_.note(*snapshot, kLook * dt);
    }
    if (tick == ticks) break;
    accounts_.note(room_->tick());
    char note[48];
    std::snprintf(note, sizeof note, "%.1f x real time", double(tick + 1) * dt / (now_s() - start));
    bar.show(double(tick + 1), double(ticks), note);
  }
  wall_ = now_s() - start;
  simulated_ = double(ticks) * dt;
  hash_ = room_->state_hash();
}

Trouble SceneRun::end() {
  if (journal_) {
    journal_->close(room_->tick_count(), hash_);
    if (journal_->lost() > 0) {
      return options_.journal.string() + " is incomplete: " + std::to_string(journal_->lost()) +
             " entries could not be written";
    }
  }
  if (!csv_.good()) return csv_.cannot_write();
  if (!options_.save.empty()) {
    if (auto error = world::write_checkpoint(room_->save(), options_.save)) return error->text();
  }
  return {};
}

void SceneRun::print() const {
  if (options_.hash) {
    std::printf("%s\n", world::format_hash(hash_).c_str());
    return;
  }
  accounts_.print(simulated_, wall_, *room_);
  std::printf("state hash %s at tick %llu\n", world::format_hash(hash_).c_str(),
              static_cast<unsigned long long>(room_->tick_count()));
}

}  // namespace

int run_scene(std::shared_ptr<const Library> library, const RunOptions& options) {
  SceneRun run(options);
  if (const Trouble trouble = run.begin(std::move(library)))
    return command::complain("run", *trouble);
  run.simulate();
  if (const Trouble trouble = run.end()) return command::complain("run", *trouble);
  run.print();
  return run.refused() ? 1 : 0;
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
                  "File of commands, one JSON object per line, each with its time in simulated "
                  "seconds:\n{\"at_s\": 2, \"command\": {\"stop\": {\"character\": 1}}}\nThe time "
                  "counts from the first tick of the run, with --restore from the restored state. "
                  "All commands of docs/protocol.md but pause, resume, single_step and "
                  "set_time_scale, because a run has no clock.")
      ->check(CLI::ExistingFile);
  command
      .add_option("--csv", options->csv, "File for a table with a row for each character and tick.")
      ->type_name("FILE");
  command
      .add_option("--things-csv", options->things_csv,
                  "File for a table with a row for each thing and tick.")
      ->type_name("FILE");
  command.add_option("--csv-every", options->csv_every, "Writes only the rows of every N-th tick.")
      ->check(command::whole_number(1, 100000))
      ->capture_default_str();
  command
      .add_option("--journal", options->journal,
                  "File that records the run for `promenade replay`. With --restore, the first "
                  "state goes into a file beside it that ends in .checkpoint.")
      ->type_name("FILE");
  command.add_option("--save", options->save, "File for the last state.")->type_name("FILE");
  command
      .add_option("--restore", options->restore,
                  "Starts from a state that --save wrote or that GET .../checkpoint of a server "
                  "returned. Scene, data and version of the program must be the same.")
      ->check(CLI::ExistingFile);
  command
      .add_option("--seed", options->seed,
                  "Seed of everything random. 0 or left out: the scene's own.")
      ->check(command::whole_number(0));
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
      "Example: a minute on the square as a table with ten rows a second\n  promenade run square "
      "--seconds 60 --csv square.csv --csv-every 6\nThe exit code is 0 if the scene ran to its end "
      "and no command was refused. A mistake in the\nfile of commands is reported before the first "
      "tick. A command that is refused later, for\nexample for a character that has left, is "
      "reported and does not end the run.");
  return [options, &common] {
    auto library = load_library(common);
    if (!library) return command::complain("run", library.error().text());
    return run_scene(*library, *options);
  };
}

}  // namespace promenade::app
