#include "app/gaits/gait_file.h"

#include <cstdio>
#include <fstream>
#include <utility>

#include "command/complain.h"
#include "control/posegraph/gait_library.h"
#include "control/registry.h"
#include "creature/creature_builder.h"
#include "schema/message.h"
#include "schema/refusal.h"

namespace promenade::app {

namespace {

using Body = std::shared_ptr<const Creature>;

schema::Result<Body> load_body(const std::filesystem::path& path) {
  const auto file = schema::load_message<v1::Creature>(path);
  if (!file) return file.error();
  auto built = build_creature(file->message, file->source);
  if (!built) return built.error();
  return std::make_shared<const Creature>(*std::move(built));
}

schema::Result<Body> body_in(const Library& library, const std::string& creature,
                             const std::filesystem::path& path) {
  if (const auto* entry = library.bodies().find(creature)) return entry->body;
  return schema::FileError{
      path.string(), 0, "creature", schema::in_quotes(creature), "a creature of the library", ""};
}

}  // namespace

schema::Result<GaitFile> load_gait_file(const Library& library, const std::filesystem::path& path,
                                        const std::filesystem::path& body) {
  auto file = schema::load_message<v1::Gait>(path);
  if (!file) return file.error();
  const auto creature =
      body.empty() ? body_in(library, file->message.creature(), path) : load_body(body);
  if (!creature) return creature.error();
  if (!body.empty()) file->message.set_creature((*creature)->name);
  auto gait = control::posegraph::build_gait(file->message, **creature, file->source);
  if (!gait) return gait.error();
  const control::Family& family = *control::find_family("posegraph");
  return GaitFile{std::move(file->message), std::move(file->source), *std::move(gait),
                  trial::GaitTrial(*creature, library.controllers().parameters(family))};
}

int write_gait_file(const v1::Gait& gait, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  file << schema::message_to_json(gait) << std::flush;
  if (!file) return command::complain("search gait", path.string() + ": cannot be written");
  std::printf("wrote %s\n", path.string().c_str());
  return 0;
}

}  // namespace promenade::app
