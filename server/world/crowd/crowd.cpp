#include "world/crowd/crowd.h"

#include <algorithm>
#include <cmath>

#include "schema/refusal.h"

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

std::variant<SceneFlow, CommandError> flow_for(const Library& library, const Scene& where,
                                               const v1::CrowdFlow& message, std::uint64_t seed,
                                               const std::string& field) {
  const schema::Source nowhere;
  schema::Checker check(nowhere);
  SceneFlow made =
      build_flow(message, where.obstacles, seed, library.bodies(), library.styles(), check);
  if (!check.ok()) return error_of(check.error(), field);
  return made;
}

void Crowd::load(const Scene& scene, std::uint64_t seed, double tick) {
  period_ = std::uint64_t(std::max(1L, std::lround(kDecision / tick)));
  behaviour::crowd::AvoidanceLaw law;
  law.step = float(double(period_) * tick);
  law.seed = seed;
  walkers_ = behaviour::crowd::Walkers(law);
  replaced_ = false;
  since_ = given_digest_ = 0;
  set_walls(scene.obstacles);
  begin(scene.flow, seed);
  if (flow_) populate(*flow_, nullptr);
}

void Crowd::replace(SceneFlow next, std::uint64_t seed, std::uint64_t at) {
  const auto routes_before = std::move(routes_);  // the flow before asks them
  const auto before = std::move(flow_);
  replaced_ = true;
  since_ = at;
  Hash hash;
  hash.add(std::string_view(next.message->SerializeAsString()));
  hash.add(at);
  given_digest_ = hash.value();
  begin(std::move(next), seed);
  if (before) flow_->take_over(*before);
  populate(*flow_, before ? &before->plan() : nullptr);
  count();  // those who are there are told of at once, not at the next decision
}

void Crowd::count() {
  figures_.people = std::uint32_t(flow_->people().size());
  figures_.waiting = figures_.lost = 0;
  for (const auto& arrival : flow_->due()) figures_.waiting += arrival.members;
  for (const auto& person : flow_->people()) figures_.lost += person.lost ? 1 : 0;
  for (std::uint32_t i = 0; i < figures_.in_line.size(); ++i) {
    figures_.in_line[i] = std::uint32_t(flow_->in_line(i));
  }
  figures_.turned_away = flow_->turned_away();
}

void Crowd::set_walls(std::span<const behaviour::Obstacle> obstacles) {
  behaviour::crowd::Walls walls;
  for (const behaviour::Obstacle& obstacle : obstacles) walls.add(obstacle);
  walkers_.set_walls(std::move(walls));
}

void Crowd::begin(SceneFlow next, std::uint64_t seed) {
  flow_.reset();
  routes_.reset();
  figures_ = {};
  given_ = std::move(next);
  if (!given_.crowd.plan) return;
  set_walls(given_.crowd.obstacles);
  auto plan = std::make_shared<behaviour::flow::Plan>(*given_.crowd.plan);
  plan->seed = seed;
  routes_ = std::make_unique<behaviour::route::Routes>(*given_.crowd.routes);
  figures_.entered.resize(plan->entrances.size());
  figures_.left.resize(plan->exits.size());
  figures_.in_line.resize(plan->queues.size());
  flow_ = std::make_unique<behaviour::flow::Flow>(std::move(plan), *routes_);
}

std::uint64_t Crowd::digest() const {
  Hash hash;
  if (flow_) hash_state(*flow_, hash);
  if (replaced_) hash.add(given_digest_);
  return hash.value();
}

void Crowd::write(StateVisitor::Buffer& out) const {
  if (flow_) write_state(*flow_, out);
}

std::string Crowd::read_words(std::span<const std::uint64_t> words) {
  if (!flow_) return words.empty() ? "" : "the scene has no flow";
  StateVisitor reader = StateVisitor::reader(words);
  flow_->visit(reader);
  if (reader.error().empty() && reader.left() > 0) reader.fail("is too long");
  return std::string(reader.error());
}

}  // namespace promenade::world
