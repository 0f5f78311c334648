// The cost of a walker with a task, next to one without.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "math/statistics.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"
#include "study/trial/rig/workshop.h"

namespace promenade::study {
namespace {

using behaviour::tasks::Task;
using behaviour::tasks::TaskKind;

/// CPU time of a tick of a room with one worker, s.
/// @param carries  a crate from place to place; otherwise it walks between the places
double worker_tick(const std::shared_ptr<const Library>& library, bool carries, double seconds,
                   std::uint64_t seed) {
  trial::Workshop shop(library, "human", "normal", seed);
  trial::BoxSpec box;
  box.mass = 10;
  const auto crate = shop.add(box, Vec2(2, 0), 0);
  std::vector<Task> tasks;
  const auto add = [&](TaskKind kind, const Vec2* at) {
    Task task;
    task.kind = kind;
    if (kind == TaskKind::kPickUp) task.thing = crate;
    if (at) {
      task.point.head<2>() = *at;
      task.coordinates = 2;
    }
    tasks.push_back(task);
  };
  const Vec2 there(-3, 1), aside(-1, 3), back(2, 2);
  for (int round = 0; round < 8; ++round) {
    if (carries) add(TaskKind::kPickUp, nullptr);
    add(TaskKind::kGoTo, &there);
    add(TaskKind::kGoTo, &aside);
    if (carries) {
      add(TaskKind::kPutDown, &back);
    } else {
      add(TaskKind::kGoTo, &back);
    }
  }
  int ticks = 0;
  double start = 0;
  shop.work(tasks, seconds, [&](world::Room&) {
    if (ticks++ == 0) start = thread_cpu_s();
  });
  return (thread_cpu_s() - start) / std::max(1, ticks);
}

}  // namespace

void bench_tasks(BenchPlan& plan, const std::filesystem::path& data_dir) {
  if (!plan.wants("task-cost")) return;
  plan.now("a walker with a task");
  const auto library = trial::workshop_library(data_dir);
  const int rounds = plan.amount(9, 3);
  const double seconds = plan.amount(60.0, 30.0);
  std::vector<double> ratios;
  for (int i = 0; i < rounds; ++i) {
    const double plain = worker_tick(library, false, seconds, std::uint64_t(1 + i));
    ratios.push_back(worker_tick(library, true, seconds, std::uint64_t(1 + i)) / plain);
  }
  plan.at_most("task-cost",
               formatted("CPU time of a room with one person who carries a crate to and fro over "
                         "that with one who walks between the same places; median of %d pairs",
                         rounds),
               "", 1.5, percentile(ratios, 50), "times");
}

}  // namespace promenade::study
