// A heap of things dropped on the ground: how long until it sleeps, what that costs, and how far
// its things are in each other then.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/random.h"
#include "math/rotation.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"

namespace promenade::study {
namespace {

constexpr double kMostOverlap = 5;  // mm

/// A heap that was dropped and watched until all of it slept, or for the time allowed.
struct Dropped {
  double simulated = 0, cpu = 0;  // s
  int asleep = 0;
  double overlap = 0;  // mm, the deepest of all contacts at the end
};

/// Drops things of all sizes in turn from above a disc, with every attitude.
void drop(world::Room& room, int count, std::uint64_t seed) {
  const char* const kinds[] = {"crate", "ball", "barrel", "plank", "domino"};
  constexpr double kRadius = 2.5;                             // m, of the disc
  constexpr double kLowest = 0.6, kLayer = 0.7, kJump = 0.3;  // m, heights
  constexpr int kInLayer = 16;
  Random random = Random::stream(seed, 77);
  for (int i = 0; i < count; ++i) {
    world::SpawnThing spawn;
    spawn.thing = kinds[std::size_t(i) % std::size(kinds)];
    const double angle = random.uniform(-kPi, kPi), out = kRadius * std::sqrt(random.uniform());
    const double height = kLowest + kLayer * (i / kInLayer) + kJump * random.uniform();
    spawn.position = Vec3(out * std::cos(angle), out * std::sin(angle), height);
    spawn.yaw = random.uniform(-kPi, kPi);
    spawn.pitch = random.uniform(-1.5, 1.5);
    spawn.roll = random.uniform(-kPi, kPi);
    const world::CommandResult result = room.apply(spawn);
    if (result.error) throw std::runtime_error("heap-300: " + result.error->message);
  }
}

Dropped watch(std::shared_ptr<const Library> library, int count, std::uint64_t seed, double most) {
  world::RoomSettings settings;
  settings.scene = "one";
  settings.threads = 1;
  world::Room room(std::move(library), settings);
  auto now = room.snapshot();
  for (const auto& one : now->characters) room.apply(world::Remove{one.id});
  drop(room, count, seed);
  Dropped heap;
  const double start = thread_cpu_s();
  while (heap.simulated < most && heap.asleep < count) {
    room.tick();
    heap.simulated += room.tick_seconds();
    now = room.snapshot();
    heap.asleep = int(std::count_if(now->things.begin(), now->things.end(),
                                    [](const auto& thing) { return thing.asleep; }));
  }
  heap.cpu = thread_cpu_s() - start;
  for (const auto& thing : now->things) {
    for (const auto& point : room.body_for_test(thing.id)->contacts()) {
      heap.overlap = std::max(heap.overlap, 1e3 * point.depth);
    }
  }
  return heap;
}

}  // namespace

void bench_heaps(BenchPlan& plan) {
  if (!plan.wants_any({"heap-300", "heap-300-asleep", "heap-300-overlap"})) return;
  constexpr int kThings = 300;
  const double most = plan.amount(60.0, 20.0);
  Dropped all;
  double longest = 0;
  std::string each;
  int least = kThings;
  for (const std::uint64_t seed : {11, 12, 13}) {
    plan.now(formatted("a heap of %d, seed %d", kThings, int(seed)));
    const Dropped heap = watch(plan.library, kThings, seed, most);
    all.simulated += heap.simulated;
    all.cpu += heap.cpu;
    all.overlap = std::max(all.overlap, heap.overlap);
    least = std::min(least, heap.asleep);
    longest = std::max(longest, heap.simulated);
    each += formatted("%s%d of %d after %.1f s at %.1f x", each.empty() ? "" : ", ", heap.asleep,
                      kThings, heap.simulated, heap.cpu > 0 ? heap.simulated / heap.cpu : 0);
  }
  plan.at_least("heap-300",
                formatted("%d things dropped on a heap, 3 seeds, one thread, by CPU time until all "
                          "sleep or %.0f s have passed; asleep: %s",
                          kThings, most, each.c_str()),
                "", 1, all.cpu > 0 ? all.simulated / all.cpu : 0, "x real time");
  plan.measured("heap-300-asleep",
                formatted("the same: time until the last sleeps, the longest of the seeds; at "
                          "least %d of %d sleep after %.0f s",
                          least, kThings, most),
                longest, "s");
  plan.at_most("heap-300-overlap", "the same: the deepest overlap at the end", "", kMostOverlap,
               all.overlap, "mm");
}

}  // namespace promenade::study
