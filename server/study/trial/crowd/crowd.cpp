#include "study/trial/crowd/crowd.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace promenade::trial {

CrowdRun run_crowd(std::shared_ptr<const Library> library, const std::string& scene, double seconds,
                   int threads, std::uint64_t seed,
                   const std::function<void(const world::Snapshot&)>& shown, double shown_hz,
                   const std::function<void(double)>& tick_done) {
  world::RoomSettings settings;
  settings.scene = scene;
  settings.seed = seed;
  settings.threads = threads;
  world::Room room(std::move(library), settings);
  const double dt = room.tick_seconds();
  const auto ticks = static_cast<std::uint64_t>(std::llround(seconds / dt));
  const auto every =
      static_cast<std::uint64_t>(std::max<long long>(1, std::llround(1 / (shown_hz * dt))));
  CrowdRun result;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    for (const world::RoomEvent& event : room.tick()) {
      result.falls += event.kind == world::RoomEvent::Kind::kFell;
      result.quarantines += event.kind == world::RoomEvent::Kind::kQuarantined;
    }
    if (shown && tick % every == 0) shown(*room.snapshot());
    if (tick_done) tick_done(double(tick + 1) * dt);
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  result.wall_seconds = wall.count();
  result.real_time_factor = wall.count() > 0 ? double(ticks) * dt / wall.count() : 0;
  result.hash = room.state_hash();
  return result;
}

}  // namespace promenade::trial
