#include "world/gaits.h"

#include <algorithm>
#include <set>
#include <utility>

#include "control/pendulum/gait_tables.h"
#include "world/entity.h"

namespace promenade::world {
namespace {

control::pendulum::GaitTables& tables_of(const Library& library) {
  return *library.controllers().setup(Entity::light_family(), nullptr).gaits;
}

/// The pairs of the first `count` members of a crowd that may be light.
void add_pairs(const CrowdMix& mix, std::size_t count, std::uint32_t in_physics,
               std::set<std::pair<std::string, std::string>>& out) {
  const bool light =
      mix.family ? mix.family->light || (mix.family->walks && in_physics > 0) : in_physics > 0;
  if (!light) return;
  // After so many members all pairs have come.
  count = std::min(count, mix.bodies.size() * mix.styles.size());
  for (std::size_t k = 0; k < count; ++k) {
    const CharacterPlan plan = mix.member(k);
    out.emplace(plan.body, plan.style);
  }
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
  std::set<std::pair<std::string, std::string>> names;
  for (const CrowdPlan& crowd : scene.crowds) {
    add_pairs(crowd.mix, std::size_t(crowd.count), scene.in_physics, names);
  }
  if (scene.flow.crowd.plan) {
    add_pairs(scene.flow.mix, scene.flow.crowd.plan->most_people, scene.in_physics, names);
  }
  std::vector<GaitPair> out;
  for (const auto& [body, style] : names) {
    const auto definition = library.find_creature(body);
    if (!Entity::light_family().why_not(*definition->body).empty()) continue;
    out.push_back({definition->body, library.find_style(style)->style});
  }
  return out;
}

std::string file_of(const Library& library, const GaitPair& pair) {
  const auto body = library.find_creature(pair.body->name);
  const auto style = library.find_style(pair.style->name);
  return control::pendulum::GaitStore::name_of(
      body->encoded, style->message.SerializeAsString(),
      library.controllers().parameters(*control::find_family("gbwc"))->SerializeAsString());
}

bool know_gait(const Library& library, const GaitPair& pair) {
  control::pendulum::GaitTables& tables = tables_of(library);
  const std::size_t before = tables.measured();
  library.controllers().make(Entity::light_family(), pair.body, pair.style);
  return tables.measured() != before;
}

bool is_known(const Library& library, const GaitPair& pair) {
  return tables_of(library).knows(pair.body, pair.style);
}

}  // namespace promenade::world
