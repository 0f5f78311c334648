#include "search/log.h"

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "schema/message.h"
#include "schema/refusal.h"
#include "schema/text.h"

namespace promenade::search {
namespace {

constexpr std::size_t kLongestLog = std::size_t{1} << 30, kLongestLine = std::size_t{1} << 26;

schema::FileError about(const std::filesystem::path& path, std::string message, int line = 0) {
  return schema::FileError{path.string(), line, "", "", "", std::move(message)};
}

}  // namespace

schema::Result<Log> read_log(const std::filesystem::path& path) {
  const auto text = schema::read_file(path, kLongestLog);
  if (!text) return text.error();
  Log log;
  log.bytes = schema::mark_size(*text);
  int number = 0;
  for (std::size_t end; (end = text->find('\n', log.bytes)) != std::string::npos;) {
    ++number;
    v1::SearchLogLine line;
    schema::Source source;
    source.file = path.string();
    const std::string_view line_text(text->data() + log.bytes, end - log.bytes);
    if (auto error = schema::message_from_json(line_text, &line, &source, {kLongestLine, 32})) {
      error->line = number;
      return *std::move(error);
    }
    if (number == 1 ? !line.has_start() : !line.has_generation()) {
      return about(path, number == 1 ? "is not the log of a search" : "is not a generation",
                   number);
    }
    if (line.has_start()) {
      log.start = std::move(*line.mutable_start());
    } else if (line.generation().generation() != log.generations.size()) {
      return about(path,
                   "generation " + std::to_string(line.generation().generation()) +
                       " stands where " + std::to_string(log.generations.size()) + " should",
                   number);
    } else {
      log.generations.push_back(std::move(*line.mutable_generation()));
    }
    log.bytes = end + 1;
  }
  if (number == 0) {  // perhaps as its lines end in something else
    if (auto fault = schema::text_fault(*text)) {
      fault->file = path.string();
      return *std::move(fault);
    }
    return about(path, "is not the log of a search", 1);
  }
  return log;
}

schema::Result<LogWriter> LogWriter::create(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::exists(path, code)) {
    return about(path, "exists already; --resume continues the search of a log");
  }
  std::ofstream out(path, std::ios::binary);
  if (!out) return about(path, "cannot be written");
  return LogWriter(path, std::move(out));
}

schema::Result<LogWriter> LogWriter::go_on(const std::filesystem::path& path, std::size_t bytes) {
  std::error_code code;
  std::filesystem::resize_file(path, bytes, code);
  std::ofstream out(path, std::ios::binary | std::ios::app);
  if (code || !out) return about(path, "cannot be written");
  return LogWriter(path, std::move(out));
}

std::optional<schema::FileError> LogWriter::write(const v1::SearchLogLine& line) {
  out_ << schema::message_to_json(line, true) << '\n' << std::flush;
  if (out_) return std::nullopt;
  return about(path_, "cannot be written");
}

}  // namespace promenade::search
