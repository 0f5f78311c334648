#include "world/journal/room_journal.h"

#include <cstring>
#include <utility>

#include "store/no_room.h"
#include "world/checkpoint/checkpoint.h"

namespace promenade::world {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t kMostLines = 8192;  // lines that wait for the disk
constexpr auto kPatience = 1s;            // for a write, before answers are given without it
constexpr auto kRetry = 1s;               // from one attempt at a new segment to the next

std::string why_text(int error) { return std::strerror(error); }

// It is there, unless the disk had no room for it when the server started.
int make_directory(const std::filesystem::path& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  return failed.value();
}

}  // namespace

RoomJournal::RoomJournal(const JournalSettings& settings, v1::JournalHeader header,
                         const Start& start)
    : settings_(settings),
      set_(settings.directory, settings.room),
      header_(std::move(header)),
      health_(settings.tell),
      next_number_(set_.list().next_number()),
      keeper_(set_, settings.total_bytes, health_) {
  if (const int error = create(start)) {
    const std::string text = "the journal " + set_.segment_path(next_number_ - 1).string() +
                             " cannot be written: " + why_text(error);
    if (!store::is_no_room(error)) throw RoomError(text);
    break_segment(text + "; commands take effect but are not recorded");
  }
  thread_ = std::thread([this] { run(); });
}

RoomJournal::~RoomJournal() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void RoomJournal::add(std::uint64_t tick, const Command& command) {
  push(Entry{tick, command}, true);
}

void RoomJournal::mark(std::uint64_t tick, std::uint64_t hash) { push(Mark{tick, hash}, true); }

void RoomJournal::then(std::function<void()> answer) {
  const bool waits_in_vain = stalled_ || (broken_ && !asked_);
  if (waits_in_vain) return answer();
  push(std::move(answer), false);
}

void RoomJournal::keep(v1::Checkpoint state) { push(std::move(state), false); }

bool RoomJournal::wants_segment() const {
  if (asked_ || !(full_ || broken_ || health_.failing(JournalHealth::Part::kSync))) return false;
  return Clock::now() >= retry_at_.load();
}

void RoomJournal::begin_segment(Start start, std::uint64_t tick, std::uint64_t hash) {
  asked_ = true;
  push(Segment{std::move(start), {tick, hash, true}}, false);
}

void RoomJournal::tend() {
  std::vector<Answer> answers;
  {
    const std::lock_guard lock(mutex_);
    if (!writing_since_ || Clock::now() - *writing_since_ < kPatience) return;
    stalled_ = true;
    answers.swap(answers_);
    for (Item& item : waiting_) {
      if (auto* answer = std::get_if<Answer>(&item)) answers.push_back(std::exchange(*answer, {}));
    }
  }
  health_.fail(JournalHealth::Part::kLines,
               "a write to the journal has taken more than a second; commands are answered before "
               "they are recorded");
  for (const Answer& answer : answers) {
    if (answer) answer();
  }
}

void RoomJournal::close(std::uint64_t tick, std::uint64_t hash) {
  if (!thread_.joinable()) return;
  push(Mark{tick, hash, true}, true);
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

RoomJournal::Figures RoomJournal::figures() const {
  return {failing(), lost_, keeper_.unsynced(), number_,
          health_.failing(JournalHealth::Part::kPoint)};
}

void RoomJournal::push(Item item, bool line) {
  if (line && broken_ && !asked_) {
    ++lost_;
    return;
  }
  bool too_many = false;
  {
    const std::lock_guard lock(mutex_);
    too_many = line && waiting_lines_ >= kMostLines;
    if (!too_many) {
      waiting_lines_ += line;
      waiting_.push_back(std::move(item));
    }
  }
  if (too_many) {
    ++lost_;
    return break_segment("the disk is slower than the room: lines of the journal are lost");
  }
  wake_.notify_one();
}

void RoomJournal::run() {
  std::vector<Item> batch;
  std::vector<Answer> answers;
  for (bool last = false; !last;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      batch.swap(waiting_);
      waiting_lines_ = 0;
      last = closing_;
      for (Item& item : batch) {
        if (auto* answer = std::get_if<Answer>(&item)) answers_.push_back(std::move(*answer));
      }
      writing_since_ = Clock::now();
    }
    for (Item& item : batch) handle(item);
    flush();
    batch.clear();
    {
      const std::lock_guard lock(mutex_);
      writing_since_.reset();
      answers.swap(answers_);
      stalled_ = false;
    }
    if (!broken_) health_.mend(JournalHealth::Part::kLines, "the journal is written again");
    for (const Answer& answer : answers) {
      if (answer) answer();
    }
    answers.clear();
  }
}

void RoomJournal::handle(Item& item) {
  if (const auto* entry = std::get_if<Entry>(&item)) {
    add_text(journal_line(entry->tick, entry->command));
  } else if (const auto* mark = std::get_if<Mark>(&item)) {
    add_text(journal_mark(mark->tick, mark->hash, mark->end));
  } else if (auto* segment = std::get_if<Segment>(&item)) {
    begin(*segment);
  } else if (auto* state = std::get_if<v1::Checkpoint>(&item)) {
    flush();
    if (!broken_) keeper_.keep(std::move(*state), number_, file_->size());
  }
}

void RoomJournal::add_text(const std::string& line) {
  lines_ += line;
  ++line_count_;
}

void RoomJournal::flush() {
  if (line_count_ == 0) return;
  if (broken_) {
    lost_ += line_count_;
  } else {
    const LineFile::Written written = file_->append(lines_);
    if (written.lines < line_count_) {
      lost_ += line_count_ - written.lines;
      break_segment("the journal cannot be written: " + why_text(written.error) +
                    "; commands take effect but are not recorded");
    }
    if (written.lines > 0) keeper_.written();
    full_ = file_->size() > settings_.segment_bytes;
  }
  lines_.clear();
  line_count_ = 0;
}

void RoomJournal::begin(Segment& wanted) {
  flush();
  Start& start = wanted.start;
  if (broken_ && start.how == v1::CONTINUED) start.how = v1::GAP;
  const std::shared_ptr<LineFile> before = file_;
  if (const int error = create(start)) {
    retry_at_ = Clock::now() + kRetry;
    const std::string text = "the journal cannot begin a new segment: " + why_text(error);
    // The next lines do not go on from where the present segment is.
    if (start.how == v1::RESTORED) {
      break_segment(text);
    } else {
      health_.fail(JournalHealth::Part::kSync, text);
    }
  } else {
    if (!broken_) {
      const Mark& end = wanted.before;
      (void)before->append(journal_mark(end.tick, end.hash, true));
      // The new segment holds all that matters; this keeps the history of it whole.
      (void)before->sync();
    }
    broken_ = full_ = false;
    health_.mend(JournalHealth::Part::kLines, "the journal is written again");
    health_.mend(JournalHealth::Part::kSync, "the disk confirms the journal again");
  }
  asked_ = false;
}

/// @return errno of what failed; then all is as before, but for the number
int RoomJournal::create(const Start& start) {
  const std::uint32_t number = next_number_++;
  const auto path = set_.segment_path(number), state_path = set_.point_path(number, 0);
  v1::JournalHeader header = header_;
  int error = make_directory(set_.directory());
  if (!error && start.state) {
    start_with(start.how, *start.state, header);
    error = write_durably(state_path, checkpoint_bytes(*start.state));
  }
  auto file = std::make_shared<LineFile>();
  if (!error) error = file->open(path, LineFile::Open::kNew);
  if (!error) error = file->append(journal_line(header)).error;
  if (!error) error = file->sync();
  if (!error) error = sync_directory(set_.directory());
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    std::filesystem::remove(state_path, ignored);
    return error;
  }
  file_ = std::move(file);
  number_ = number;
  keeper_.watch(number, file_);
  return 0;
}

void RoomJournal::break_segment(const std::string& why) {
  broken_ = true;
  health_.fail(JournalHealth::Part::kLines, why);
}

}  // namespace promenade::world
