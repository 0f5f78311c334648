#include "search/gaits/found_gait.h"

#include "schema/message.h"

namespace promenade::search {

v1::Gait found_gait(const GaitSpace& space, const Vector& places, const v1::SearchStart& start,
                    const FoundFacts& facts, const std::string& name, bool in_library) {
  v1::Gait out = space.message(places);
  // A variant or a feedback goes into the file of its gait, which keeps its name.
  const bool whole = start.gait().part() == v1::GaitSearch::CYCLE;
  if (whole) {
    out.set_name(name.empty() ? out.creature() + "_" + facts.kind : name);
    out.set_title(facts.kind);
  }
  v1::GaitOrigin& origin = space.origin_in(out);
  origin.set_program(start.program());
  origin.set_objective(start.objective_file());
  *origin.mutable_search() = start.gait();
  if (in_library) origin.mutable_search()->clear_body();
  if (!whole) origin.mutable_search()->clear_from();
  origin.set_method(start.method());
  origin.set_seed(start.seed());
  origin.set_population(start.population());
  origin.set_global(start.global());
  origin.set_sigma(start.sigma());
  origin.set_trial(facts.trial);
  origin.set_score(facts.score);
  origin.set_speed_mps(facts.speed);
  origin.set_kind(facts.kind);
  return out;
}

schema::Result<v1::GaitObjective> load_gait_objective(const std::filesystem::path& data_dir,
                                                      const std::string& name) {
  std::filesystem::path file = data_dir / "objectives" / "gaits" / (name + ".json");
  if (name.find('/') != std::string::npos || name.ends_with(".json")) file = name;
  auto loaded = schema::load_message<v1::GaitObjective>(file);
  if (!loaded) return loaded.error();
  return std::move(loaded->message);
}

}  // namespace promenade::search
