// A scene with a share of its people.
#include <algorithm>
#include <cmath>

#include "world/scene/scene.h"

namespace promenade::world {
namespace {

/// A share of some things, but at least one of them.
template <typename Count>
Count share_of(Count count, double share) {
  const auto kept = Count(std::llround(double(count) * share));
  return std::min(count, std::max(Count(1), kept));
}

SceneFlow with_fewer_people(const SceneFlow& flow, double share) {
  if (!flow.crowd.plan) return flow;
  SceneFlow out = flow;
  auto plan = std::make_shared<behaviour::flow::Plan>(*flow.crowd.plan);
  auto message = std::make_shared<v1::CrowdFlow>(*flow.message);
  for (auto& entrance : plan->entrances) entrance.rate = entrance.rate.scaled(share);
  for (auto& entrance : *message->mutable_entrances()) {
    for (auto& rate : *entrance.mutable_rates()) rate.set_per_minute(rate.per_minute() * share);
  }
  for (std::size_t i = 0; i < plan->gatherings.size(); ++i) {
    auto& gathering = plan->gatherings[i];
    gathering.people = share_of(gathering.people, share);
    message->mutable_gatherings(int(i))->set_people(std::uint32_t(gathering.people));
  }
  plan->most_people = share_of(plan->most_people, share);
  message->set_most_people(std::uint32_t(plan->most_people));
  plan->present_at_start = std::min(
      plan->most_people, std::size_t(std::llround(double(plan->present_at_start) * share)));
  message->set_present_at_start(std::uint32_t(plan->present_at_start));
  out.crowd.plan = std::move(plan);
  out.message = std::move(message);
  return out;
}

}  // namespace

std::shared_ptr<const Scene> with_fewer_people(std::shared_ptr<const Scene> scene, double share) {
  if (share >= 1) return scene;
  auto out = std::make_shared<Scene>(*scene);
  out->people = share;
  for (CrowdPlan& crowd : out->crowds) {
    const int kept = share_of(crowd.count, share);
    crowd.left_out += crowd.count - kept;
    crowd.count = kept;
  }
  out->flow = with_fewer_people(scene->flow, share);
  return out;
}

}  // namespace promenade::world
