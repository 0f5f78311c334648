#include "app/bench_rig.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

#include "app/report_table.h"
#include "math/rotation.h"
#include "math/statistics.h"
#include "stream/frame.h"
#include "synthesis/parallel.h"

namespace promenade::app {
namespace {

constexpr int kViewerHz = 30;
constexpr double kSpacing = 3;  // m

double now_s() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

// CPU seconds of this process so far, all threads: unlike wall clock, the same on a busy machine.
double cpu_s() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

world::RoomSettings settings_of(const std::string& scene, int threads) {
  world::RoomSettings settings;
  settings.scene = scene;
  settings.threads = threads;
  return settings;
}

}  // namespace

BenchRig::BenchRig(std::shared_ptr<const Library> library, const std::string& scene, int threads)
    : room_(std::make_unique<world::Room>(std::move(library), settings_of(scene, threads))) {}

BenchRig BenchRig::crowd(std::shared_ptr<const Library> library, int count, int threads) {
  const auto& bodies = library->bodies().names();
  const auto& styles = library->styles().names();
  BenchRig rig(library, "one", threads);
  const auto before = rig.room_->snapshot();
  for (const auto& character : before->characters) {
    rig.room_->apply(world::Remove{character.id});
  }
  const int side = int(std::ceil(std::sqrt(double(count))));
  for (int i = 0; i < count; ++i) {
    world::Spawn spawn;
    const auto k = std::size_t(i);
    spawn.body = bodies[k % bodies.size()];
    spawn.style = styles[(k + k / bodies.size()) % styles.size()];
    spawn.position = kSpacing * Vec2(i % side - 0.5 * side, i / side - 0.5 * side);
    spawn.heading = wrap_angle(2.4 * i);  // the golden angle: all ways
    spawn.wander = true;
    const world::CommandResult result = rig.room_->apply(spawn);
    if (result.error) throw std::runtime_error(result.error->message);
  }
  return rig;
}

void BenchRig::warm_up(double seconds) {
  const auto ticks = std::llround(seconds / room_->tick_seconds());
  for (long long i = 0; i < ticks; ++i) room_->tick();
}

BenchFigures BenchRig::measure(double seconds, double wall_limit) {
  const double dt = room_->tick_seconds();
  const auto ticks = std::llround(seconds / dt);
  const auto every = std::max<long long>(1, std::llround(1 / (kViewerHz * dt)));
  BenchFigures out;
  out.characters = int(room_->character_count());
  out.threads = room_->settings().threads;
  const world::RoomTimes before = room_->times();
  stream::FrameEncoder encoder;
  std::vector<double> tick_ms;
  tick_ms.reserve(std::size_t(ticks));
  double bytes = 0, frames = 0;
  const double cpu = cpu_s(), start = now_s();
  double mark = start;
  for (long long i = 0; i < ticks && mark - start < wall_limit; ++i) {
    for (const world::RoomEvent& event : room_->tick()) {
      out.falls += event.kind == world::RoomEvent::Kind::kFell;
    }
    const double ticked = now_s();
    const auto snapshot = room_->snapshot();
    const double looked = now_s();
    out.snapshot += looked - ticked;
    if (i % every == 0) {
      const std::string frame = encoder.encode(*snapshot, 1);
      out.encode += now_s() - looked;
      out.largest_frame = std::max(out.largest_frame, frame.size());
      bytes += double(frame.size());
      ++frames;
    }
    const double end = now_s();
    tick_ms.push_back(1e3 * (end - mark));
    mark = end;
  }
  out.cpu = cpu_s() - cpu;
  out.wall = mark - start;
  out.simulated = double(tick_ms.size()) * dt;
  out.tick_p50 = percentile(tick_ms, 50);
  out.tick_p99 = percentile(tick_ms, 99);
  const world::RoomTimes after = room_->times();
  out.behaviour = after.behaviour - before.behaviour;
  out.control = after.control - before.control;
  out.physics = after.physics - before.physics;
  if (frames > 0 && out.characters > 0) {
    out.bytes_per_character_frame = bytes / frames / out.characters;
  }
  return out;
}

std::string machine_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string line, model = "an unnamed processor";
  while (std::getline(info, line)) {
    const auto colon = line.find(':');
    if (line.rfind("model name", 0) != 0 || colon == std::string::npos) continue;
    model = line.substr(std::min(line.size(), colon + 2));
    break;
  }
  const int cores = synthesis::core_count();
  return formatted("%d core%s of %s", cores, cores == 1 ? "" : "s", model.c_str());
}

}  // namespace promenade::app
