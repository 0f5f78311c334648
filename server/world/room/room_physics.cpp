// A tick's physics: islands of bodies that may touch each other, shared out to the workers.
#include <algorithm>
#include <array>

#include "world/room/room_impl.h"
#include "world/step/wall_clock.h"

namespace promenade::world {
namespace {

constexpr double kBoundsMargin = 0.15;  // m, added to the distance that a body moves in a tick
constexpr double kThingMargin = 0.01;   // m, the same for things, which do not kick

}  // namespace

// Inflated boxes of [characters, then things]; empty for absent bodies, for those that the physics
// does not move, and for sleepers.
void Room::Impl::gather_boxes() {
  boxes.clear();
  for (const auto& e : occupants.entities) {
    Eigen::AlignedBox3d box;  // empty
    if (e->present() && !e->kinematic()) {
      box = e->physics.bounds();
      const double reach = kBoundsMargin + e->physics.links()[0].velocity.norm() * dt();
      box.min().array() -= reach;
      box.max().array() += reach;
    }
    boxes.push_back(box);
  }
  for (const auto& prop : occupants.props) {
    Eigen::AlignedBox3d box;
    if (!prop->asleep) {
      box = prop->physics.bounds();
      const double reach = kThingMargin + prop->physics.fastest_point() * dt();
      box.min().array() -= reach;
      box.max().array() += reach;
    }
    boxes.push_back(box);
  }
}

void Room::Impl::run_physics() {
  gather_boxes();
  joined.clear();  // it names bodies by their places in the lists, which may have changed
  if (!occupants.props.empty() || !ties.empty()) {
    sleep.join(view(), boxes, joined);
    ties.join(boxes, joined);
  }
  islands.build(boxes, joined);
  members.clear();
  for (int i = 0; i < islands.count(); ++i) {
    for (const std::uint32_t member : islands.members(i)) {
      members.push_back(&occupants.at(member));
      members.back()->island = i;
    }
  }
  ties.share_out();
  const auto active_ties = ties.active();
  divide_work();
  workers.run(int(pieces.size()) - 1, [&](int piece, Workers::Worker& worker) {
    const std::size_t first = pieces[std::size_t(piece)], end = pieces[std::size_t(piece) + 1];
    if (first == end) return;
    const auto below = [](const ActiveTie& tie, int island) { return tie.island < island; };
    const auto tie =
        std::lower_bound(active_ties.begin(), active_ties.end(), members[first]->island, below);
    const auto last = std::lower_bound(tie, active_ties.end(), members[end - 1]->island + 1, below);
    step_through_tick(std::span(members).subspan(first, end - first), std::span(tie, last), step,
                      worker.step);
  });
  workers.take_times([this](const Workers::Worker& worker) {
    times.behaviour += worker.behaviour_s;
    times.control += worker.step.control_s;
    times.physics += worker.step.physics_s;
  });
}

void Room::Impl::find_tops() {
  tops.clear();
  for (std::size_t i = 0; i < occupants.props.size(); ++i) tops.add(occupants.props[i]->physics, i);
}

void Room::Impl::press_on_things() {
  if (occupants.props.empty()) return;
  for (const auto& e : occupants.entities) {
    if (!e->present() || !e->kinematic()) continue;
    for (const control::FootPress& foot : e->kinematic()->foot_presses()) {
      if (!foot.force.isZero()) press_on_things(foot);
    }
  }
}

// A foot presses by its front and its rear, with half of its force each; or by the one that bears.
void Room::Impl::press_on_things(const control::FootPress& foot) {
  constexpr double kOn = 0.05;  // m, of the sole above or below the side that bears it
  struct Point {
    const physics::Top* top;
    Vec3 at;
  };
  std::array<Point, 2> points;
  int bear = 0;
  for (const double sign : {1.0, -1.0}) {
    Vec3 at = foot.position;
    at.head<2>() += sign * foot.ball;
    double height = 0;
    const physics::Top* top = tops.at(at.x(), at.y(), at.z() + kOn, height);
    if (!top || height < at.z() - kOn) continue;
    at.z() = height;
    points[std::size_t(bear++)] = {top, at};
  }
  for (int i = 0; i < bear; ++i) {
    const auto& [top, at] = points[std::size_t(i)];
    Prop& prop = *occupants.props[top->body];
    if (prop.asleep) sleep.wake(prop);
    if (prop.pushes.size() >= kMaxPushes) continue;
    const physics::LinkMotion& link = prop.physics.links()[std::size_t(top->link)];
    prop.pushes.push_back({top->link, link.rotation.transpose() * (at - link.position),
                           foot.force / bear, step.substeps});
  }
}

// Divides the islands into pieces of work: whole islands, about as many bodies as are stepped side
// by side. Where islands are single bodies, each thread gets the same number of pieces.
void Room::Impl::divide_work() {
  const std::size_t count = members.size(), threads = std::size_t(settings.threads);
  const std::size_t batches = (count + physics::kSideBySide - 1) / physics::kSideBySide;
  const std::size_t wanted = (batches + threads - 1) / threads * threads;
  pieces.clear();
  for (std::size_t i = 0, last = 0; i < count; ++i) {
    if (i > 0 && members[i]->island == members[i - 1]->island) continue;
    const std::size_t piece = i * wanted / count;
    if (i == 0 || piece != last) pieces.push_back(i);
    last = piece;
  }
  pieces.push_back(count);
}

}  // namespace promenade::world
