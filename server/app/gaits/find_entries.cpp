#include "app/gaits/find_entries.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "app/gaits/gait_file.h"
#include "command/complain.h"
#include "control/posegraph/gait_library.h"
#include "search/gaits/entry_search.h"

namespace promenade::app {
namespace {

constexpr double kAfter = 5;  // s, for which it has to stay up

}  // namespace

int find_entries(const Library& library, const std::filesystem::path& file,
                 const std::filesystem::path& out, int starts, int threads) {
  auto loaded = load_gait_file(library, file);
  if (!loaded) return command::complain("search gait", loaded.error().text());
  v1::Gait& message = loaded->message;
  message.clear_entries();
  const int tried = std::max(1, starts);
  int others = 0;
  for (const std::string& name : library.gaits().names()) {
    const GaitLibrary::Entry& other = *library.gaits().find(name);
    if (other.message.creature() != message.creature() || name == message.name()) continue;
    ++others;
    const search::FoundEntry found =
        search::find_entry(loaded->trial, other.gait, loaded->gait, kAfter, tried, 0, threads);
    std::printf(
        "from %-20s left after state %zu, entered with %zu: %d of %d up, and %d of 8 about\n",
        name.c_str(), found.entry.leave, found.entry.enter, found.up, tried, found.held);
    if (found.up == 0) continue;
    v1::GaitEntry* entry = message.add_entries();
    entry->set_from(name);
    entry->set_leave(std::uint32_t(found.entry.leave));
    entry->set_enter(std::uint32_t(found.entry.enter));
  }
  if (others == 0) std::printf("%s has no other gait\n", message.creature().c_str());
  return write_gait_file(message, out.empty() ? file : out);
}

}  // namespace promenade::app
