#include "world/journal/replay.h"

#include <utility>

#include "world/checkpoint/checkpoint.h"
#include "world/library/library.h"

namespace promenade::world {
namespace {

constexpr std::uint64_t kProgressTicks = 60;

/// A replay of several files under way.
class SetReplay {
 public:
  SetReplay(std::shared_ptr<const Library> library, int threads)
      : library_(std::move(library)), threads_(threads) {}

  std::optional<schema::FileError> add(const std::filesystem::path& file,
                                       const WalkProgress& progress) {
    auto journal = Journal::read(file);
    if (!journal) return journal.error();
    note_what_is_missing(file, *journal);
    if (auto error = start(file, *journal)) return error;
    const Walk walked = walk(*room_, *journal, progress);
    result_.commands += journal->entries.size();
    result_.marks_checked += walked.marks;
    if (!walked.equal) differs(walked.first_difference, file);
    if (!walked.refused.empty() && result_.error.empty()) {
      result_.error = file.string() + ": " + walked.refused;
    }
    last_ = file;
    return std::nullopt;
  }

  ReplayResult finish() {
    if (room_) {
      result_.ticks = room_->tick_count();
      result_.hash = room_->state_hash();
    }
    if (!result_.error.empty()) result_.equal = false;
    return std::move(result_);
  }

 private:
  void note_what_is_missing(const std::filesystem::path& file, const Journal& journal) {
    if (journal.header.data_digest() != format_hash(library_->digest())) {
      result_.notes.push_back(file.string() +
                              " was recorded with other bodies, styles, scenes or parameters than "
                              "these; expect a different outcome");
    }
    if (!journal.damage.empty()) result_.notes.push_back(journal.damage);
    if (!journal.whole) {
      result_.notes.push_back(file.string() +
                              " has no end mark or has lost entries; replaying what is there");
    }
  }

  std::optional<schema::FileError> start(const std::filesystem::path& file,
                                         const Journal& journal) {
    const v1::JournalHeader& header = journal.header;
    if (room_ && header.start() == v1::CONTINUED) {
      // Ticks without a command may follow the last line of a program that was killed.
      while (room_->tick_count() < header.start_tick()) room_->tick();
      ++result_.boundaries_checked;
      if (room_->tick_count() == header.start_tick() &&
          format_hash(room_->state_hash()) == header.start_hash()) {
        return std::nullopt;
      }
      differs(header.start_tick(), last_);
    } else if (room_) {
      result_.notes.push_back(file.string() + " does not continue " + last_.filename().string() +
                              ": " + reason(header.start()));
    }
    room_ = std::make_unique<Room>(library_, journal.settings(threads_));
    if (header.start() == v1::SCENE) return std::nullopt;
    const auto state = read_checkpoint(start_file_of(file));
    if (!state) return state.error();
    if (const auto refused = room_->restore(*state)) {
      return schema::FileError{start_file_of(file).string(), 0, "", "", "", refused->message};
    }
    return std::nullopt;
  }

  static std::string reason(v1::JournalStart start) {
    switch (start) {
      case v1::RESTORED:
        return "a checkpoint was put into the room";
      case v1::GAP:
        return "lines before it could not be written";
      default:
        return "the room started from its scene";
    }
  }

  void differs(std::uint64_t tick, const std::filesystem::path& file) {
    if (result_.equal) {
      result_.difference = "tick " + std::to_string(tick) + " of " + file.string();
    }
    result_.equal = false;
  }

  const std::shared_ptr<const Library> library_;
  const int threads_;
  std::unique_ptr<Room> room_;
  std::filesystem::path last_;
  ReplayResult result_;
};

}  // namespace

Walk walk(Room& room, const Journal& journal, const WalkProgress& progress,
          std::size_t most_marks) {
  Walk out;
  std::size_t entry = 0;
  for (;;) {
    const std::uint64_t tick = room.tick_count();
    for (;;) {  // the lines of this tick, in their order
      const bool mark_is_next =
          out.marks < journal.marks.size() && journal.marks[out.marks].after <= entry;
      if (mark_is_next) {
        const Journal::Mark& mark = journal.marks[out.marks];
        if (mark.tick > tick) break;
        if (mark.tick < tick || mark.hash != room.state_hash()) {
          if (out.equal) out.first_difference = mark.tick;
          out.equal = false;
        }
        if (++out.marks == most_marks) return out;
      } else if (entry < journal.entries.size() && journal.entries[entry].tick <= tick) {
        const CommandResult applied = room.apply(journal.entries[entry++].command);
        if (applied.error && out.refused.empty()) {
          out.refused = "tick " + std::to_string(tick) + ": " + applied.error->message;
        }
      } else {
        break;
      }
    }
    if (progress && tick % kProgressTicks == 0) progress(tick, journal.end_tick);
    if (tick >= journal.end_tick) return out;
    room.tick();
  }
}

schema::Result<ReplayResult> replay(std::span<const std::filesystem::path> files,
                                    std::shared_ptr<const Library> library, int threads,
                                    const std::function<void(double)>& progress) {
  SetReplay replay(std::move(library), threads);
  const double share = 1.0 / double(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto part = [&](std::uint64_t tick, std::uint64_t end) {
      const double done = end > 0 ? double(tick) / double(end) : 1;
      if (progress) progress(share * (double(i) + done));
    };
    if (auto error = replay.add(files[i], part)) return *error;
  }
  return replay.finish();
}

}  // namespace promenade::world
