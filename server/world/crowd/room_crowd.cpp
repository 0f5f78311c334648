#include "world/crowd/room_crowd.h"

#include <algorithm>
#include <cmath>

namespace promenade::world {
namespace {

constexpr double kDecision = 0.05;  // s, from one decision of the crowd to the next, about

/// Lets in the people who are there from the start.
/// @param before  the plan that this one replaces: only what is new comes; null: none
void populate(behaviour::flow::Flow& flow, const behaviour::flow::Plan* before) {
  const behaviour::flow::Plan& plan = flow.plan();
  const std::size_t were = before ? before->present_at_start : 0;
  if (plan.present_at_start > were) flow.populate(plan.present_at_start - were);
  std::vector<behaviour::flow::Gathering> old;
  if (before) old = before->gatherings;
  for (const behaviour::flow::Gathering& gathering : plan.gatherings) {
    const auto same = std::find(old.begin(), old.end(), gathering);
    if (same == old.end()) {
      flow.gather(gathering);
    } else {
      old.erase(same);
    }
  }
}

}  // namespace

void RoomCrowd::load(const Scene& scene, std::uint64_t seed, double tick) {
  period = std::uint64_t(std::max(1L, std::lround(kDecision / tick)));
  behaviour::crowd::AvoidanceLaw law;
  law.step = float(double(period) * tick);
  law.seed = seed;
  walkers = behaviour::crowd::Walkers(law);
  replaced = false;
  since = given_digest_ = 0;
  set_walls(scene.obstacles);
  begin(scene.flow, seed);
  if (flow) populate(*flow, nullptr);
}

void RoomCrowd::replace(SceneFlow next, std::uint64_t seed, std::uint64_t at) {
  const auto routes_before = std::move(routes);  // the flow before asks them
  const auto before = std::move(flow);
  replaced = true;
  since = at;
  Hash hash;
  hash.add(std::string_view(next.message->SerializeAsString()));
  hash.add(at);
  given_digest_ = hash.value();
  begin(std::move(next), seed);
  if (before) flow->take_over(*before);
  populate(*flow, before ? &before->plan() : nullptr);
  count();  // those who are there are told of at once, not at the next decision
}

void RoomCrowd::count() {
  figures.people = std::uint32_t(flow->people().size());
  figures.waiting = figures.lost = 0;
  for (const auto& arrival : flow->due()) figures.waiting += arrival.members;
  for (const auto& person : flow->people()) figures.lost += person.lost ? 1 : 0;
  for (std::uint32_t i = 0; i < figures.in_line.size(); ++i) {
    figures.in_line[i] = std::uint32_t(flow->in_line(i));
  }
  figures.turned_away = flow->turned_away();
}

void RoomCrowd::set_walls(std::span<const behaviour::Obstacle> obstacles) {
  behaviour::crowd::Walls walls;
  for (const behaviour::Obstacle& obstacle : obstacles) walls.add(obstacle);
  walkers.set_walls(std::move(walls));
}

void RoomCrowd::begin(SceneFlow next, std::uint64_t seed) {
  flow.reset();
  routes.reset();
  figures = {};
  given = std::move(next);
  if (!given.crowd.plan) return;
  set_walls(given.crowd.obstacles);
  auto plan = std::make_shared<behaviour::flow::Plan>(*given.crowd.plan);
  plan->seed = seed;
  routes = std::make_unique<behaviour::route::Routes>(*given.crowd.routes);
  figures.entered.resize(plan->entrances.size());
  figures.left.resize(plan->exits.size());
  figures.in_line.resize(plan->queues.size());
  flow = std::make_unique<behaviour::flow::Flow>(std::move(plan), *routes);
}

std::uint64_t RoomCrowd::digest() const {
  Hash hash;
  if (flow) hash_state(*flow, hash);
  if (replaced) hash.add(given_digest_);
  return hash.value();
}

void RoomCrowd::write(StateVisitor::Buffer& out) const {
  if (flow) write_state(*flow, out);
}

std::string RoomCrowd::read_words(std::span<const std::uint64_t> words) {
  if (!flow) return words.empty() ? "" : "the scene has no flow";
  StateVisitor reader = StateVisitor::reader(words);
  flow->visit(reader);
  if (reader.error().empty() && reader.left() > 0) reader.fail("is too long");
  return std::string(reader.error());
}

}  // namespace promenade::world
