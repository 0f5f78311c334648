// The square: faster than real time, and the same state with any number of threads.
#include "study/trial/crowd/crowd.h"

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
#include "study/trial/rig/parallel.h"
#include "world/journal/journal.h"
#include "world/run/room_runner.h"

namespace promenade::study {
namespace {

constexpr int kRounds = 5;  // rounds of latencies; their median counts

/// Latencies of a room that ran against the clock while commands came.
struct Latencies {
  std::vector<double> ms;       // of each command, in the order of the rounds
  double real_time_factor = 0;  // over the last second
  double p95(int round, int commands) const {
    const auto first = ms.begin() + std::ptrdiff_t(round) * commands;
    return percentile(std::vector<double>(first, first + commands), 95);
  }
};

// From handing a command to a running room to the snapshot that shows its effect. The command is a
// very weak push, which a snapshot shows for any character, whatever it does.
Latencies command_latencies(const std::shared_ptr<const Library>& library, int count,
                            std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  world::RunnerSettings settings;
  settings.room.threads = trial::core_count();
  settings.snapshot_hz = 30;
  world::RoomRunner runner(library, settings);
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
  Latencies out;
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
    out.ms.push_back(1e3 * std::chrono::duration<double>(shown - start).count());
  }
  out.real_time_factor = runner.stats().real_time_factor;
  runner.stop();
  return out;
}

/// A command that is never seen fails the row, and so does a room that is late for the clock: what
/// it shows in time would be of another speed.
ReportRow latency_row(const Latencies& latencies, int commands) {
  constexpr double kAsked = 120, kInTime = 0.95;  // ms, x real time
  ReportRow row;
  row.id = "latency-room";
  row.source = "not claimed";
  row.asked = kAsked;
  row.unit = "ms";
  row.claim = formatted(
      "from the queue of a running square to the snapshot at 30 Hz that shows a command: median "
      "of the p95 of %d rounds of %d commands; no socket, no page",
      kRounds, commands);
  if (int(latencies.ms.size()) < kRounds * commands) {
    row.got = formatted("command %zu not seen within 5 s", latencies.ms.size() + 1);
    return row;
  }
  std::vector<double> rounds;
  rounds.reserve(kRounds);
  for (int round = 0; round < kRounds; ++round) rounds.push_back(latencies.p95(round, commands));
  row.claim += formatted("; worst round %.0f ms; the room ran at %.2f x real time",
                         percentile(rounds, 100), latencies.real_time_factor);
  row.got = median(rounds);
  row.holds = median(rounds) <= kAsked && latencies.real_time_factor >= kInTime;
  return row;
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
    Latencies latencies;
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
  const int commands = plan.amount(40, 10);  // a round
  plan.job_alone("square, commands to a running room", [=, seed = plan.options.seed] {
    out->latencies = command_latencies(library, kRounds * commands, seed);
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

    rows.push_back(latency_row(out->latencies, commands));
    notes += formatted("The square: %d falls, %d quarantines in %.0f s; state hash %s.\n",
                       out->first.falls, out->first.quarantines, seconds,
                       world::format_hash(out->first.hash).c_str());
    notes +=
        "The way of a command through socket and page is measured by the tests of the page "
        "(tests/web).\n";
  });
}

}  // namespace promenade::study
