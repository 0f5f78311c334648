#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "promenade/v1/search.pb.h"
#include "schema/error.h"

namespace promenade::search {

/// The log of a search: a SearchLogLine as JSON a line.
struct Log {
  v1::SearchStart start;
  std::vector<v1::SearchGeneration> generations;  // number 0, 1, ...
  std::size_t bytes = 0;  // of whole lines; what follows was cut off while it was written
};

/// @return  the first mistake, with the number of its line
schema::Result<Log> read_log(const std::filesystem::path& path);

/// Writes a log line by line, each of which is in the file before the next begins.
class LogWriter {
 public:
  /// A new log. The file must not exist: logs are hours of work.
  static schema::Result<LogWriter> create(const std::filesystem::path& path);
  /// Goes on with one. @param bytes  Log::bytes
  static schema::Result<LogWriter> go_on(const std::filesystem::path& path, std::size_t bytes);

  /// @return  why it cannot be written
  std::optional<schema::FileError> write(const v1::SearchLogLine& line);

 private:
  LogWriter(std::filesystem::path path, std::ofstream out)
      : path_(std::move(path)), out_(std::move(out)) {}

  std::filesystem::path path_;
  std::ofstream out_;
};

}  // namespace promenade::search
