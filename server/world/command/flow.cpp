// The command set_flow.
#include "promenade/v1/command.pb.h"
#include "world/command/applier.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

constexpr int kMostPieces = 400;  // of walls: what their routes cost grows faster than their number

SetFlow parse(const v1::SetFlow& m, CommandChecker& check) {
  int pieces = 0;
  for (const auto& wall : m.flow().walls()) pieces += std::max(1, wall.points_m_size() / 2 - 1);
  if (pieces > kMostPieces) {
    check.fail("flow.walls", std::to_string(pieces) + " pieces altogether",
               "up to " + std::to_string(kMostPieces));
  }
  return {std::make_shared<const v1::CrowdFlow>(m.flow())};
}
void write(const SetFlow& c, v1::SetFlow& m) { *m.mutable_flow() = *c.flow; }

/// The flow that lets those out who are there: nobody comes in, and there is nothing to do.
v1::CrowdFlow closing(v1::CrowdFlow flow) {
  for (auto& entrance : *flow.mutable_entrances()) {
    entrance.clear_rates();
    entrance.add_rates();
  }
  flow.clear_places();
  flow.clear_queues();
  flow.clear_panics();
  flow.clear_gatherings();
  flow.clear_least_stops();
  flow.clear_most_stops();
  flow.clear_present_at_start();
  return flow;
}

void apply(const SetFlow& c, Applier& applier) {
  auto& room = applier.room;
  const bool ends = c.flow->ByteSizeLong() == 0;
  if (ends && !room.crowd.given.message) {
    return applier.error(CommandError::Code::kUnsupported, "set_flow.flow", "empty",
                         "entrances and exits: nobody comes and goes here whose flow could end");
  }
  auto made = room.flow_for(*room.scene, ends ? closing(*room.crowd.given.message) : *c.flow,
                            room.settings.seed, "set_flow");
  if (auto* wrong = std::get_if<CommandError>(&made)) {
    applier.result.error = std::move(*wrong);
    return;
  }
  room.set_flow(std::get<SceneFlow>(std::move(made)), room.tick_number);
}

}  // namespace

CommandKinds flow_kinds() {
  static const CommandKind kinds[] = {
      describe<SetFlow, v1::SetFlow, parse, write, apply>("set_flow"),
  };
  return kinds;
}

}  // namespace promenade::world
