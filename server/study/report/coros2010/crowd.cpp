// The square: faster than real time, and the same state with any number of threads.
#include "study/trial/crowd.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "math/random.h"
#include "math/statistics.h"
#include "stream/frame.h"
#include "study/report/plan.h"
#include "study/trial/parallel.h"
#include "world/journal/journal.h"
#include "world/room_runner.h"

namespace promenade::study {
namespace {

// Milliseconds from handing a command to a running room to the snapshot that shows its effect. The
// command is a very weak push, which a snapshot shows for any character, whatever it does.
std::vector<double> command_latencies(std::shared_ptr<const Library> library, int count,
                                      std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  world::RunnerSettings settings;
  settings.room.threads = trial::core_count();
  settings.snapshot_hz = 30;
  world::RoomRunner runner(std::move(library), settings);
  std::mutex mutex;
  std::condition_variable seen;
  world::CharacterId who = 0;
  double wanted = 0;  // N
  bool waiting = false;
  Clock::time_point shown;
  runner.on_snapshot([&](const std::shared_ptr<const world::Snapshot>& snapshot) {
    const std::lock_guard lock(mutex);
    if (!waiting) return;
    for (const world::CharacterSnapshot& character : snapshot->characters) {
      if (character.id != who || std::abs(character.push_force.x() - wanted) > 1e-9) continue;
      shown = Clock::now();
      waiting = false;
      seen.notify_one();
    }
  });
  runner.start();
  Random random(seed);
  std::vector<double> latencies;
  for (int i = 0; i < count; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(int(random.uniform(2e4, 8e4))));
    const auto snapshot = runner.latest();
    const auto& characters = snapshot->characters;
    std::unique_lock lock(mutex);
    who = characters[random.below(characters.size())].id;
    wanted = random.uniform(0.1, 1);
    waiting = true;
    const auto start = Clock::now();
    lock.unlock();
    runner.submit(world::Push{who, "torso", Vec3::Zero(), Vec3(wanted, 0, 0), 0.5});
    lock.lock();
    if (!seen.wait_for(lock, std::chrono::seconds(5), [&] { return !waiting; })) break;
    latencies.push_back(1e3 * std::chrono::duration<double>(shown - start).count());
  }
  runner.stop();
  return latencies;
}

}  // namespace

void plan_crowd(ReportPlan& plan) {
  if (!plan.wants("square-real-time") && !plan.wants("square-hash") &&
      !plan.wants("latency-room")) {
    return;
  }
  const double seconds = plan.amount(60.0, 10.0);
  struct Outcome {
    trial::CrowdRun first, second, threaded;
    std::vector<double> latencies;
  };
  auto out = std::make_shared<Outcome>();
  const auto library = plan.library;
  plan.job([=] { out->first = trial::run_crowd(library, "square", seconds, 1, 0); });
  plan.job([=] { out->second = trial::run_crowd(library, "square", seconds, 1, 0); });
  plan.job_alone("square, as fast as it goes", [=] {
    stream::FrameEncoder encoder;
    std::size_t bytes = 0;
    out->threaded = trial::run_crowd(
        library, "square", seconds, 2, 0,
        [&](const world::Snapshot& snapshot) { bytes += encoder.encode(snapshot, 1).size(); });
  });
  const int commands = plan.amount(100, 30);
  plan.job_alone("square, commands to a running room", [=, seed = plan.options.seed] {
    out->latencies = command_latencies(library, commands, seed);
  });
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    ReportRow row;
    row.id = "square-real-time";
    row.claim = formatted(
        "24 bipeds strolling for %.0f s, 2 threads, snapshots encoded at 30 Hz for a viewer",
        seconds);
    row.source = "16 dancers, 10 times slower than real time";
    row.asked = 1.0;
    row.got = out->threaded.real_time_factor;
    row.unit = "x real time";
    row.holds = out->threaded.real_time_factor >= 1.0;
    rows.push_back(row);

    const bool twice = out->first.hash == out->second.hash;
    const bool threads = out->first.hash == out->threaded.hash;
    row.id = "square-hash";
    row.claim =
        formatted("state hash of %.0f s, twice, and with 1 and 2 threads: equal runs", seconds);
    row.source = "not claimed";
    row.asked = 3.0;
    row.got = double(1 + twice + threads);
    row.unit = "of 3";
    row.holds = twice && threads;
    rows.push_back(row);

    row.id = "latency-room";
    row.claim = formatted(
        "p95 of %d commands, from the queue of a running square to the snapshot at 30 Hz that "
        "shows them; no socket, no page",
        commands);
    row.source = "not claimed";
    row.asked = 120.0;
    row.got = percentile(out->latencies, 95);
    row.unit = "ms";
    row.holds = int(out->latencies.size()) == commands && percentile(out->latencies, 95) <= 120;
    if (int(out->latencies.size()) < commands) {
      row.got = formatted("command %zu not seen within 5 s", out->latencies.size() + 1);
    }
    rows.push_back(row);
    notes += formatted("The square: %d falls, %d quarantines in %.0f s; state hash %s.\n",
                       out->first.falls, out->first.quarantines, seconds,
                       world::format_hash(out->first.hash).c_str());
    notes +=
        "The way of a command through socket and page is measured by the tests of the page "
        "(tests/web).\n";
  });
}

}  // namespace promenade::study
