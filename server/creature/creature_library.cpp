#include "creature/creature_library.h"

#include <optional>
#include <utility>

#include "creature/creature_builder.h"
#include "creature/creature_resolve.h"
#include "schema/check.h"
#include "schema/message.h"

namespace promenade {
namespace {

using schema::FileError;
using schema::in_quotes;
using schema::Result;
using File = schema::Loaded<v1::Creature>;
using Files = std::map<std::string, File>;

/// Follows bases down to whole bodies and does the edits on the way up.
class Resolver {
 public:
  explicit Resolver(const Files& files) : files_(files) {}

  /// The whole body of that name. @pre the name is in the files
  Result<v1::Creature> resolve(const std::string& name) {
    if (const auto done = whole_.find(name); done != whole_.end()) return done->second;
    const auto& [character, source] = files_.at(name);
    constexpr const char* kKnown = "the name of a body in the same directory";
    const v1::Creature* base = nullptr;
    schema::Result<v1::Creature> resolved = v1::Creature();
    if (files_.contains(character.base())) {
      path_.push_back(name);
      for (const std::string& above : path_) {
        if (above == character.base()) {
          std::string cycle = "the bases make a cycle, ";
          for (const std::string& step : path_) cycle += step + " -> ";
          cycle += above;
          return FileError{source.file,
                           source.line("base"),
                           "base",
                           in_quotes(character.base()),
                           "a body that is not an edit of this one",
                           std::move(cycle)};
        }
      }
      resolved = resolve(character.base());
      path_.pop_back();
      if (!resolved) return resolved.error();
      base = &*resolved;
    }
    auto whole = resolve_creature(character, base, kKnown, source);
    if (whole) whole_[name] = *whole;
    return whole;
  }

 private:
  const Files& files_;
  std::map<std::string, v1::Creature> whole_;
  std::vector<std::string>
      path_;  // bodies that are being resolved: one that comes again is a cycle
};

Result<Files> read_files(const std::filesystem::path& directory) {
  auto paths = schema::json_files(directory);
  if (!paths) return paths.error();
  Files files;
  for (const auto& path : *paths) {
    auto file = schema::load_message<v1::Creature>(path);
    if (!file) return file.error();
    const std::string stem = path.stem().string();
    if (file->message.name() != stem) {
      return FileError{path.string(),
                       file->source.line("name"),
                       "name",
                       in_quotes(file->message.name()),
                       in_quotes(stem) + " as the file's name says",
                       ""};
    }
    files.emplace(stem, *std::move(file));
  }
  if (files.empty()) {
    return FileError{directory.string(), 0, "", "", "", "has no bodies (*.json) in it"};
  }
  return files;
}

}  // namespace

Result<CreatureLibrary> CreatureLibrary::load(const std::filesystem::path& directory) {
  auto files = read_files(directory);
  if (!files) return files.error();
  CreatureLibrary library;
  Resolver resolver(*files);
  for (const auto& [name, file] : *files) {
    auto character = resolver.resolve(name);
    if (!character) return character.error();
    auto body = build_creature(*character, file.source);
    if (!body) return body.error();
    library.entries_[name] = {*std::move(character),
                              std::make_shared<const Creature>(*std::move(body))};
    library.names_.push_back(name);
  }
  return library;
}

const CreatureLibrary::Entry* CreatureLibrary::find(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

}  // namespace promenade
