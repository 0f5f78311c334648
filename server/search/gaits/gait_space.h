#pragma once

#include <memory>
#include <string>
#include <vector>

#include "control/posegraph/gait.h"
#include "control/posegraph/mirror.h"
#include "promenade/v1/search.pb.h"
#include "schema/check.h"
#include "search/optimise/optimiser.h"

namespace promenade::search {

/// The gaits that are searched: the free numbers of a pose-control graph of one creature. Poses of
/// joints that are driven and belong to neither head nor tail are free, and the durations of
/// states; what follows from the symmetry is not. Source: Panne1996, "Pose-control graphs" (P_f),
/// "Gait synthesis" (symmetry)
class GaitSpace {
 public:
  /// @param search  `symmetry`, `states`, `period_s`, `reach_rad`, `from`; `check` gets its first
  /// mistake
  static GaitSpace make(const v1::GaitSearch& search, std::shared_ptr<const Creature> creature,
                        schema::Checker& check);

  int dimension() const { return int(start_.size()); }
  const Vector& start() const { return start_; }
  /// [dimension] true of durations.
  std::vector<bool> is_duration() const;
  /// [dimension] rad, m and s. Poses have four decimals and durations five, so that a file holds
  /// what was scored.
  std::vector<double> values(const Vector& places) const;
  control::posegraph::Graph graph(const Vector& places) const;
  /// The gait of a point, for a controller.
  std::shared_ptr<const control::posegraph::Gait> gait(const Vector& places) const;
  /// The same as a file. Name and words are the caller's.
  v1::Gait message(const Vector& places) const;

  const Creature& creature() const { return *creature_; }
  control::posegraph::Symmetry symmetry() const { return symmetry_; }
  double period() const { return period_; }  // s, of a stride at the start

  static constexpr double kFaster = 0.4, kSlower = 2.5;  // durations over that of the start

 private:
  /// A free coordinate of a joint, in one state.
  struct Angle {
    int state = 0, link = 0, coordinate = 0;
    double low = 0, high = 1;  // rad or m
  };
  void find_angles(double reach);
  void begin_at(const control::posegraph::Graph& graph);
  int free_states() const;
  void complete(std::vector<control::posegraph::State>& cycle) const;

  std::shared_ptr<const Creature> creature_;
  control::posegraph::Symmetry symmetry_ = control::posegraph::Symmetry::kNone;
  control::posegraph::Mirror mirror_;
  int states_ = 4;
  double period_ = 1;
  std::vector<Angle> angles_;  // then the durations of the free states
  Vector start_;
};

}  // namespace promenade::search
