// How much the styles, bodies and gaits that commands bring along may take up in a room.
#include <algorithm>
#include <utility>
#include <vector>

#include "world/command/applier.h"

namespace promenade::world {
namespace {

/// Definitions that are not built in, each once: its address and bytes.
class OwnDefinitions {
 public:
  template <typename Definition>
  void add(const Definition* definition) {
    if (!definition || definition->origin == Origin::kBuiltIn) return;
    found_.emplace_back(definition, definition->bytes);
  }
  std::size_t count() {
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return found_.size();
  }
  std::size_t bytes() {
    count();
    std::size_t sum = 0;
    for (const auto& [definition, bytes] : found_) sum += bytes;
    return sum;
  }

 private:
  std::vector<std::pair<const void*, std::size_t>> found_;
};

bool is_own(const auto* definition) { return definition && definition->origin != Origin::kBuiltIn; }

// The field of the command that has the definition.
std::string field_of(const std::string& command, const std::string& what, bool saved) {
  if (saved) return what;
  if (command == "spawn_thing") return "thing_definition";
  return command == "spawn" ? what + "_definition" : "definition";
}

}  // namespace

bool Applier::has_space(const std::string& command, const Brought& brought,
                        const Occupant* replaced) {
  const auto& [body, style, gait] = brought;
  const std::size_t most = room.settings.max_definition_bytes;
  if (most == 0 || (!is_own(body) && !is_own(style) && !is_own(gait))) return true;
  OwnDefinitions here;
  for (const auto& e : room.occupants.entities) {
    if (e != replaced || !body) here.add(e->body_definition.get());
    if (e != replaced || !style) here.add(e->style_definition.get());
    if (e != replaced || !gait) here.add(e->gait_definition.get());
  }
  for (const auto& prop : room.occupants.props) here.add(prop->body_definition.get());
  OwnDefinitions then = here;
  then.add(body);
  then.add(style);
  then.add(gait);
  if (then.bytes() <= most) return true;
  const std::string what = is_own(body) ? "body" : is_own(style) ? "style" : "gait";
  const Origin origin = is_own(body) ? body->origin : is_own(style) ? style->origin : gait->origin;
  error(CommandError::Code::kBusy,
        command + "." + field_of(command, what, origin == Origin::kSaved),
        std::to_string(then.bytes() - here.bytes()) + " more bytes, with " +
            std::to_string(here.bytes()) + " bytes of " + std::to_string(here.count()) +
            " styles, bodies and gaits in the room",
        "styles, bodies and gaits of " + std::to_string(most) +
            " bytes in a room, without built-in ones; remove some first, or save one and use it by "
            "name for several characters");
  return false;
}

}  // namespace promenade::world
