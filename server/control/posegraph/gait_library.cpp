#include "control/posegraph/gait_library.h"

#include <system_error>
#include <utility>

#include "schema/message.h"
#include "schema/refusal.h"

namespace promenade {

schema::Result<GaitLibrary> GaitLibrary::load(const std::filesystem::path& directory,
                                              const CreatureLibrary& creatures) {
  GaitLibrary library;
  std::error_code code;
  if (!std::filesystem::is_directory(directory, code)) return library;
  auto paths = schema::json_files(directory);
  if (!paths) return paths.error();
  for (const auto& path : *paths) {
    auto file = schema::load_message<v1::Gait>(path);
    if (!file) return file.error();
    const auto refuse = [&](const char* key, const std::string& value, std::string allowed) {
      return schema::FileError{path.string(),
                               file->source.line(key),
                               key,
                               schema::in_quotes(value),
                               std::move(allowed),
                               ""};
    };
    const std::string stem = path.stem().string();
    if (file->message.name() != stem) {
      return refuse("name", file->message.name(),
                    schema::in_quotes(stem) + " as the file's name says");
    }
    const CreatureLibrary::Entry* creature = creatures.find(file->message.creature());
    if (!creature) {
      return refuse("creature", file->message.creature(), schema::listed_names(creatures.names()));
    }
    auto gait = control::posegraph::build_gait(file->message, *creature->body, file->source);
    if (!gait) return gait.error();
    library.gaits_[stem] = {std::move(file->message), *std::move(gait)};
    library.names_.push_back(stem);
  }
  return library;
}

const GaitLibrary::Entry* GaitLibrary::find(const std::string& name) const {
  const auto found = gaits_.find(name);
  return found == gaits_.end() ? nullptr : &found->second;
}

std::shared_ptr<const control::posegraph::Gait> GaitLibrary::usual_for(
    const Creature& creature) const {
  std::shared_ptr<const control::posegraph::Gait> usual;
  bool own = false;  // usual is one of the creature's own
  for (const auto& [name, entry] : gaits_) {
    const bool is_own = entry.gait->creature == creature.name;
    const double speed = entry.message.origin().speed_mps();
    if (usual && own && !is_own) continue;
    if (usual && own == is_own && speed <= usual->message.origin().speed_mps()) continue;
    auto gait = control::posegraph::refitted(entry.message, creature);
    if (!gait) continue;
    usual = std::move(gait);
    own = is_own;
  }
  return usual;
}

}  // namespace promenade
