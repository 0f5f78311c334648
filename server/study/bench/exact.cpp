// Figures that are exact: memory, allocations, the same state with any number of threads.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <stdexcept>

#include "study/bench/allocation_counter.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"
#include "study/trial/rig/scratch_directory.h"
#include "world/journal/journal_writer.h"
#include "world/journal/replay.h"

namespace promenade::study {
namespace {

// The state hash of the square after commands of several kinds at fixed ticks.
std::uint64_t commanded_square(std::shared_ptr<const Library> library, double seconds, int threads,
                               const std::filesystem::path& journal_path) {
  world::RoomSettings settings;
  settings.scene = "square";
  settings.threads = threads;
  const std::uint64_t digest = library->digest();
  world::Room room(std::move(library), settings);
  world::JournalWriter journal(journal_path, room.settings(), digest);
  room.set_command_sink(
      [&](std::uint64_t tick, const world::Command& command) { journal.add(tick, command); });
  const auto ticks = std::uint64_t(std::llround(seconds / room.tick_seconds()));
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    const auto who = world::CharacterId(1 + tick / 97 % 24);
    if (tick % 97 == 40) {
      room.apply(world::Push{who, "torso", Vec3::Zero(), Vec3(0, 250, 0), 0.1});
    }
    if (tick % 97 == 60) room.apply(world::SetVelocity{who, Vec2(0.6, 0), world::Frame::kWorld});
    if (tick % 97 == 80) room.apply(world::SetWander{who, {Vec2(0, 0), 6}});
    room.tick();
  }
  const std::uint64_t hash = room.state_hash();
  journal.close(room.tick_count(), hash);
  return hash;
}

}  // namespace

void bench_memory(BenchPlan& plan) {
  if (!plan.wants("memory-character")) return;
  plan.now("memory");
  BenchRig rig = BenchRig::crowd(plan.library, 10, 1);
  rig.warm_up(1);
  rig.run(4);
  const std::size_t few = resident_bytes();
  rig.add_walkers(*plan.library, 490);
  rig.warm_up(1);
  rig.run(4);
  const double each = double(resident_bytes() - few) / 490 / 1024;
  plan.at_most("memory-character",
               "growth of resident memory from 10 to 500 characters, each; a snapshot and a frame "
               "included",
               "", 64, each, "KB");
}

void bench_allocations(BenchPlan& plan) {
  if (!plan.wants_any({"allocations-tick", "allocations-snapshot", "allocations-frame"})) return;
  plan.now("allocations");
  constexpr int kThreads = 2;
  constexpr int kEvery = 2;  // ticks, of a frame
  const double warm = plan.amount(30.0, 10.0);
  BenchRig rig = BenchRig::crowd(plan.library, 100, kThreads);
  rig.warm_up(warm);
  rig.run(kEvery);  // buffers of snapshots and frames have grown
  stream::FrameEncoder encoder;
  encoder.encode(*rig.room().snapshot(), 1);
  const int ticks = plan.amount(1200, 300);
  std::uint64_t in_ticks = 0, in_snapshots = 0, in_frames = 0;
  int with_any = 0, steady = 0, frames = 0;
  for (int tick = 0; tick < ticks; ++tick) {
    const AllocationCounter counter;
    const bool quiet = rig.room().tick().empty();
    const std::uint64_t ticked = counter.count();
    const auto snapshot = rig.room().snapshot();
    const std::uint64_t shown = counter.count();
    const bool frame = tick % kEvery == 0;
    if (frame) encoder.encode(*snapshot, 1);
    const std::uint64_t encoded = counter.count();
    // A fall or a return makes an event with words, which allocates; such ticks do not count.
    if (!quiet) continue;
    ++steady;
    frames += frame;
    in_ticks += ticked;
    in_snapshots += shown - ticked;
    in_frames += encoded - shown;
    with_any += ticked > 0;
  }
  const std::string of =
      formatted("100 walkers with %d threads, all counted, after %.0f s", kThreads, warm);
  plan.at_most(
      "allocations-tick",
      formatted("calls of operator new in %d ticks without events of %s; %d ticks made any", steady,
                of.c_str(), with_any),
      "", 0, double(in_ticks), "calls");
  // A snapshot and a message are new each time, as viewers keep them for as long as they need.
  plan.measured("allocations-snapshot", "a snapshot of the same, mean",
                steady > 0 ? double(in_snapshots) / steady : 0, "calls");
  plan.measured("allocations-frame", "a frame of the same, mean: the message that viewers share",
                frames > 0 ? double(in_frames) / frames : 0, "calls");
}

void bench_hashes(BenchPlan& plan) {
  if (!plan.wants("hash-square")) return;
  const double seconds = plan.amount(60.0, 10.0);
  const trial::ScratchDirectory scratch;
  int equal = 0;
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 4}) {
    plan.now(formatted("square, %d threads", threads));
    const std::uint64_t hash = commanded_square(plan.library, seconds, threads,
                                                scratch.path() / formatted("%d.journal", threads));
    if (threads == 1) first = hash;
    equal += hash == first;
  }
  plan.now("square, replayed");
  const std::filesystem::path recorded[] = {scratch.path() / "1.journal"};
  const auto again = world::replay(recorded, plan.library, 2);
  if (!again) throw std::runtime_error(again.error().text());
  equal += again->equal && again->hash == first;
  plan.at_least("hash-square",
                formatted("state hash after %.0f s of square with %zu commands, with 1, 2 and 4 "
                          "threads and replayed from its journal with 2: equal (%s)",
                          seconds, again->commands, world::format_hash(first).c_str()),
                "", 4, equal, "of 4");
}

}  // namespace promenade::study
