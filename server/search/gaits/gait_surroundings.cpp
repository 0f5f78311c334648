#include "search/gaits/gait_surroundings.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace promenade::search {
namespace {

constexpr std::string_view kVariation = "variation-";
constexpr double kLeastReach = 0.6, kMostReach = 3.2;  // rad, see GaitSearch.reach_rad
constexpr double kBeyond = 0.25;  // rad, that a pose may go beyond the farthest of the gait

/// How far poses of a gait are from the rest pose, and a little more: no pose lies at the edge of
/// what is explored.
double reach_of(const control::posegraph::Gait& gait, const Creature& creature) {
  double most = 0;
  for (const control::posegraph::State& state : gait.graph.cycle) {
    for (std::size_t link = 1; link < state.pose.size(); ++link) {
      most = std::max(most, (state.pose[link] - creature.rest[link]).cwiseAbs().maxCoeff());
    }
  }
  return std::clamp(most + kBeyond, kLeastReach, kMostReach);
}

}  // namespace

bool is_variation(std::string_view variant) {
  if (!variant.starts_with(kVariation)) return false;
  const std::string_view numbers = variant.substr(std::string_view(kVariation).size());
  const auto dash = numbers.find('-');
  if (dash == 0 || dash == std::string_view::npos || dash + 1 == numbers.size()) return false;
  return numbers.find_first_not_of("0123456789-") == std::string_view::npos &&
         numbers.find('-', dash + 1) == std::string_view::npos;
}

std::string variation_name(std::uint64_t seed, int direction) {
  return std::string(kVariation) + std::to_string(seed) + "-" + std::to_string(direction);
}

schema::Result<GaitSurroundings> GaitSurroundings::make(v1::Gait gait,
                                                        const trial::GaitTrial& trial,
                                                        const schema::Source& source) {
  auto* variants = gait.mutable_variants();
  variants->erase(std::remove_if(variants->begin(), variants->end(),
                                 [](const auto& one) { return is_variation(one.name()); }),
                  variants->end());
  const auto creature = trial.walker().body;
  const auto built = control::posegraph::build_gait(gait, *creature, source);
  if (!built) return built.error();
  v1::GaitSearch search;
  search.set_creature(gait.creature());
  search.set_symmetry(gait.symmetry());
  search.set_part(v1::GaitSearch::VARIANT);
  search.set_use(v1::GaitVariant::MIX);
  search.set_reach_rad(reach_of(**built, *creature));
  *search.mutable_from() = gait;
  schema::Checker check(source);
  GaitSpace space = GaitSpace::make(search, creature, check);
  if (!check.ok()) return check.error();
  return GaitSurroundings(std::move(gait), std::move(space), trial);
}

trial::GaitMeasures GaitSurroundings::run(
    const Vector& places, double weight, double strides, std::uint64_t seed,
    const std::function<void(const trial::Rollout&)>& watch) const {
  auto gait = space_.gait(places, weight);
  const trial::GaitTime time = trial::time_for(gait->graph.period(), strides);
  return trial_.run(std::move(gait), time, seed, {}, watch);
}

}  // namespace promenade::search
