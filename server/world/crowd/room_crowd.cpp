#include "world/crowd/room_crowd.h"

#include <algorithm>
#include <cmath>

namespace promenade::world {
namespace {

constexpr double kDecision = 0.05;  // s, from one decision of the crowd to the next, about

}  // namespace

void RoomCrowd::load(const Scene& scene, std::uint64_t seed, double tick) {
  period = std::uint64_t(std::max(1L, std::lround(kDecision / tick)));
  behaviour::crowd::AvoidanceLaw law;
  law.step = float(double(period) * tick);
  law.seed = seed;
  walkers = behaviour::crowd::Walkers(law);
  behaviour::crowd::Walls walls;
  const auto& obstacles = scene.flow.plan ? scene.flow.obstacles : scene.obstacles;
  for (const behaviour::Obstacle& obstacle : obstacles) walls.add(obstacle);
  walkers.set_walls(std::move(walls));
  flow.reset();
  routes.reset();
  if (!scene.flow.plan) return;
  auto plan = std::make_shared<behaviour::flow::Plan>(*scene.flow.plan);
  plan->seed = seed;
  routes = std::make_unique<behaviour::route::Routes>(obstacles,
                                                      std::span<const behaviour::route::Wall>());
  const std::size_t present = plan->present_at_start;
  flow = std::make_unique<behaviour::flow::Flow>(std::move(plan), *routes);
  flow->populate(present);
}

std::uint64_t RoomCrowd::digest() const {
  Hash hash;
  if (flow) hash_state(*flow, hash);
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
