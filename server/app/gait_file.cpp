#include "app/gait_file.h"

#include <cstdio>
#include <fstream>
#include <utility>

#include "command/complain.h"
#include "control/posegraph/gait_library.h"
#include "control/registry.h"
#include "schema/message.h"
#include "schema/refusal.h"

namespace promenade::app {

schema::Result<GaitFile> load_gait_file(const Library& library, const std::filesystem::path& path) {
  auto file = schema::load_message<v1::Gait>(path);
  if (!file) return file.error();
  const CreatureLibrary::Entry* creature = library.bodies().find(file->message.creature());
  if (!creature) {
    return schema::FileError{path.string(),
                             0,
                             "creature",
                             schema::in_quotes(file->message.creature()),
                             "a creature of the library",
                             ""};
  }
  auto gait = control::posegraph::build_gait(file->message, *creature->body, file->source);
  if (!gait) return gait.error();
  const control::Family& family = *control::find_family("posegraph");
  return GaitFile{std::move(file->message), *std::move(gait),
                  trial::GaitTrial(creature->body, library.controllers().parameters(family))};
}

int write_gait_file(const v1::Gait& gait, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  file << schema::message_to_json(gait) << std::flush;
  if (!file) return command::complain("search gait", path.string() + ": cannot be written");
  std::printf("wrote %s\n", path.string().c_str());
  return 0;
}

}  // namespace promenade::app
