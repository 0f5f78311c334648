#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "study/report/table.h"
#include "world/library/library.h"

namespace promenade::study {

/// The fine step that the shipped one is compared with: 0.5 ms.
inline constexpr double kFineHz = 2000;

/// Input of the benchmarks, and the rows and notes that they add.
struct BenchPlan {
  std::shared_ptr<const Library> library;
  bool quick = false;
  int threads = 1;                  // of the rooms in the table and of the square
  std::vector<std::string> only{};  // patterns of ids; empty: all
  std::vector<ReportRow> rows{};
  std::string notes{};  // tables under the rows
  std::function<void(const std::string& what)> now = [](const std::string&) {};

  bool wants(const std::string& id) const;
  bool wants_any(std::initializer_list<const char*> ids) const;
  /// `quick` gives the second.
  template <typename T>
  T amount(T usual, T quick_one) const {
    return quick ? quick_one : usual;
  }
  /// A row that holds from `asked` on.
  void at_least(std::string id, std::string claim, std::string source, double asked, double got,
                std::string unit);
  /// A row that holds up to `asked`.
  void at_most(std::string id, std::string claim, std::string source, double asked, double got,
               std::string unit);
  /// A row without a requirement: a figure to be read and compared.
  void measured(std::string id, std::string claim, double got, std::string unit);
};

void bench_memory(BenchPlan& plan);       // exact.cpp; first, while the heap is small
void bench_allocations(BenchPlan& plan);  // exact.cpp
void bench_hashes(BenchPlan& plan);       // exact.cpp
void bench_walkers(BenchPlan& plan);      // speed.cpp
void bench_dancers(BenchPlan& plan);      // speed.cpp
void bench_ratios(BenchPlan& plan);       // speed.cpp
void bench_one(BenchPlan& plan);          // speed.cpp
void bench_restart(BenchPlan& plan);      // speed.cpp
void bench_bursts(BenchPlan& plan);       // bursts.cpp
void bench_heaps(BenchPlan& plan);        // heaps.cpp
void bench_avoidance(BenchPlan& plan);    // avoidance.cpp
void bench_coded(BenchPlan& plan);        // coded.cpp
void bench_light(BenchPlan& plan);        // light.cpp
void bench_square(BenchPlan& plan);       // table.cpp
void bench_table(BenchPlan& plan);        // table.cpp
void bench_steps(BenchPlan& plan);        // steps.cpp
void bench_cells(BenchPlan& plan);        // cells.cpp

/// @param data_dir  of the shipped data
void bench_tasks(BenchPlan& plan, const std::filesystem::path& data_dir);  // tasks.cpp

/// Shares of collision, contact solver and the rest (mass matrix, servos, integration) in the time
/// of physics, of walkers on level ground.
struct PhysicsShares {
  double collision = 0, solve = 0, dynamics = 0;
};
PhysicsShares physics_shares(const Library& library, double seconds);  // stages.cpp

}  // namespace promenade::study
