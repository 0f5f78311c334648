#include "world/journal/journal.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "schema/message.h"
#include "schema/text.h"
#include "world/command/command_codec.h"

namespace promenade::world {
namespace {

constexpr std::uint32_t kFormat = 2, kOldFormat = 1;
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 30;

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

schema::FileError wrong(std::string key, std::string value, std::string allowed) {
  return {"", 0, std::move(key), std::move(value), std::move(allowed), ""};
}

schema::FileError no_header() { return wrong("header", "missing", "once, in the first line"); }

std::optional<schema::FileError> check_header(const v1::JournalHeader& h) {
  if (h.format() != kFormat && h.format() != kOldFormat) {
    return wrong("header.format", std::to_string(h.format()),
                 std::to_string(kOldFormat) + " or " + std::to_string(kFormat));
  }
  if (h.seed() == 0) return wrong("header.seed", "0", "1 or more");
  for (const auto& [key, value] : {std::pair{"header.data_digest", &h.data_digest()},
                                   std::pair{"header.start_hash", &h.start_hash()}}) {
    const bool needed = value == &h.data_digest() || h.start() != v1::SCENE;
    if (needed && !parse_hash(*value)) {
      return wrong(key, "\"" + *value + "\"", "16 hexadecimal digits");
    }
  }
  if (h.start_tick() > kMaxTick) {
    return wrong("header.start_tick", std::to_string(h.start_tick()), "up to 2^40");
  }
  return std::nullopt;
}

/// Reads lines one after another. A byte-order mark may stand in front of the first.
struct LineReader {
  Journal journal = {};
  std::uint64_t last_tick = 0;
  std::uint64_t lost = 0;
  bool ended = false;

  /// @return what is wrong with the line, without file and number
  std::optional<schema::FileError> read(std::string_view text, bool first) {
    v1::JournalLine line;
    if (auto fault = schema::text_fault(text)) return fault;
    if (auto error = schema::message_from_json(text, &line)) return error;
    if (first && !line.has_header()) return no_header();
    if (!first && line.has_header()) {
      return wrong("header", "a second one", "once, in the first line");
    }
    switch (line.kind_case()) {
      case v1::JournalLine::kHeader:
        return read(line.header());
      case v1::JournalLine::kEntry:
        return read(line.entry());
      case v1::JournalLine::kMark:
        return read(line.mark());
      case v1::JournalLine::KIND_NOT_SET:
        break;
    }
    return wrong("", "empty", "one of header, entry and mark");
  }

 private:
  std::optional<schema::FileError> read(const v1::JournalHeader& header) {
    if (auto error = check_header(header)) return error;
    journal.header = header;
    last_tick = header.start_tick();
    return std::nullopt;
  }
  std::optional<schema::FileError> read(const v1::JournalEntry& entry) {
    auto command = command_from_proto(entry.command());
    if (const auto* error = std::get_if<CommandError>(&command)) {
      return wrong("entry.command." + error->field, error->value, error->allowed);
    }
    if (auto error = advance("entry.tick", entry.tick())) return error;
    journal.entries.push_back({last_tick, std::move(std::get<Command>(command))});
    return std::nullopt;
  }
  std::optional<schema::FileError> read(const v1::JournalMark& mark) {
    const auto hash = parse_hash(mark.state_hash());
    if (!hash) {
      return wrong("mark.state_hash", "\"" + mark.state_hash() + "\"", "16 hexadecimal digits");
    }
    if (auto error = advance("mark.tick", mark.tick())) return error;
    journal.marks.push_back({last_tick, *hash, journal.entries.size()});
    ended = mark.end();
    lost = mark.lost();
    return std::nullopt;
  }
  std::optional<schema::FileError> advance(const char* key, std::uint64_t tick) {
    if (tick < last_tick || tick > kMaxTick) {
      return wrong(key, std::to_string(tick), std::to_string(last_tick) + " or later");
    }
    last_tick = tick;
    return std::nullopt;
  }
};

/// @param text  from the line that is damaged on
Journal::Behind look_behind(std::string_view text) {
  Journal::Behind out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    v1::JournalLine line;
    if (!schema::message_from_json(text.substr(0, end), &line)) {
      const std::uint64_t tick = line.has_entry() ? line.entry().tick() : line.mark().tick();
      out.commands += line.has_entry();
      out.last_tick = std::max(out.last_tick, tick);
    }
    ++out.lines;
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

}  // namespace

std::string format_hash(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

v1::JournalHeader journal_header(const RoomSettings& settings, std::uint64_t data_digest) {
  v1::JournalHeader header;
  header.set_format(kFormat);
  header.set_version(PROMENADE_VERSION);
  header.set_scene(settings.scene);
  header.set_seed(settings.seed);
  header.set_substeps(std::uint32_t(settings.substeps));
  header.set_ticks_per_second(std::uint32_t(settings.ticks_per_second));
  header.set_max_characters(std::uint32_t(settings.max_characters));
  header.set_data_digest(format_hash(data_digest));
  return header;
}

void start_with(v1::JournalStart how, const v1::Checkpoint& state, v1::JournalHeader& header) {
  header.set_start(how);
  header.set_start_tick(state.tick());
  header.set_start_hash(state.state_hash());
}

std::string journal_line(const v1::JournalHeader& header) {
  v1::JournalLine line;
  *line.mutable_header() = header;
  return schema::message_to_json(line) + '\n';
}

std::string journal_line(std::uint64_t tick, const Command& command) {
  v1::JournalLine line;
  line.mutable_entry()->set_tick(tick);
  *line.mutable_entry()->mutable_command() = command_to_proto(command);
  return schema::message_to_json(line) + '\n';
}

std::string journal_mark(std::uint64_t tick, std::uint64_t hash, bool end, std::uint64_t lost) {
  v1::JournalLine line;
  line.mutable_mark()->set_tick(tick);
  line.mutable_mark()->set_state_hash(format_hash(hash));
  line.mutable_mark()->set_end(end);
  line.mutable_mark()->set_lost(lost);
  return schema::message_to_json(line) + '\n';
}

std::filesystem::path start_file_of(const std::filesystem::path& journal) {
  std::filesystem::path file = journal;
  return file.replace_extension(".checkpoint");
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

schema::Result<Journal> Journal::read(const std::filesystem::path& path, Damage damage,
                                      std::uint64_t from) {
  const auto text = schema::read_file(path, kMaxBytes);
  if (!text) return text.error();
  LineReader reader;
  int number = 0;
  const auto fail = [&](schema::FileError error) {
    error.file = path.string();
    error.line = number;
    return error;
  };
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = text->find('\n', at);
    ++number;
    const bool first = number == 1;
    const std::size_t begin = at;
    const std::string_view line = std::string_view(*text).substr(at, end - at);
    const bool skipped = at < from && !first;
    at = end == std::string::npos ? text->size() : end + 1;
    if (first && at < from && (from > text->size() || (*text)[from - 1] != '\n')) {
      return fail({"", 0, "", "", "", "has no line that begins at byte " + std::to_string(from)});
    }
    if (skipped) continue;
    auto error = reader.read(line, first);
    if (!error) continue;
    if (first) return fail(*error);
    // After a power cut, a file may be as long as it was to be and end in zeros.
    if (end == std::string::npos || line.find('\0') != line.npos) {
      error = wrong("", "cut off", "a whole line");
    } else if (damage == Damage::kRefused) {
      return fail(*error);
    }
    reader.journal.damage = fail(*error).text();
    reader.journal.behind = look_behind(std::string_view(*text).substr(begin));
    reader.ended = false;
    break;
  }
  if (number == 0) return fail(no_header());
  reader.journal.whole = reader.ended && reader.lost == 0;
  reader.journal.end_tick = reader.last_tick;
  return std::move(reader.journal);
}

schema::Result<v1::JournalHeader> read_journal_header(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  schema::FileError error;
  if (!std::getline(in, line) || in.eof()) {
    error = no_header();
  } else {
    LineReader reader;
    auto found = reader.read(line, true);
    if (!found) return std::move(reader.journal.header);
    error = *found;
  }
  error.file = path.string();
  error.line = 1;
  return error;
}

}  // namespace promenade::world
