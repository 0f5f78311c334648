#include "study/bench/rig.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "creature/biped/biped_names.h"
#include "math/random.h"
#include "math/rotation.h"
#include "math/statistics.h"
#include "study/report/table.h"
#include "study/trial/rig/parallel.h"

namespace promenade::study {
namespace {

constexpr int kViewerHz = 30;
constexpr double kSpacing = 4;      // m between walkers
constexpr double kRadius = 1.4;     // m, radius of the round that each walks
constexpr int kCorners = 8;         // corners of a round
constexpr int kMostWalkers = 1000;  // walkers that the grid has places for

double clock_s(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

world::RoomSettings settings_of(const std::string& scene, int threads) {
  world::RoomSettings settings;
  settings.scene = scene;
  settings.threads = threads;
  return settings;
}

}  // namespace

double wall_s() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}
double process_cpu_s() { return clock_s(CLOCK_PROCESS_CPUTIME_ID); }

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * std::size_t(sysconf(_SC_PAGESIZE));
}

BenchRig::BenchRig(std::shared_ptr<const Library> library, const std::string& scene, int threads)
    : room_(std::make_unique<world::Room>(std::move(library), settings_of(scene, threads))) {
  every_ = std::max<long long>(1, std::llround(1 / (kViewerHz * room_->tick_seconds())));
}

BenchRig BenchRig::crowd(const std::shared_ptr<const Library>& library, int count, int threads) {
  BenchRig rig(library, "one", threads);
  const auto before = rig.room_->snapshot();
  for (const auto& character : before->characters) {
    rig.room_->apply(world::Remove{character.id});
  }
  rig.add_walkers(*library, count);
  return rig;
}

CrowdWalker crowd_walker(const Library& library, int i) {
  const auto bodies = biped_names(library.bodies());
  const auto& styles = library.styles().names();
  const int side = int(std::ceil(std::sqrt(double(kMostWalkers))));
  const auto k = std::size_t(i);
  CrowdWalker out{};
  out.spawn.body = bodies[k % bodies.size()];
  out.spawn.style = styles[(k + k / bodies.size()) % styles.size()];
  const int column = i % side, row = i / side;
  const Vec2 place = kSpacing * Vec2(column - 0.5 * side, row - 0.5 * side);
  out.spawn.position = place;
  out.spawn.heading = wrap_angle(2.4 * i);  // rad, the golden angle: headings spread evenly
  for (int corner = 0; corner < kCorners; ++corner) {
    const double angle = out.spawn.heading + corner * kTwoPi / kCorners;
    out.round.order.points.push_back(place + kRadius * Vec2(std::cos(angle), std::sin(angle)));
  }
  out.round.order.closed = true;
  return out;
}

std::unique_ptr<world::Room> light_crowd(const std::shared_ptr<const Library>& library, int count,
                                         int threads, int more) {
  world::RoomSettings settings;
  settings.scene = "one";
  settings.threads = threads;
  settings.max_characters = count + more + 1;
  auto room = std::make_unique<world::Room>(library, settings);
  const auto before = room->snapshot();
  for (const auto& one : before->characters) room->apply(world::Remove{one.id});
  const auto done = [](const world::CommandResult& result) {
    if (result.error) throw std::runtime_error(result.error->message);
    return result.character;
  };
  const char* const bodies[] = {"human", "child", "athlete"};
  const char* const styles[] = {"normal", "stroll"};
  Random random(5);
  const int side = int(std::ceil(std::sqrt(double(count))));
  for (int i = 0; i < count; ++i) {
    world::Spawn spawn{};
    spawn.body = bodies[i % 3];
    spawn.style = styles[i % 2];
    spawn.controller = "pendulum";
    const int column = i % side, row = i / side;
    const Vec2 place = 2 * Vec2(column - 0.5 * side, row - 0.5 * side);
    spawn.position = place;
    spawn.heading = random.uniform(-kPi, kPi);
    world::FollowPath round{};
    const double radius = random.uniform(2, 8);
    for (int corner = 0; corner < 12; ++corner) {
      const double angle = spawn.heading + corner * kTwoPi / 12;
      round.order.points.push_back(place + radius * Vec2(std::cos(angle), std::sin(angle)));
    }
    round.order.closed = true;
    round.character = done(room->apply(spawn));
    done(room->apply(round));
  }
  for (int tick = 0; tick < 180; ++tick) room->tick();
  return room;
}

void BenchRig::add_walkers(const Library& library, int count) {
  const auto done = [](const world::CommandResult& result) {
    if (result.error) throw std::runtime_error(result.error->message);
    return result.character;
  };
  const auto first = int(room_->character_count());
  for (int i = first; i < first + count; ++i) {
    CrowdWalker walker = crowd_walker(library, i);
    walker.round.character = done(room_->apply(walker.spawn));
    done(room_->apply(walker.round));
  }
}

void BenchRig::warm_up(double seconds) {
  const auto ticks = std::llround(seconds / room_->tick_seconds());
  for (long long i = 0; i < ticks; ++i) room_->tick();
}

void BenchRig::tick_and_show() {
  room_->tick();
  const auto snapshot = room_->snapshot();
  if (ticked_++ % every_ == 0) encoder_.encode(*snapshot, 1);
}

void BenchRig::run(int ticks) {
  for (int i = 0; i < ticks; ++i) tick_and_show();
}

std::vector<double> times_in_turn(std::span<const std::function<void()>> work, int rounds, bool cpu,
                                  double percent) {
  std::vector<std::vector<double>> times(work.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < work.size(); ++i) {
      const double start = cpu ? process_cpu_s() : wall_s();
      work[i]();
      times[i].push_back((cpu ? process_cpu_s() : wall_s()) - start);
    }
  }
  std::vector<double> out;
  out.reserve(times.size());
  for (auto& of_one : times) out.push_back(percentile(of_one, percent));
  return out;
}

BenchFigures BenchRig::measure(double seconds, double wall_limit) {
  const double dt = room_->tick_seconds();
  const auto ticks = std::llround(seconds / dt);
  BenchFigures out;
  out.characters = int(room_->character_count());
  out.threads = room_->settings().threads;
  const world::RoomTimes before = room_->times();
  std::vector<double> tick_ms, cpu_ms;
  tick_ms.reserve(std::size_t(ticks));
  cpu_ms.reserve(std::size_t(ticks));
  double bytes = 0, frames = 0, walking = 0, seen = 0;
  const double cpu = process_cpu_s(), start = wall_s();
  double mark = start, cpu_mark = thread_cpu_s();
  for (long long i = 0; i < ticks && mark - start < wall_limit; ++i) {
    for (const world::RoomEvent& event : room_->tick()) {
      out.falls += event.kind == world::RoomEvent::Kind::kFell;
    }
    const double ticked = wall_s();
    const auto snapshot = room_->snapshot();
    const double looked = wall_s();
    out.snapshot += looked - ticked;
    if (ticked_++ % every_ == 0) {
      const std::string frame = encoder_.encode(*snapshot, 1);
      out.encode += wall_s() - looked;
      out.largest_frame = std::max(out.largest_frame, frame.size());
      bytes += double(frame.size());
      ++frames;
      for (const world::CharacterSnapshot& character : snapshot->characters) {
        walking += !(character.flags &
                     (world::kFlagStanding | world::kFlagFallen | world::kFlagQuarantined));
        ++seen;
      }
    }
    const double end = wall_s(), cpu_end = thread_cpu_s();
    tick_ms.push_back(1e3 * (end - mark));
    cpu_ms.push_back(1e3 * (cpu_end - cpu_mark));
    mark = end;
    cpu_mark = cpu_end;
  }
  out.cpu = process_cpu_s() - cpu;
  out.wall = mark - start;
  out.simulated = double(tick_ms.size()) * dt;
  out.tick_p50 = percentile(tick_ms, 50);
  out.tick_p99 = percentile(tick_ms, 99);
  out.cpu_p50 = percentile(cpu_ms, 50);
  out.cpu_p99 = percentile(cpu_ms, 99);
  out.walking = seen > 0 ? walking / seen : 0;
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
  const int cores = trial::core_count();
  return formatted("%d core%s of %s", cores, cores == 1 ? "" : "s", model.c_str());
}

}  // namespace promenade::study
