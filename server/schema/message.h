#pragma once

#include <google/protobuf/message.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/error.h"
#include "schema/json.h"

namespace promenade::schema {

/// Where each key of a message stood, so that a later check can still name file and line.
/// Key paths use the names of the .proto files: "links[3].mass_kg".
struct Source {
  std::string file;
  std::map<std::string, int, std::less<>> lines;

  /// Line of the key, or of the nearest key around it that is there; 0 if nothing is known.
  int line(std::string_view key) const;
};

/// Fills a message from JSON in protobuf's canonical mapping (snake_case or lowerCamelCase keys,
/// enums by name or number, 64-bit integers as numbers or strings). Stricter than protobuf's own:
/// unknown keys, keys given twice, two members of a oneof and non-finite numbers are errors.
/// @param source  if not null, gets the lines; `file` goes into errors, see text.h for its text
/// @return  the first error, or nothing
std::optional<FileError> message_from_json(std::string_view text, google::protobuf::Message* out,
                                           Source* source = nullptr, const JsonLimits& limits = {});

/// A message from JSON text that is not a file, such as the body of a request.
template <typename M>
Result<M> parse_message(std::string_view text, const JsonLimits& limits = {}) {
  M message;
  if (auto error = message_from_json(text, &message, nullptr, limits)) return *std::move(error);
  return message;
}

/// A message and where it came from.
template <typename M>
struct Loaded {
  M message;
  Source source;
};

/// The bytes of a file. Refuses what is not a regular file or larger than `max_bytes`.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes = 1 << 20);

/// A message from a file of at most 1 MiB.
template <typename M>
Result<Loaded<M>> load_message(const std::filesystem::path& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  Loaded<M> loaded;
  loaded.source.file = path.string();
  if (auto error = message_from_json(*text, &loaded.message, &loaded.source)) {
    return *std::move(error);
  }
  return loaded;
}

/// The files of a directory that end in ".json", sorted by name.
Result<std::vector<std::filesystem::path>> json_files(const std::filesystem::path& directory);

/// JSON of a message with the names of the .proto files. Fields at their default are left out
/// unless `all_fields`.
std::string message_to_json(const google::protobuf::Message& message, bool all_fields = false,
                            bool pretty = false);

}  // namespace promenade::schema
