#include "world/journal/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "schema/message.h"
#include "world/command/command_codec.h"
#include "world/library.h"

namespace promenade::world {
namespace {

constexpr std::uint32_t kFormat = 1;
constexpr std::uintmax_t kMaxJournalBytes = std::uintmax_t{1} << 30;

std::optional<std::uint64_t> parse_hash(const std::string& text) {
  if (text.size() != 16) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return std::nullopt;
    value = value * 16 + std::uint64_t(digit);
  }
  return value;
}

}  // namespace

std::string format_hash(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

// Not a std::ofstream: that keeps data it could not write and does not say how much was written.
struct JournalWriter::File {
  int descriptor = -1;
  off_t size = 0;  // of whole lines

  ~File() {
    if (descriptor >= 0) ::close(descriptor);
  }
  /// Writes lines that end in '\n'. If the disk is full the half line at the end is removed, so
  /// that the next line does not continue it. @return how many of the lines are in the file
  std::size_t write(std::string_view lines) {
    std::size_t done = 0;
    while (done < lines.size()) {
      const ssize_t some = ::write(descriptor, lines.data() + done, lines.size() - done);
      if (some < 0 && errno == EINTR) continue;
      if (some <= 0) break;
      done += std::size_t(some);
    }
    const std::string_view whole = lines.substr(0, lines.substr(0, done).rfind('\n') + 1);
    size += off_t(whole.size());
    if (whole.size() < done) {
      // Shrinking needs no room on the disk, so only what is no file, such as a pipe, refuses it.
      [[maybe_unused]] const int refused = ::ftruncate(descriptor, size);
    }
    return std::size_t(std::count(whole.begin(), whole.end(), '\n'));
  }
};

JournalWriter::JournalWriter(const std::filesystem::path& path, const RoomSettings& settings,
                             std::uint64_t data_digest, std::size_t capacity)
    : file_(std::make_unique<File>()), capacity_(capacity) {
  file_->descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  v1::JournalLine line;
  auto* header = line.mutable_header();
  header->set_format(kFormat);
  header->set_version(PROMENADE_VERSION);
  header->set_scene(settings.scene);
  header->set_seed(settings.seed);
  header->set_substeps(std::uint32_t(settings.substeps));
  header->set_ticks_per_second(std::uint32_t(settings.ticks_per_second));
  header->set_max_characters(std::uint32_t(settings.max_characters));
  header->set_data_digest(format_hash(data_digest));
  if (file_->descriptor < 0 || file_->write(schema::message_to_json(line) + '\n') != 1) {
    throw RoomError("the journal " + path.string() + " cannot be written: " + std::strerror(errno));
  }
  thread_ = std::thread([this] { write_lines(); });
}

JournalWriter::~JournalWriter() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void JournalWriter::push(v1::JournalLine line) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= capacity_) {
      ++lost_;
      return;
    }
    waiting_.push_back(std::move(line));
  }
  wake_.notify_one();
}

void JournalWriter::add(std::uint64_t tick, const Command& command) {
  v1::JournalLine line;
  line.mutable_entry()->set_tick(tick);
  *line.mutable_entry()->mutable_command() = command_to_proto(command);
  push(std::move(line));
}

void JournalWriter::mark(std::uint64_t tick, std::uint64_t hash) {
  v1::JournalLine line;
  line.mutable_mark()->set_tick(tick);
  line.mutable_mark()->set_state_hash(format_hash(hash));
  push(std::move(line));
}

void JournalWriter::close(std::uint64_t tick, std::uint64_t hash) {
  if (!thread_.joinable()) return;
  v1::JournalLine line;
  line.mutable_mark()->set_tick(tick);
  line.mutable_mark()->set_state_hash(format_hash(hash));
  line.mutable_mark()->set_end(true);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(line));  // the one line that is never lost
    closing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

std::uint64_t JournalWriter::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void JournalWriter::write_lines() {
  std::vector<v1::JournalLine> batch;
  std::string lines;
  for (bool last = false; !last;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      batch.swap(waiting_);
      last = closing_;
      // The number of lost lines is known only when all earlier batches have been written.
      if (last && !batch.empty() && batch.back().mark().end()) {
        batch.back().mutable_mark()->set_lost(lost_);
      }
    }
    lines.clear();
    for (const v1::JournalLine& line : batch) lines += schema::message_to_json(line) + '\n';
    const std::size_t written = file_->write(lines);
    if (written < batch.size()) {
      // The disk is full: lines that could not be written are lost; later ones may fit again.
      const std::lock_guard lock(mutex_);
      lost_ += batch.size() - written;
    }
    batch.clear();
  }
}

RoomSettings Journal::settings(int threads) const {
  RoomSettings out;
  out.scene = header.scene();
  out.seed = header.seed();
  out.threads = threads;
  out.substeps = int(header.substeps());
  out.ticks_per_second = int(header.ticks_per_second());
  out.max_characters = int(header.max_characters());
  return out;
}

schema::Result<Journal> Journal::read(const std::filesystem::path& path) {
  const auto text = schema::read_file(path, kMaxJournalBytes);
  if (!text) return text.error();
  Journal journal;
  std::uint64_t last_tick = 0, lost = 0;
  bool ended = false;
  int number = 0;
  const auto fail = [&](std::string key, std::string value, std::string allowed) {
    return schema::FileError{path.string(),      number, std::move(key), std::move(value),
                             std::move(allowed), ""};
  };
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = text->find('\n', at);
    ++number;
    const std::string_view one = std::string_view(*text).substr(at, end - at);
    at = end == std::string::npos ? text->size() : end + 1;
    v1::JournalLine line;
    if (auto error = schema::message_from_json(one, &line)) {
      if (end == std::string::npos && number > 1) break;  // cut off
      error->file = path.string();
      error->line = number;
      return *error;
    }
    if (number == 1 ? !line.has_header() : line.has_header()) {
      return fail("header", number == 1 ? "missing" : "a second one", "once, in the first line");
    }
    switch (line.kind_case()) {
      case v1::JournalLine::kHeader: {
        journal.header = line.header();
        const auto& h = journal.header;
        if (h.format() != kFormat) {
          return fail("header.format", std::to_string(h.format()), std::to_string(kFormat));
        }
        if (h.seed() == 0) return fail("header.seed", "0", "1 or more");
        if (!parse_hash(h.data_digest())) {
          return fail("header.data_digest", "\"" + h.data_digest() + "\"", "16 hexadecimal digits");
        }
        break;
      }
      case v1::JournalLine::kEntry: {
        auto command = command_from_proto(line.entry().command());
        if (const auto* error = std::get_if<CommandError>(&command)) {
          return fail("entry.command." + error->field, error->value, error->allowed);
        }
        if (line.entry().tick() < last_tick || line.entry().tick() > kMaxTick) {
          return fail("entry.tick", std::to_string(line.entry().tick()),
                      std::to_string(last_tick) + " or later");
        }
        last_tick = line.entry().tick();
        journal.entries.push_back({last_tick, std::move(std::get<Command>(command))});
        break;
      }
      case v1::JournalLine::kMark: {
        const auto hash = parse_hash(line.mark().state_hash());
        if (!hash) {
          return fail("mark.state_hash", "\"" + line.mark().state_hash() + "\"",
                      "16 hexadecimal digits");
        }
        if (line.mark().tick() < last_tick || line.mark().tick() > kMaxTick) {
          return fail("mark.tick", std::to_string(line.mark().tick()),
                      std::to_string(last_tick) + " or later");
        }
        last_tick = line.mark().tick();
        journal.marks.push_back({last_tick, *hash});
        ended = line.mark().end();
        lost = line.mark().lost();
        break;
      }
      case v1::JournalLine::KIND_NOT_SET:
        return fail("", "empty", "one of header, entry and mark");
    }
  }
  if (number == 0) return fail("header", "missing", "once, in the first line");
  journal.whole = ended && lost == 0;
  journal.end_tick = last_tick;
  return journal;
}

ReplayResult replay(const Journal& journal, std::shared_ptr<const Library> library, int threads,
                    const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  ReplayResult result;
  Room room(std::move(library), journal.settings(threads));
  std::size_t entry = 0, mark = 0;
  for (;;) {
    const std::uint64_t tick = room.tick_count();
    // A mark is written between two ticks, after the commands that came before it in the file took
    // effect or before those that came after: both orders occur at one tick, so the mark is tried
    // before each command and after the last.
    const auto check_mark = [&] {
      while (mark < journal.marks.size() && journal.marks[mark].tick == tick &&
             journal.marks[mark].hash == room.state_hash()) {
        ++mark;
        ++result.marks_checked;
      }
    };
    check_mark();
    for (; entry < journal.entries.size() && journal.entries[entry].tick == tick; ++entry) {
      const CommandResult applied = room.apply(journal.entries[entry].command);
      if (applied.error && result.error.empty()) {
        result.error = "tick " + std::to_string(tick) + ": " + applied.error->message;
      }
      check_mark();
    }
    while (mark < journal.marks.size() && journal.marks[mark].tick <= tick) {
      if (result.equal) result.first_difference = tick;
      result.equal = false;
      ++mark;
      ++result.marks_checked;
    }
    if (progress && tick % 60 == 0) progress(tick, journal.end_tick);
    if (tick >= journal.end_tick) break;
    room.tick();
  }
  result.ticks = room.tick_count();
  result.hash = room.state_hash();
  if (!result.error.empty()) result.equal = false;
  return result;
}

}  // namespace promenade::world
