#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "promenade/v1/search.pb.h"
#include "schema/error.h"
#include "schema/message.h"
#include "search/walking/figures.h"
#include "search/walking/parameter_vector.h"
#include "study/trial/rig/rollout.h"
#include "world/library/library.h"

namespace promenade::search {

/// The demand on a figure.
struct Term {
  enum class Want { kTarget, kAtLeast, kAtMost };

  const Figure* figure = nullptr;
  Want want = Want::kTarget;
  double wanted = 0;  // in the figure's unit
  double scale = 1;   // in the figure's unit
  double weight = 1;

  /// How far a value is off what is wanted, squared, over scale squared; 0 where it is as wanted.
  double deviation(double value) const;
};

/// The result of one run for one term.
struct TermOfRun {
  bool has_value = false;  // false: it fell, and the figure says nothing of such a run
  double value = 0;
  double penalty = 0;
};

/// An experiment of an objective, checked.
class Trial {
 public:
  std::string name;
  std::string style;
  trial::Walker walker;  // with the library's style and parameters, on level ground
  TrialKind kind = TrialKind::kWalk;
  v1::ObjectiveWalk walk;  // with its defaults filled in
  v1::ObjectivePush push;  // with its defaults filled in
  v1::ObjectiveGround ground;
  int seeds = 0, fresh_seeds = 0;
  std::vector<Term> terms;
  std::shared_ptr<const trial::GaitReference> people;

  /// Simulated time of a run that does not fall, s, about.
  double seconds() const;
  /// The walker with the numbers of a candidate.
  trial::Walker walker_of(const Candidate& candidate) const;
  /// @param worst  Objective::worst
  /// @return       one for each term
  std::vector<TermOfRun> run(const trial::Walker& candidate, std::uint64_t seed,
                             double worst) const;

 private:
  std::vector<TermOfRun> judge(const RunResult& run, double worst) const;
  void put_on_ground(trial::Walker& subject, std::uint64_t seed) const;
};

/// The objective of a search, checked.
struct Objective {
  std::string description;
  double worst = 10;
  std::vector<Trial> trials;

  /// @return  the first mistake, with the line and key of `source`
  static schema::Result<Objective> make(const v1::Objective& message, const schema::Source& source,
                                        const Library& library,
                                        std::shared_ptr<const trial::GaitReference> people);
  int term_count() const;
};

/// The penalty of a run that stayed up: near the deviation where that is small, never above
/// `worst`, and growing with it everywhere, so that a search has a slope to go down.
double penalty_of(double deviation, double worst);
/// The penalty of a run that fell: worse than that of any that did not, and the worse the sooner.
/// @param share  of its time that it was up
double penalty_of_fall(double share, double worst);

}  // namespace promenade::search
