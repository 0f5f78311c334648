#include "app/find_entries.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include "command/complain.h"
#include "control/posegraph/gait_library.h"
#include "control/registry.h"
#include "schema/message.h"
#include "search/gaits/entry_search.h"

namespace promenade::app {
namespace {

constexpr const char* kWhat = "search gait";
constexpr double kAfter = 5;  // s, for which it has to stay up

}  // namespace

int find_entries(const Library& library, const std::filesystem::path& file,
                 const std::filesystem::path& out, int starts, int threads) {
  auto loaded = schema::load_message<v1::Gait>(file);
  if (!loaded) return command::complain(kWhat, loaded.error().text());
  v1::Gait& message = loaded->message;
  const auto* creature = library.bodies().find(message.creature());
  if (!creature) {
    return command::complain(kWhat, file.string() +
                                        ": creature: " + schema::in_quotes(message.creature()) +
                                        ", allowed: one of the library");
  }
  const auto to = control::posegraph::build_gait(message, *creature->body, loaded->source);
  if (!to) return command::complain(kWhat, to.error().text());
  const control::Family& family = *control::find_family("posegraph");
  const trial::GaitTrial trial(creature->body, library.controllers().parameters(family));
  message.clear_entries();
  int others = 0;
  for (const std::string& name : library.gaits().names()) {
    const GaitLibrary::Entry& other = *library.gaits().find(name);
    if (other.message.creature() != message.creature() || name == message.name()) continue;
    ++others;
    const search::FoundEntry found =
        search::find_entry(trial, other.gait, *to, kAfter, std::max(1, starts), 0, threads);
    std::printf(
        "from %-20s left after state %zu, entered with %zu: %d of %d up, and %d of 8 about\n",
        name.c_str(), found.entry.leave, found.entry.enter, found.up, std::max(1, starts),
        found.held);
    if (found.up == 0) continue;
    v1::GaitEntry* entry = message.add_entries();
    entry->set_from(name);
    entry->set_leave(std::uint32_t(found.entry.leave));
    entry->set_enter(std::uint32_t(found.entry.enter));
  }
  if (others == 0) std::printf("%s has no other gait\n", message.creature().c_str());
  const std::filesystem::path& into = out.empty() ? file : out;
  std::ofstream stream(into, std::ios::binary);
  stream << schema::message_to_json(message) << std::flush;
  if (!stream) return command::complain(kWhat, into.string() + ": cannot be written");
  std::printf("wrote %s\n", into.string().c_str());
  return 0;
}

}  // namespace promenade::app
