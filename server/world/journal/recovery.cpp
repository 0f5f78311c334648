#include "world/journal/recovery.h"

#include <chrono>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

#include "schema/refusal.h"
#include "world/checkpoint/checkpoint.h"
#include "world/journal/replay.h"
#include "world/journal/set_aside.h"
#include "world/journal/start_count.h"
#include "world/library/library.h"

namespace promenade::world {
namespace {

using Segment = JournalSet::Segment;

/// A place in the set from which the room may go on.
struct StartPlace {
  std::size_t segment;         // index
  std::uint64_t offset = 0;    // bytes of it that came before the state
  std::filesystem::path file;  // of the state; empty: the scene's start, with this seed
  std::uint64_t seed = 0;
  bool lines = true;  // the lines after it are repeated
};

// Of starts in a row that came to nothing, the number of the first that leaves out the lines after
// the state that the first one went from; and of the first that leaves out the state, too.
constexpr int kLeaveOutLines = 3, kLeaveOutState = 4;

class Recovery {
 public:
  Recovery(const std::shared_ptr<const Library>& library, const RoomSettings& settings,
           const JournalSettings& journal)
      : library_(library), settings_(settings), set_(journal.directory, journal.room) {}

  Recovered run() {
    files_ = set_.list();
    return go_on(places());
  }

  Recovered run_with_caution() {
    files_ = set_.list();
    std::vector<StartPlace> from = places();
    StartCount count;
    if (const auto before = read_starts(set_)) {
      count = *before;
      ++count.starts;
    } else if (!from.empty()) {
      count.segment = files_.segments[from.front().segment].number;
      count.offset = from.front().offset;
      count.seed = from.front().seed;
      std::error_code ignored;
      std::filesystem::remove(first_state_path(set_), ignored);
      if (!from.front().file.empty()) link_or_copy(from.front().file, first_state_path(set_));
    }
    count.next = files_.next_number();
    // The count is written before anything is read that may end the process. Where the disk does
    // not take it, the room starts as if nothing were known; the journal tells of the disk.
    write_starts(set_, count);
    if (count.starts >= kLeaveOutLines && count.segment != 0) leave_out(count, from);
    return go_on(from);
  }

 private:
  Recovered go_on(const std::vector<StartPlace>& from) {
    const auto began = std::chrono::steady_clock::now();
    make_room(settings_.seed);
    for (const StartPlace& place : from) {
      if (!try_from(place)) continue;
      const bool as_it_was = sure_ && out_.left_out.empty();
      out_.goes_on = true;
      out_.start.how = as_it_was ? v1::CONTINUED : v1::GAP;
      out_.start.state = out_.room->save();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
      char text[64];
      std::snprintf(text, sizeof text, "; read and replayed in %.2f s", took.count());
      note("goes on at tick " + std::to_string(out_.room->tick_count()) + ", state hash " +
           out_.start.state->state_hash() + ", from " +
           (place.lines ? files_.segments[place.segment].path : place.file).string() + text);
      return std::move(out_);
    }
    if (!files_.segments.empty()) {
      make_room(settings_.seed);
      warn("starts from its scene; left out: " + newest_segment_text());
    }
    return std::move(out_);
  }

  /// Takes from the places what earlier starts may have failed at, and sets their files aside.
  void leave_out(const StartCount& count, std::vector<StartPlace>& from) {
    const auto key = [&](const StartPlace& place) {
      return std::pair(files_.segments[place.segment].number, place.offset);
    };
    const std::pair first(count.segment, count.offset);
    std::erase_if(from, [&](const StartPlace& place) {
      return count.starts > kLeaveOutState || key(place) >= first;
    });
    if (count.starts == kLeaveOutLines) add_first_place(count, from);
    for (StartPlace& place : from) place.lines = false;
    if (count.starts == kLeaveOutLines) {
      out_.left_out = "the lines after its last state";
    } else {
      out_.left_out = from.empty() ? "all but its scene" : "its last state and what came after it";
    }
    std::string text = std::to_string(count.starts - 1) +
                       " starts in a row ended before the room had recorded anything; leaves out " +
                       out_.left_out;
    if (count.starts <= kLeaveOutState + 1) {
      const std::uint32_t oldest = from.empty() ? 0 : key(from.front()).first;
      const auto aside = SetAside(set_.directory(), "left-out").link(set_, oldest);
      text += aside.error.empty() ? "; all of it is kept in " + aside.directory.string()
                                  : "; it could not be set aside: " + aside.error;
    }
    warn(std::move(text));
  }

  void add_first_place(const StartCount& count, std::vector<StartPlace>& from) {
    for (std::size_t i = 0; i < files_.segments.size(); ++i) {
      if (files_.segments[i].number != count.segment) continue;
      const auto file = count.seed == 0 ? first_state_path(set_) : std::filesystem::path();
      from.insert(from.begin(), StartPlace{i, count.offset, file, count.seed});
    }
  }

  void note(std::string text) { out_.notes.push_back(std::move(text)); }
  void warn(std::string text) { out_.losses.push_back(std::move(text)); }

  /// A text: the content of the newest file that can be read, and that it is still there.
  std::string newest_segment_text() const {
    for (auto segment = files_.segments.rbegin(); segment != files_.segments.rend(); ++segment) {
      const auto journal = Journal::read(segment->path, Journal::Damage::kIsTheEnd);
      if (!journal) continue;
      const bool more = files_.segments.size() > 1;
      return "ticks " + std::to_string(journal->header.start_tick()) + " to " +
             std::to_string(journal->end_tick) + " with " +
             std::to_string(journal->entries.size()) + " commands, which are still in " +
             segment->path.string() + (more ? ", and what the files before it hold" : "");
    }
    return files_.segments.back().path.string() + ", which stays where it is";
  }

  /// A text: the lines left out where reading a segment ended before the end of its file.
  static std::string text_of(const Journal& journal) {
    const Journal::Behind& behind = journal.behind;
    std::string text = journal.damage + "; left out: " + std::to_string(behind.lines) +
                       (behind.lines == 1 ? " line" : " lines") + " after tick " +
                       std::to_string(journal.end_tick);
    if (behind.last_tick > 0) text += ", to tick " + std::to_string(behind.last_tick);
    return text + ", " + std::to_string(behind.commands) + " commands of them can be read";
  }

  /// A text: the ticks left out where lines end at a mark. @param marks  that are good
  std::string left_at(std::size_t segment, const Journal& journal, std::size_t marks) const {
    const std::size_t entries = marks > 0 ? journal.marks[marks - 1].after : 0;
    const std::uint64_t tick =
        marks > 0 ? journal.marks[marks - 1].tick : journal.header.start_tick();
    std::string text = "; left out: ticks " + std::to_string(tick) + " to " +
                       std::to_string(journal.end_tick) + " of this file, with " +
                       std::to_string(journal.entries.size() - entries) + " commands";
    if (segment + 1 < files_.segments.size()) text += ", and the files after it";
    return text;
  }
  void make_room(std::uint64_t seed) {
    RoomSettings settings = settings_;
    settings.seed = seed;
    out_.room = std::make_unique<Room>(library_, settings);
  }

  /// The places to try, the newest first. None behind a segment that began at the scene.
  std::vector<StartPlace> places() {
    std::vector<StartPlace> out;
    for (std::size_t i = files_.segments.size(); i-- > 0;) {
      const Segment& segment = files_.segments[i];
      const auto header = read_journal_header(segment.path);
      if (!header) {
        // A process that was killed as it began the segment left no line in it.
        segment.bytes == 0 ? note(header.error().text())
                           : warn(header.error().text() + "; left out: all of this file");
        continue;
      }
      if (!fits(*header, segment)) break;
      for (auto point = files_.points.rbegin(); point != files_.points.rend(); ++point) {
        const bool start = point->offset == 0;
        if (point->segment != segment.number || (start && header->start() == v1::SCENE)) continue;
        out.push_back({i, point->offset, point->path});
      }
      if (header->start() == v1::SCENE) {
        out.push_back({i, 0, {}, header->seed()});
        break;
      }
    }
    return out;
  }

  /// Whether the room is set up as it was; another scene or seed is a wish to begin anew.
  bool fits(const v1::JournalHeader& header, const Segment& segment) {
    const auto differs = [&](const char* what, const std::string& was, const std::string& is) {
      warn(segment.path.string() + ": header." + what + " is " + was + ", and the room has " + is);
      return false;
    };
    if (header.scene() != settings_.scene) {
      return differs("scene", schema::in_quotes(header.scene()),
                     schema::in_quotes(settings_.scene));
    }
    if (settings_.seed != 0 && header.seed() != settings_.seed) {
      return differs("seed", std::to_string(header.seed()), std::to_string(settings_.seed));
    }
    if (header.version() != PROMENADE_VERSION) {
      return differs("version", schema::in_quotes(header.version()),
                     schema::in_quotes(PROMENADE_VERSION));
    }
    if (const std::string digest = format_hash(library_->digest());
        header.data_digest() != digest) {
      return differs("data_digest", header.data_digest(), digest);
    }
    if (header.substeps() != std::uint32_t(settings_.substeps)) {
      return differs("substeps", std::to_string(header.substeps()),
                     std::to_string(settings_.substeps));
    }
    if (header.ticks_per_second() != std::uint32_t(settings_.ticks_per_second)) {
      return differs("ticks_per_second", std::to_string(header.ticks_per_second()),
                     std::to_string(settings_.ticks_per_second));
    }
    return true;
  }

  bool set_up(const StartPlace& place) {
    if (place.file.empty()) {
      make_room(place.seed);
      return true;
    }
    const auto state = read_checkpoint(place.file);
    if (!state) {
      warn(state.error().text() + "; goes on from what came before this state");
      return false;
    }
    if (const auto refused = out_.room->restore(*state)) {
      warn(place.file.string() + ": " + refused->message +
           "; goes on from what came before this state");
      return false;
    }
    return true;
  }

  bool try_from(const StartPlace& place) {
    if (!set_up(place)) return false;
    sure_ = true;
    if (!place.lines) return true;
    const auto good = go(place, {});
    // The state is not as it was recorded: back to the last mark at which it was.
    if (good && set_up(place)) go(place, good);
    return true;
  }

  /// How far lines led to the recorded hashes.
  struct Good {
    std::size_t segment, marks;
  };

  /// Takes the room through the lines after a place.
  /// @param until  ends there, if given
  /// @return where to end if a hash was not as recorded; nothing if all were
  std::optional<Good> go(const StartPlace& place, std::optional<Good> until) {
    for (std::size_t i = place.segment; i < files_.segments.size(); ++i) {
      const Segment& segment = files_.segments[i];
      auto journal = Journal::read(segment.path, Journal::Damage::kIsTheEnd,
                                   i == place.segment ? place.offset : 0);
      if (!journal) {
        if (!until && i == place.segment) {
          warn(journal.error().text() + "; left out: what this file has after tick " +
               std::to_string(out_.room->tick_count()));
        }
        sure_ = sure_ && i > place.segment;
        break;
      }
      if (i > place.segment && journal->header.start() != v1::CONTINUED) break;
      // Only the lines that are read here are walked, whatever the header says of the start.
      const bool last = until && i == until->segment;
      if (last && until->marks == 0) break;
      const Walk walked = walk(*out_.room, *journal, {}, last ? until->marks : ~std::size_t{0});
      if (last) break;
      if (!until && !journal->damage.empty()) warn(text_of(*journal));
      if (!walked.refused.empty()) {
        sure_ = false;
        warn(segment.path.string() + ": refused now: " + walked.refused);
      }
      if (!walked.equal) {
        sure_ = false;
        std::size_t marks = 0;
        while (marks < journal->marks.size() &&
               journal->marks[marks].tick < walked.first_difference) {
          ++marks;
        }
        warn(segment.path.string() + ": the state hash differs from the recorded one at tick " +
             std::to_string(walked.first_difference) + left_at(i, *journal, marks));
        return Good{i, marks};
      }
    }
    return std::nullopt;
  }

  const std::shared_ptr<const Library>& library_;
  const RoomSettings& settings_;
  const JournalSet set_;
  JournalSet::Files files_;
  Recovered out_;
  bool sure_ = true;  // the state is what the segment ends with
};

}  // namespace

Recovered recover(const std::shared_ptr<const Library>& library, const RoomSettings& settings,
                  const JournalSettings& journal) {
  return Recovery(library, settings, journal).run();
}

Recovered recover_with_caution(const std::shared_ptr<const Library>& library,
                               const RoomSettings& settings, const JournalSettings& journal) {
  return Recovery(library, settings, journal).run_with_caution();
}

void start_went_well(const JournalSettings& journal) {
  forget_starts(JournalSet(journal.directory, journal.room));
}

}  // namespace promenade::world
