#include "service/serve/room_maker.h"

#include <spdlog/spdlog.h>

#include <functional>
#include <utility>

#include "isolation/remote_runner.h"
#include "world/crowd/gaits.h"
#include "world/run/room_runner.h"

namespace promenade::service {
namespace {

// The share of a room's making that its gaits take; the rest is for its bodies.
constexpr double kShareOfGaits = 0.95;

/// Makes what runs a room: in this process, or with --isolate in one of its own. Before that the
/// people of its scene are known, so that the room does not measure how they walk one by one.
/// @param tell  of the gaits
std::unique_ptr<world::Runner> make_runner(const HouseSettings& house,
                                           const std::shared_ptr<const Library>& library,
                                           const v1::RoomSpec& spec,
                                           const world::RunnerSettings& settings,
                                           world::GaitProgress tell) {
  if (!house.config.isolate) {
    const auto scene = library->find_scene(spec.scene());
    const std::size_t before = world::gaits_measured(*library);
    if (scene && !world::know_gaits(*library, world::gaits_of(*scene, *library),
                                    settings.room.threads, tell)) {
      throw world::RoomError("it is not wanted any more");
    }
    if (const std::size_t count = world::gaits_measured(*library) - before; count > 0) {
      spdlog::info("room {}: {}", spec.id(), world::gaits_note(count));
    }
    return std::make_unique<world::RoomRunner>(library, settings);
  }
  isolation::IsolationSettings own = isolation_settings_of(house.config, house.data_dir);
  own.making = std::move(tell);
  own.tell = [id = spec.id()](const std::string& text) { spdlog::warn("room {}: {}", id, text); };
  own.note = [id = spec.id()](const std::string& text) { spdlog::info("room {}: {}", id, text); };
  return std::make_unique<isolation::RemoteRunner>(library, settings, std::move(own));
}

}  // namespace

std::shared_ptr<RoomHost> make_room(const HouseSettings& house, Rooms& rooms,
                                    const v1::RoomSpec& spec, const std::string& why_here,
                                    net::Server& server) {
  world::RunnerSettings settings = runner_settings_of(house.config, {spec.id(), spec.scene()});
  settings.side = house.side;
  if (spec.max_characters() > 0) {
    settings.room.max_characters = static_cast<int>(spec.max_characters());
  }
  const auto tell = [&rooms, id = spec.id()](double share, const std::string& doing) {
    return rooms.tell(id, kShareOfGaits * share, doing);
  };
  auto room = std::make_shared<RoomHost>(
      spec.id(), rooms.library(), settings,
      make_runner(house, rooms.library(), spec, settings, tell),
      [&server](std::function<void()> work) { server.post(std::move(work)); });
  room->set_spec(spec);
  for (const std::string& loss : room->losses()) spdlog::warn("room {}: {}", spec.id(), loss);
  for (const std::string& note : room->notes()) spdlog::info("room {}: {}", spec.id(), note);
  const world::Snapshot& snapshot = room->current()->snapshot();
  spdlog::info("room {}: scene {}, {} characters; {}", spec.id(), snapshot.roster->scene,
               snapshot.characters.size(), why_here);
  return room;
}

}  // namespace promenade::service
