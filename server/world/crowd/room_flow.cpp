// The flow of a room: another one in its place while it runs, and what it has come to.
#include <algorithm>

#include "schema/refusal.h"
#include "world/room/room_impl.h"

namespace promenade::world {
namespace {

// Where nobody has prepared the flow, the room stands still while gaits are measured, some tenths
// of a second each. All bipeds in all styles are more than a hundred; the gaits of people who come
// later are measured when they come.
constexpr std::size_t kMeasuredAtOnce = 8;

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

void Room::Impl::set_flow(SceneFlow next, std::uint64_t tick) {
  const auto known = std::count_if(occupants.entities.begin(), occupants.entities.end(),
                                   [](const auto& e) { return e->task.kind == Task::Kind::kFlow; });
  measure_gaits(next.mix, std::size_t(known), kMeasuredAtOnce);
  crowd.replace(std::move(next), settings.seed, tick);
  roster.definitions_changed();  // the roster names the flow
}

void Room::Impl::look_at_flow(std::vector<RoomEvent>& events) {
  using behaviour::flow::Happening;
  if (!crowd.flow || !crowd_decides()) return;
  const behaviour::flow::Flow& flow = *crowd.flow;
  FlowFigures& now = crowd.figures;
  std::size_t cut_off = 0;
  for (const behaviour::flow::Event& event : flow.events()) {
    if (event.what == Happening::kEntered) ++now.entered[event.index];
    if (event.what == Happening::kLeft) ++now.left[event.index];
    cut_off += event.what == Happening::kLost ? 1 : 0;
  }
  crowd.count();
  double sum = 0;
  for (const RoomCrowd::Visitor& visitor : crowd.visitors) {
    sum += occupants.entities[visitor.entity]->smooth_velocity.norm();
  }
  now.mean_speed = crowd.visitors.empty() ? 0 : sum / double(crowd.visitors.size());
  if (cut_off == 0) return;
  const std::string who = cut_off == 1 ? "1 person has" : std::to_string(cut_off) + " people have";
  events.push_back({tick_number, 0, RoomEvent::Kind::kNotice,
                    who +
                        " no way to go from where they stand: move the wall or the exit that cuts "
                        "them off"});
}

}  // namespace promenade::world
