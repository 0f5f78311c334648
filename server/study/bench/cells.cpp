// The push table at the shipped step of physics against that at a fine one, cell by cell: the same
// pushes at both, until the difference of each cell is known.
#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "study/bench/plan.h"
#include "study/report/coros2010/push_table.h"
#include "study/trial/rig/parallel.h"

namespace promenade::study {
namespace {

using trial::Walker;

constexpr double kAllowed = 5;  // points
constexpr double kWatch = 4;    // s after the push; none of 900 falls came later than 3.5 s
constexpr int kLeast = 60;      // pairs before a cell is judged
constexpr int kRound = 20;      // pairs of a cell between two judgements
constexpr double kSure = 2;     // standard errors
constexpr int kSides = kPushDirections / 2;

/// A cell of the table: a force and a direction, 0 forward to 8 backward. Body and walk are
/// symmetric, so the pushes of a cell go to the left and to the right in turn.
struct Cell {
  double force = 0;
  int direction = 0;
  int pairs = 0;
  int up_shipped = 0, up_fine = 0;
  int apart = 0;  // pairs of which only one is still up

  double difference() const { return 100.0 * (up_shipped - up_fine) / pairs; }
  /// Standard error of the difference, in points. It is computed with one pair apart more than were
  /// seen, as none seen in few pairs proves little.
  double error() const {
    const double mean = double(up_shipped - up_fine) / pairs;
    return 100 * std::sqrt(std::max(0.0, (apart + 1.0) / pairs - mean * mean) / pairs);
  }
  bool within() const {
    return pairs >= kLeast && std::abs(difference()) + kSure * error() <= kAllowed;
  }
  bool beyond() const {
    return pairs >= kLeast && std::abs(difference()) - kSure * error() > kAllowed;
  }
  bool open() const { return !within() && !beyond(); }
  /// Whether the cell is within the limit by the pairs so far.
  bool likely_within() const { return within() || (open() && std::abs(difference()) <= kAllowed); }
};

struct Pair {
  Cell* cell = nullptr;
  int number = 0;
  bool up[2] = {false, false};  // at the shipped step, at the fine one
};

std::string table_of(const std::vector<Cell>& cells) {
  TextTable text(
      {"force N", "degrees", "pairs", "up, %", "at 0.5 ms, %", "difference", "error", ""});
  for (const Cell& c : cells) {
    text.add({formatted("%.0f", c.force), formatted("%.1f", c.direction * 360.0 / kPushDirections),
              formatted("%d", c.pairs), formatted("%.1f", 100.0 * c.up_shipped / c.pairs),
              formatted("%.1f", 100.0 * c.up_fine / c.pairs), formatted("%+.1f", c.difference()),
              formatted("%.1f", c.error()),
              c.within()          ? "within"
              : c.beyond()        ? "beyond"
              : c.likely_within() ? "likely within"
                                  : "likely beyond"});
  }
  return text.text();
}

}  // namespace

void bench_cells(BenchPlan& plan) {
  // Only if it is asked for by name, as it takes most of an hour.
  if (plan.only.empty() || !plan.wants("push-cells-step")) return;
  const ReportPlan seeds(plan.library, ReportOptions{});
  Walker shipped = Walker::of(*plan.library, "human", "normal"), fine = shipped;
  fine.step = 1 / kFineHz;
  std::vector<Cell> cells;
  for (const double force : kTableForces) {
    for (int direction = 0; direction <= kSides; ++direction) cells.push_back({force, direction});
  }
  const int most = plan.amount(600, 60);
  for (;;) {
    std::vector<Pair> pairs;
    for (Cell& cell : cells) {
      if (!cell.open() || cell.pairs >= most) continue;
      for (int i = 0; i < kRound; ++i) pairs.push_back({&cell, cell.pairs + i});
    }
    if (pairs.empty()) break;
    const auto run = [&](int job) {
      Pair& pair = pairs[std::size_t(job / 2)];
      const int left = pair.cell->direction;
      trial::PushCase push;
      push.force = pair.cell->force;
      push.watch = kWatch;
      push.direction = (pair.number % 2 ? -left : left) * kTwoPi / kPushDirections;
      const std::uint64_t seed = seeds.seed_of("push cell", left * 4096 + pair.number);
      pair.up[job % 2] = trial::push_once(job % 2 ? fine : shipped, push, seed).up;
    };
    trial::run_parallel(int(2 * pairs.size()), 0, run, [&](int done) {
      plan.now(formatted("pushes of %zu open cells, %d of %zu", pairs.size() / kRound, done,
                         2 * pairs.size()));
    });
    for (const Pair& pair : pairs) {
      Cell& cell = *pair.cell;
      ++cell.pairs;
      cell.up_shipped += pair.up[0];
      cell.up_fine += pair.up[1];
      cell.apart += pair.up[0] != pair.up[1];
    }
  }
  const auto count = [&](bool (Cell::*is)() const) {
    return int(std::count_if(cells.begin(), cells.end(), [&](const Cell& c) { return (c.*is)(); }));
  };
  plan.notes += formatted(
      "Up after the same pushes at the shipped step and at 0.5 ms, to the left and to the right in "
      "turn; decided by two standard errors, or likely after %d pairs:\n%s\n",
      most, table_of(cells).c_str());
  const int within = count(&Cell::within), likely = count(&Cell::likely_within);
  constexpr int kProven = 50;  // cells, measured in November 2026
  plan.rows.push_back(
      {"push-cells-step",
       formatted("of %zu cells of the push table those within %.0f points of the same at 0.5 ms by "
                 "two standard errors, and none beyond; of the others %d are within by their "
                 "difference alone, %d are beyond by two standard errors",
                 cells.size(), kAllowed, likely - within, count(&Cell::beyond)),
       "", double(kProven), double(within), "cells",
       within >= kProven && likely == int(cells.size())});
}

}  // namespace promenade::study
