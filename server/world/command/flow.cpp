// The command set_flow.
#include "promenade/v1/command.pb.h"
#include "world/beside/preparation.h"
#include "world/command/applier.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

constexpr int kMostPieces = 400;  // of walls: the cost of routes grows faster than their number

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

/// The flow that lets the people out that are there: nobody comes in, there is nothing to do.
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

using MadeFlow = std::variant<SceneFlow, CommandError>;

/// @param ways  whether all of its routes are found at once
MadeFlow make(const Library& library, const Scene& scene, const v1::CrowdFlow& message,
              std::uint64_t seed, bool ways) {
  MadeFlow out = flow_for(library, scene, message, seed, "set_flow");
  if (auto* made = std::get_if<SceneFlow>(&out); made && ways) find_all_ways(made->crowd);
  return out;
}

/// Another flow in place of the present one.
std::shared_ptr<const v1::CrowdFlow> flow_wanted(const SetFlow& c, Applier& applier) {
  if (c.flow->ByteSizeLong() > 0) return c.flow;
  const auto& before = applier.room.crowd.given().message;
  if (before) return std::make_shared<const v1::CrowdFlow>(closing(*before));
  applier.error(CommandError::Code::kUnsupported, "set_flow.flow", "empty",
                "entrances and exits: nobody comes and goes here whose flow could end");
  return nullptr;
}

void prepare(const SetFlow& c, Applier& applier, Preparation& out) {
  const auto& room = applier.room;
  const auto wanted = flow_wanted(c, applier);
  if (!wanted) return;
  out.made.flow_scene = room.scene;
  out.need("finding the ways", [&out, library = room.library, scene = room.scene, wanted,
                                seed = room.settings.seed, detail = room.levels.in_physics()] {
    out.made.flow = make(*library, *scene, *wanted, seed, true);
    const auto* flow = std::get_if<SceneFlow>(&*out.made.flow);
    if (!flow) return;
    // Before this, nobody knows which people are its own.
    const bool light = flow->mix.family && flow->mix.family->light;
    if (light || detail > 0) out.need_gaits(flow->mix, flow->crowd.plan->most_people);
  });
}

void apply(const SetFlow& c, Applier& applier) {
  auto& room = applier.room;
  const auto wanted = flow_wanted(c, applier);
  if (!wanted) return;
  MadeFlow made;
  if (applier.prepared && applier.prepared->made.flow) {
    made = *std::exchange(applier.prepared->made.flow, std::nullopt);
  } else {
    made = make(*room.library, *room.scene, *wanted, room.settings.seed, false);
  }
  if (auto* wrong = std::get_if<CommandError>(&made)) {
    applier.result.error = std::move(*wrong);
    return;
  }
  room.set_flow(std::get<SceneFlow>(std::move(made)));
}

}  // namespace

CommandKinds flow_kinds() {
  static const CommandKind kinds[] = {
      prepared<SetFlow, prepare>(describe<SetFlow, v1::SetFlow, parse, write, apply>()),
  };
  return kinds;
}

}  // namespace promenade::world
