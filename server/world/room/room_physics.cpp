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

// Inflated boxes of [entities, then things]; empty for absent bodies, for those that the physics
// does not move, and for sleepers.
void Room::Impl::gather_boxes() {
  boxes.clear();
  for (const auto& e : entities) {
    Eigen::AlignedBox3d box;  // empty
    if (e->present() && !e->kinematic()) {
      box = e->physics.bounds();
      const double reach = kBoundsMargin + e->physics.links()[0].velocity.norm() * dt();
      box.min().array() -= reach;
      box.max().array() += reach;
    }
    boxes.push_back(box);
  }
  for (const auto& prop : props) {
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

void Room::Impl::build_sleepers() {
  if (!sleepers_changed) return;
  std::vector<Sleepers::Sleeper> all;
  for (std::size_t i = 0; i < props.size(); ++i) {
    if (!props[i]->asleep) continue;
    all.push_back({std::uint32_t(entities.size() + i), props[i]->physics.bounds()});
  }
  sleepers.build(std::move(all));
  sleepers_changed = false;
}

void Room::Impl::gather_awakened() {
  for (std::size_t i = 0; i < props.size(); ++i) {
    const std::size_t k = entities.size() + i;
    if (props[i]->asleep || !boxes[k].isEmpty()) continue;
    boxes[k] = props[i]->physics.bounds();
    sleepers.find(std::uint32_t(k), boxes[k], joined);
  }
}

// Joins sleepers to the islands of bodies near them, which touch them as they touch the ground. A
// fast body wakes a sleeper before it arrives: otherwise it would bounce off as from a wall.
void Room::Impl::join_sleepers() {
  build_sleepers();
  wake_on_moving_ground();
  for (std::uint32_t i = 0; i < boxes.size(); ++i) sleepers.find(i, boxes[i], joined);
  gather_awakened();
  const std::size_t found = joined.size();
  for (std::size_t k = 0; k < found; ++k) {
    const auto [mover, sleeper] = joined[k];
    Prop& prop = *props[sleeper - entities.size()];
    if (!prop.asleep) continue;
    const Occupant* one = mover < entities.size() ? static_cast<Occupant*>(entities[mover].get())
                                                  : props[mover - entities.size()].get();
    double speed = one->physics.fastest_point();
    Eigen::AlignedBox3d swept = one->physics.bounds();
    // Boxes of things that lie slantwise in a heap overlap already: there the blow itself wakes,
    // and a jammed thing whose tip is fast for a tick arrives nowhere.
    const bool beside = mover >= entities.size() && swept.intersects(prop.physics.bounds());
    if (beside) speed = std::min(speed, props[mover - entities.size()]->drift());
    if (speed < (beside ? 20 : 5) * prop.rest_speed()) continue;
    const double reach = 0.005 + speed * dt();
    swept.min().array() -= reach;
    swept.max().array() += reach;
    if (!swept.intersects(prop.physics.bounds())) continue;
    wake(prop);
    gather_awakened();
  }
  std::erase_if(joined, [](const Islands::Pair& pair) { return pair.first == pair.second; });
  const auto index_of = [this](CharacterId id) -> std::uint32_t {
    const auto in = [id](const auto& list) {
      return std::uint32_t(
          std::lower_bound(list.begin(), list.end(), id,
                           [](const auto& one, CharacterId wanted) { return one->id < wanted; }) -
          list.begin());
    };
    return find(id) ? in(entities) : std::uint32_t(entities.size()) + in(props);
  };
  for (const auto& tie : ties) {
    if (tie->over || tie->a == 0 || tie->b == 0 || tie->a == tie->b) continue;
    const std::uint32_t a = index_of(tie->a), b = index_of(tie->b);
    // A tie between two sleepers joins nothing: both stay asleep.
    if (!boxes[a].isEmpty() || !boxes[b].isEmpty()) joined.emplace_back(a, b);
  }
}

void Room::Impl::run_physics() {
  gather_boxes();
  joined.clear();  // it names bodies by their places in the lists, which may have changed
  if (!props.empty() || !ties.empty()) join_sleepers();
  islands.build(boxes, joined);
  members.clear();
  for (int i = 0; i < islands.count(); ++i) {
    for (const std::uint32_t member : islands.members(i)) {
      members.push_back(member < entities.size() ? static_cast<Occupant*>(entities[member].get())
                                                 : props[member - entities.size()].get());
      members.back()->island = i;
    }
  }
  share_out_ties();
  divide_work();
  pool->run(int(pieces.size()) - 1, [&](int piece, int worker) {
    const std::size_t first = pieces[std::size_t(piece)], end = pieces[std::size_t(piece) + 1];
    if (first == end) return;
    const auto below = [](const ActiveTie& tie, int island) { return tie.island < island; };
    const auto tie =
        std::lower_bound(active_ties.begin(), active_ties.end(), members[first]->island, below);
    const auto last = std::lower_bound(tie, active_ties.end(), members[end - 1]->island + 1, below);
    step_through_tick(std::span(members).subspan(first, end - first), std::span(tie, last), step,
                      workers[std::size_t(worker)].step);
  });
  for (Worker& w : workers) {
    times.behaviour += w.behaviour_s;
    times.control += w.step.control_s;
    times.physics += w.step.physics_s;
    w.behaviour_s = w.step.control_s = w.step.physics_s = 0;
  }
}

void Room::Impl::find_tops() {
  tops.clear();
  for (std::size_t i = 0; i < props.size(); ++i) tops.add(props[i]->physics, i);
}

void Room::Impl::press_on_things() {
  if (props.empty()) return;
  for (const auto& e : entities) {
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
    Prop& prop = *props[top->body];
    if (prop.asleep) wake(prop);
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
