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

/// The things to drop: so many of these kinds in turn, from above a disc.
struct Heap {
  const char* name;  // of its rows
  const char* title;
  std::vector<const char*> kinds;
  int count;
  double radius;     // m, of the disc
  double every = 0;  // s, from one to the next, which falls from `layer`; 0: all at once, in layers
  int layer = 0;
  double most;  // s, that it may take to fall asleep
};

/// Drops thing number i of a heap, with any attitude.
void drop(world::Room& room, const Heap& heap, int i, Random& random) {
  constexpr double kLowest = 0.6, kLayer = 0.7, kJump = 0.3;  // m, heights
  constexpr int kInLayer = 16;
  const int layer = heap.every > 0 ? heap.layer : i / kInLayer;
  world::SpawnThing spawn;
  spawn.thing = heap.kinds[std::size_t(i) % heap.kinds.size()];
  const double angle = random.uniform(-kPi, kPi);
  const double out = heap.radius * std::sqrt(random.uniform());
  const double height = kLowest + kLayer * layer + kJump * random.uniform();
  spawn.position = Vec3(out * std::cos(angle), out * std::sin(angle), height);
  spawn.yaw = random.uniform(-kPi, kPi);
  spawn.pitch = random.uniform(-1.5, 1.5);
  spawn.roll = random.uniform(-kPi, kPi);
  const world::CommandResult result = room.apply(spawn);
  if (result.error) throw std::runtime_error(std::string(heap.name) + ": " + result.error->message);
}

Dropped watch(std::shared_ptr<const Library> library, const Heap& heap, std::uint64_t seed) {
  world::RoomSettings settings;
  settings.scene = "one";
  settings.threads = 1;
  world::Room room(std::move(library), settings);
  auto now = room.snapshot();
  for (const auto& one : now->characters) room.apply(world::Remove{one.id});
  Random random = Random::stream(seed, 77);
  Dropped dropped;
  int thrown = 0;
  const double start = thread_cpu_s();
  while (dropped.simulated < heap.most && dropped.asleep < heap.count) {
    while (thrown < heap.count && dropped.simulated >= thrown * heap.every) {
      drop(room, heap, thrown++, random);
    }
    room.tick();
    dropped.simulated += room.tick_seconds();
    now = room.snapshot();
    dropped.asleep = int(std::count_if(now->things.begin(), now->things.end(),
                                       [](const auto& thing) { return thing.asleep; }));
  }
  dropped.cpu = thread_cpu_s() - start;
  for (const auto& thing : now->things) {
    for (const auto& point : room.body_for_test(thing.id)->contacts()) {
      dropped.overlap = std::max(dropped.overlap, 1e3 * point.depth);
    }
  }
  return dropped;
}

void bench_heap(BenchPlan& plan, const Heap& heap) {
  const std::string asleep = std::string(heap.name) + "-asleep";
  const std::string overlap = std::string(heap.name) + "-overlap";
  if (!plan.wants_any({heap.name, asleep.c_str(), overlap.c_str()})) return;
  Dropped all;
  double longest = 0;
  std::string each;
  int least = heap.count;
  for (const std::uint64_t seed : {11, 12, 13}) {
    plan.now(formatted("a heap of %s, seed %d", heap.title, int(seed)));
    const Dropped one = watch(plan.library, heap, seed);
    all.simulated += one.simulated;
    all.cpu += one.cpu;
    all.overlap = std::max(all.overlap, one.overlap);
    least = std::min(least, one.asleep);
    longest = std::max(longest, one.simulated);
    each += formatted("%s%d of %d after %.1f s at %.1f x", each.empty() ? "" : ", ", one.asleep,
                      heap.count, one.simulated, one.cpu > 0 ? one.simulated / one.cpu : 0);
  }
  plan.at_least(heap.name,
                formatted("%s dropped on a heap, 3 seeds, one thread, by CPU time until all "
                          "sleep or %.0f s have passed; asleep: %s",
                          heap.title, heap.most, each.c_str()),
                "", 1, all.cpu > 0 ? all.simulated / all.cpu : 0, "x real time");
  plan.measured(asleep,
                formatted("the same: time until the last sleeps, the longest of the seeds; at "
                          "least %d of %d sleep after %.0f s",
                          least, heap.count, heap.most),
                longest, "s");
  plan.at_most(overlap, "the same: the deepest overlap at the end", "", kMostOverlap, all.overlap,
               "mm");
}

}  // namespace

void bench_heaps(BenchPlan& plan) {
  const double most = plan.amount(60.0, 20.0);
  bench_heap(plan, {.name = "heap-300",
                    .title = "300 things of five kinds",
                    .kinds = {"crate", "ball", "barrel", "plank", "domino"},
                    .count = 300,
                    .radius = 2.5,
                    .most = most});
  bench_heap(plan, {.name = "heap-planks",
                    .title = "100 planks",
                    .kinds = {"plank"},
                    .count = 100,
                    .radius = 1,
                    .every = 0.2,
                    .layer = 4,
                    .most = plan.amount(60.0, 40.0)});
}

}  // namespace promenade::study
