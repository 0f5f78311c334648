#include "world/crowd/courses.h"

#include <algorithm>
#include <cmath>

#include "creature/material_message.h"
#include "math/random.h"
#include "world/scene/ground.h"

namespace promenade::world {
namespace {

constexpr std::uint64_t kLookEvery = 6;       // ticks between looks at the lanes
constexpr std::size_t kMostWalkers = 100000;  // walkers on a lane
constexpr double kNear = 2.5;                 // m from a part along the lane: nothing changes there
constexpr double kBeside = 1;                 // m beside the lane: nothing changes there
constexpr double kOnLane = 0.5;               // m beside it: a walker still goes along it

Random stream_of(std::uint64_t seed, std::size_t lane, std::size_t part, std::uint32_t drawn) {
  const std::uint64_t number = (std::uint64_t(lane) * kMaxCourseParts + part) << 32;
  return Random::stream(seed ^ 0xc0125e0000000000ULL, number + drawn);
}

}  // namespace

void Courses::begin(const Scene& scene) {
  *this = {};
  lanes_.resize(scene.courses.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i].parts.resize(std::size_t(scene.courses[i].parts()));
  }
}

void Courses::visit(StateVisitor& state) {
  for (Lane& lane : lanes_) {
    for (Part& part : lane.parts) state(part.drawn, part.used);
    state.length(lane.walkers, kMostWalkers);
    for (Walker& walker : lane.walkers) state(walker.id, walker.fell, walker.last);
    state(lane.passed, lane.without_fall);
  }
}

void Courses::lay(const Scene& scene, std::uint64_t seed) {
  ground_ = scene.ground;
  obstacles_ = scene.obstacles;
  if (lanes_.empty()) return;
  v1::CourseBlocks blocks;
  physics::GroundPlan plan = scene.ground->plan();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto& parts = lanes_[i].parts;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      Random random = stream_of(seed, i, k, parts[k].drawn);
      for (v1::Block& block : draw_obstacle(scene.courses[i], int(k), random)) {
        plan.blocks.push_back(block_of(block));
        if (block.has_material()) plan.blocks.back().material = build_material(block.material());
        add_if_high(block, plan.blocks.back(), obstacles_);
        *blocks.add_blocks() = std::move(block);
      }
    }
  }
  ground_ = std::make_shared<const physics::Ground>(std::move(plan));
  blocks_ = blocks.SerializeAsString();
}

bool Courses::run(const TickView& now, std::vector<RoomEvent>& events) {
  if (now.age() % kLookEvery != 0) return false;
  bool changed = false;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const CoursePlan& plan = now.scene.courses[i];
    count_rounds(now, plan, lanes_[i], events);
    changed = draw_anew(now, plan, lanes_[i].parts) || changed;
  }
  return changed;
}

void Courses::count_rounds(const TickView& now, const CoursePlan& plan, Lane& lane,
                           std::vector<RoomEvent>& events) {
  auto& walkers = lane.walkers;
  const auto find = [&walkers](CharacterId id) {
    return std::find_if(walkers.begin(), walkers.end(),
                        [id](const auto& walker) { return walker.id >= id; });
  };
  std::erase_if(walkers, [&now](const auto& walker) {
    const Entity* e = now.occupants.find(walker.id);
    return !e || !e->present();
  });
  for (const auto& e : now.occupants.entities) {
    if (!e->present()) continue;
    const Vec2 place = plan.place_of(e->position());
    const bool beside = std::abs(place.y()) > 0.5 * plan.message.width_m() + kOnLane;
    auto walker = find(e->id);
    const bool known = walker != walkers.end() && walker->id == e->id;
    if (!known) {
      if (beside || place.x() < 0 || place.x() > plan.part_length()) continue;
      walker = walkers.insert(walker, {e->id, false, false});
    }
    walker->fell = walker->fell || e->fallen;
    if (!beside && place.x() >= 0 && place.x() < plan.length) {
      walker->last = place.x() > plan.length - plan.part_length();
      continue;
    }
    if (!beside && place.x() >= plan.length && walker->last) {
      ++lane.passed;
      if (!walker->fell) ++lane.without_fall;
      events.push_back({now.tick, e->id, RoomEvent::Kind::kNotice,
                        e->body->title + " " + std::to_string(e->id) + " passed the course" +
                            (walker->fell ? " after a fall: " : " without a fall: ") +
                            std::to_string(lane.without_fall) + " of " +
                            std::to_string(lane.passed) + " rounds so far"});
    }
    walkers.erase(walker);
  }
}

bool Courses::draw_anew(const TickView& now, const CoursePlan& plan, std::vector<Part>& parts) {
  std::vector<std::uint8_t> near(parts.size(), 0);
  const double long_one = plan.part_length();
  const auto look = [&](const Vec2& at, double radius, bool walks) {
    const Vec2 place = plan.place_of(at);
    if (std::abs(place.y()) > 0.5 * plan.message.width_m() + kBeside + radius) return;
    const double far = kNear + radius;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const double begins = double(k) * long_one, ends = begins + long_one;
      if (place.x() > begins - far && place.x() < ends + far) near[k] = 1;
      if (walks && place.x() >= begins && place.x() < ends) parts[k].used = true;
    }
  };
  for (const auto& e : now.occupants.entities) {
    if (e->present()) look(e->position(), e->radius, true);
  }
  for (const auto& prop : now.occupants.props) {
    look(prop->physics.state().root.position.head<2>(), prop->size, false);
  }
  bool changed = false;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (!parts[k].used || near[k]) continue;
    parts[k] = {parts[k].drawn + 1, false};
    changed = true;
  }
  return changed;
}

}  // namespace promenade::world
