#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/posegraph/gait.h"
#include "control/posegraph/mirror.h"
#include "promenade/v1/search.pb.h"
#include "schema/check.h"
#include "search/gaits/feedback_space.h"
#include "search/optimise/optimiser.h"

namespace promenade::search {

/// The gaits that are searched: the free numbers of a pose-control graph of one creature. Poses of
/// joints that are driven and belong to neither head nor tail are free, and the durations of
/// states; what follows from the symmetry is not. Of a variant the numbers are those of its cycle,
/// and of one that leaps those of its chain. Source: Panne1996, "Pose-control graphs" (P_f), "Gait
/// synthesis" (symmetry), "Aperiodic motions" (chains)
class GaitSpace {
 public:
  /// @param search  `symmetry`, `states`, `period_s`, `reach_rad`, `from`, `part`, `use`, `size`;
  /// `check` gets its first mistake
  static GaitSpace make(const v1::GaitSearch& search, std::shared_ptr<const Creature> creature,
                        schema::Checker& check);

  int dimension() const { return int(start_.size()); }
  /// Whether the gains of a gait's feedback are searched, not its poses.
  bool feels() const { return feedback_.has_value(); }
  const Vector& start() const { return start_; }
  /// [dimension] true of durations.
  std::vector<bool> is_duration() const;
  /// [dimension] "state1.left_knee", with states from 1; "state1.hip.2" of the second coordinate of
  /// a joint with more than one; "state1.duration". @pre not feels()
  std::vector<std::string> names() const;
  /// [dimension] a number for each coordinate of a joint, the same in every state; of durations -1.
  std::vector<int> coordinates() const;
  /// Unit of a free number: "rad", "m" or "s". @pre not feels()
  const char* unit(int number) const;
  /// [dimension] rad, m and s. Poses have four decimals and durations five, so that a file holds
  /// what was scored.
  std::vector<double> values(const Vector& places) const;
  control::posegraph::Graph graph(const Vector& places) const;
  /// The gait of a point, for a controller. Of a variant it is the gait that lies between.
  /// @param weight  of the variant; above 0
  std::shared_ptr<const control::posegraph::Gait> gait(const Vector& places,
                                                       double weight = 1) const;
  /// The same as a file. Name and words are the caller's. Of a variant it is the file of its gait,
  /// with the variant in place of the first of its use (of a leap: of its size, too), and its
  /// mirror image where it has one.
  v1::Gait message(const Vector& places) const;
  /// The variant in a file that message() has made. @pre is_variant()
  v1::GaitVariant& variant_in(v1::Gait& file) const;
  /// Where a file that message() has made says which search found it.
  v1::GaitOrigin& origin_in(v1::Gait& file) const;
  /// The gait that the search began at; null: none.
  const control::posegraph::Gait* from() const { return from_.get(); }
  bool is_variant() const { return variant_; }
  bool leaps() const { return variant_ && use_ == v1::GaitVariant::LEAP; }
  /// Of a leap: its length over that of the longest. @pre leaps()
  double size() const { return size_; }

  const Creature& creature() const { return *creature_; }
  control::posegraph::Symmetry symmetry() const { return symmetry_; }
  double period() const { return period_; }  // s, of a stride or chain at the start

  /// Durations over their mean, from one end of a number's range to the other. Where a search
  /// begins at a gait of which a state is shorter or longer, its range goes a little beyond that.
  static constexpr double kFaster = 0.4, kSlower = 2.5;

 private:
  /// A free coordinate of a joint, in one state.
  struct Angle {
    int state = 0, link = 0, coordinate = 0;
    double low = 0, high = 1;  // rad or m
  };
  /// Range of a state's duration over the mean.
  struct Tempo {
    double low = kFaster, high = kSlower;
  };
  bool read_part(const v1::GaitSearch& search, schema::Checker& check);
  control::posegraph::Graph begin_of(double period, schema::Checker& check);
  void find_angles(double reach);
  /// @param widened  whether the range has the graph's own duration in it, whatever that is
  void find_tempos(const control::posegraph::Graph& graph, bool widened);
  void begin_at(const control::posegraph::Graph& graph);
  /// A state's duration over the mean.
  double ratio_in(const control::posegraph::Graph& graph, int state) const;
  int free_states() const;
  const std::vector<control::posegraph::State>& part_of(
      const control::posegraph::Graph& graph) const {
    return leaps() ? graph.chain : graph.cycle;
  }
  void complete(std::vector<control::posegraph::State>& cycle) const;

  std::shared_ptr<const Creature> creature_;
  control::posegraph::Symmetry symmetry_ = control::posegraph::Symmetry::kNone;
  control::posegraph::Mirror mirror_;
  std::shared_ptr<const control::posegraph::Gait> from_;
  std::optional<FeedbackSpace> feedback_;
  bool variant_ = false;
  v1::GaitVariant::Use use_ = v1::GaitVariant::MIX;
  double size_ = 1;  // of a leap, over the longest
  int states_ = 4;   // of the part that is searched
  double period_ = 1;
  std::vector<Angle> angles_;  // then the durations of the free states
  std::vector<Tempo> tempos_;  // [free_states()]
  Vector start_;
};

}  // namespace promenade::search
