#include "world/crowd/gaits.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "control/pendulum/gait_tables.h"
#include "world/entity/entity.h"

namespace promenade::world {
namespace {

using Names = std::set<std::pair<std::string, std::string>>;  // of bodies and styles

control::pendulum::GaitTables& tables_of(const Library& library) {
  return *library.controllers().setup(Entity::light_family(), nullptr).gaits;
}

bool may_be_light(const control::Family* family, std::uint32_t in_physics) {
  if (!family) return in_physics > 0;
  return family->light || (family->styled && family->walks && in_physics > 0);
}

/// The pairs of the first `count` members of a crowd.
void add_pairs(const CrowdMix& mix, std::size_t count, Names& out) {
  // After so many members all pairs have come.
  count = std::min(count, mix.bodies.size() * mix.styles.size());
  for (std::size_t k = 0; k < count; ++k) {
    const CharacterPlan plan = mix.member(k);
    out.emplace(plan.body, plan.style);
  }
}

std::vector<GaitPair> pairs_of(const Names& names, const Library& library) {
  std::vector<GaitPair> out;
  for (const auto& [body, style] : names) {
    const auto definition = library.find_creature(body);
    const auto manner = library.find_style(style);
    if (!definition || !manner) continue;  // creatures without styles have any text there
    if (!Entity::light_family().why_not(*definition->body).empty()) continue;
    out.push_back({definition->body, manner->style});
  }
  return out;
}

}  // namespace

void keep_gaits(const Library& library, control::pendulum::GaitStore store) {
  tables_of(library).use(std::move(store));
}

std::vector<GaitPair> all_gaits(const Library& library) {
  std::vector<GaitPair> out;
  for (const auto& body : library.body_list()) {
    if (!Entity::light_family().why_not(*body).empty()) continue;
    for (const std::string& style : library.styles().names()) {
      out.push_back({body, library.styles().find(style)});
    }
  }
  return out;
}

std::vector<GaitPair> gaits_of(const Scene& scene, const Library& library) {
  Names names;
  for (const CharacterPlan& plan : scene.characters) {
    if (!may_be_light(plan.family, scene.in_physics)) continue;
    names.emplace(plan.body, plan.style);
  }
  for (const CrowdPlan& crowd : scene.crowds) {
    if (!may_be_light(crowd.mix.family, scene.in_physics)) continue;
    add_pairs(crowd.mix, std::size_t(crowd.count), names);
  }
  if (scene.flow.crowd.plan && may_be_light(scene.flow.mix.family, scene.in_physics)) {
    add_pairs(scene.flow.mix, scene.flow.crowd.plan->most_people, names);
  }
  return pairs_of(names, library);
}

std::vector<GaitPair> gaits_of(const CrowdMix& mix, std::size_t count, const Library& library) {
  Names names;
  add_pairs(mix, count, names);
  return pairs_of(names, library);
}

bool knows_gait(const Library& library, const GaitPair& pair) {
  return tables_of(library).knows(
      library.controllers().setup(*control::find_family("gbwc"), pair.body, pair.style));
}

std::string name_of(const Library& library, const GaitPair& pair) {
  const auto body = library.find_creature(pair.body->name);
  const auto style = library.find_style(pair.style->name);
  return control::pendulum::GaitStore::name_of(
      body->encoded, style->message.SerializeAsString(),
      library.controllers().parameters(*control::find_family("gbwc"))->SerializeAsString());
}

bool know_gaits(const Library& library, std::span<const GaitPair> pairs, int threads,
                const GaitProgress& tell) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> wanted{true};
  std::mutex telling;
  std::size_t known = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < pairs.size() && wanted; k = next++) {
      library.controllers().make(Entity::light_family(), pairs[k].body, pairs[k].style);
      if (!tell) continue;
      const std::lock_guard lock(telling);
      ++known;
      if (!tell(double(known) / double(pairs.size()), "measuring how people walk, " +
                                                          std::to_string(known) + " of " +
                                                          std::to_string(pairs.size()))) {
        wanted = false;
      }
    }
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  others.clear();  // waits for them
  return wanted;
}

std::size_t gaits_measured(const Library& library) { return tables_of(library).measured(); }

std::string gaits_note(std::size_t measured) {
  return "measured " + std::to_string(measured) + (measured == 1 ? " gait" : " gaits") +
         ", as no tables of them were kept";
}

void measure_gaits(const Library& library, Workers& workers, std::uint32_t in_physics,
                   const CrowdMix& mix, std::size_t first, std::size_t count) {
  const bool light = mix.family && mix.family->light;
  if (!light && in_physics == 0) return;
  const control::Family& family = light ? *mix.family : Entity::light_family();
  Names pairs;
  // After so many members all pairs have come.
  count = std::min(count, mix.bodies.size() * mix.styles.size());
  for (std::size_t k = 0; k < count; ++k) {
    const CharacterPlan plan = mix.member(first + k);
    pairs.emplace(plan.body, plan.style);
  }
  const std::vector<std::pair<std::string, std::string>> all(pairs.begin(), pairs.end());
  workers.run(int(all.size()), [&](int i, Workers::Worker&) {
    const auto& [body, style] = all[std::size_t(i)];
    const auto& creature = library.find_creature(body)->body;
    if (!family.why_not(*creature).empty()) return;
    library.controllers().make(family, creature, library.find_style(style)->style);
  });
}

}  // namespace promenade::world
