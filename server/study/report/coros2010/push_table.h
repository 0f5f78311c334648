#pragma once

#include <memory>
#include <string>
#include <vector>

#include "study/report/plan.h"
#include "study/trial/walk/pushes.h"

namespace promenade::study {

inline constexpr int kPushDirections = 16;
/// N, of the tables that compare steps.
inline constexpr double kTableForces[] = {200, 400, 600, 800, 1000, 1200};

/// Outcomes of pushes of one force: at some phases in each of 16 directions, which count from
/// forward to the left.
struct Survivors {
  double force = 0;       // N
  int phases = 1;         // in a direction
  bool standing = false;  // pushed while standing: counted where it is quiet again
  std::vector<trial::PushOutcome> outcomes;  // [direction * phases]
  /// How many of one direction are up, or, where standing, recovered.
  int in(int direction) const;
  double weakest() const;         // %, of the direction with the fewest
  double up_rate() const;         // %
  double recovered_rate() const;  // %
};

/// Adds the pushes to a plan. Seeds, and so phases, are the same for every force and walker, so
/// that tables can be compared cell by cell. With `standing`, recovered means standing still again.
std::shared_ptr<Survivors> plan_survivors(ReportPlan& plan, const trial::Walker& walker,
                                          double force, int phases, bool standing = false);

/// A table of survivors: a column for each force, a row for each direction.
std::string polar_table(const std::vector<std::shared_ptr<Survivors>>& forces);

/// For each direction the force up to which nine of ten stay up, between the forces of the table;
/// the least of them, N. @pre ascending forces
double weakest_force(const std::vector<std::shared_ptr<Survivors>>& forces);

}  // namespace promenade::study
