#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "study/report/table.h"
#include "world/library/library.h"

namespace promenade::study {

/// The experiments that a report runs, and how many trials.
struct ReportOptions {
  int seeds = 3;                  // of each experiment that is not a rate over many phases
  std::uint64_t seed = 1;         // the first
  bool quick = false;             // shorter and fewer: to see whether something is broken
  bool full = false;              // also what goes beyond the plain table
  bool tasks = false;             // the skills of Coros2010 §5.4 instead of the plain table
  std::vector<std::string> only;  // patterns of the ids of the rows to run; empty: all
  std::filesystem::path data_dir;
  std::filesystem::path curves_dir;  // for the curves behind rows; empty: none are written
};

/// Whether a row's id matches one of the patterns, which are a shell's (`push-*`). No patterns
/// match everything.
bool wanted(const std::string& id, const std::vector<std::string>& patterns);

/// `quick` divides the trials of `--full` by this, and long times by kQuickTimes.
inline constexpr int kQuickTrials = 8;
inline constexpr double kQuickTimes = 6;

/// Experiments waiting to be run: first independent jobs on all cores, then jobs that need the
/// machine to themselves, then functions that make rows of the results.
class ReportPlan {
 public:
  ReportPlan(std::shared_ptr<const Library> library_in, const ReportOptions& options_in)
      : library(std::move(library_in)), options(options_in) {}

  using Job = std::function<void()>;
  /// Adds rows and, for people, lines under the table.
  using Finish = std::function<void(std::vector<ReportRow>& rows, std::string& notes)>;

  /// Sets the heading over the rows of the next calls of finish().
  void begin_section(std::string title) { section_ = std::move(title); }
  /// Whether this row is to be shown; experiments for other rows are left out.
  bool wants(const std::string& id) const { return wanted(id, options.only); }

  /// May run at the same time as any other job.
  /// @param seconds  that it simulates, about: long ones start first
  void job(Job job, double seconds = 20) { jobs.push_back({std::move(job), seconds}); }
  /// Runs alone, after all jobs.
  void job_alone(std::string what, Job job) { alone.push_back({std::move(what), std::move(job)}); }
  /// Runs last, in the order of the calls.
  void finish(Finish finish) { finishes.push_back({section_, std::move(finish)}); }

  /// Trials of a rate.
  int trials(int usual) const {
    return options.quick ? std::max(1, (usual + kQuickTrials - 1) / kQuickTrials) : usual;
  }
  /// Seconds of a long run.
  double span(double usual) const { return options.quick ? usual / kQuickTimes : usual; }
  /// The seed of trial `i` of an experiment. It does not depend on which other experiments run.
  std::uint64_t seed_of(const std::string& experiment, int i) const;

  /// `quick` gives the second.
  template <typename T>
  T amount(T usual, T quick) const {
    return options.quick ? quick : usual;
  }

  const std::shared_ptr<const Library> library;
  const ReportOptions options;
  struct Timed {
    Job job;
    double seconds;
  };
  std::vector<Timed> jobs;
  struct Alone {
    std::string what;
    Job job;
  };
  std::vector<Alone> alone;
  struct Shown {
    std::string section;
    Finish finish;
  };
  std::vector<Shown> finishes;

 private:
  std::string section_;
};

/// A row of a rate in percent that holds from `asked` on.
ReportRow rate_row(std::string id, std::string claim, std::string source, double asked, double got);

/// How a trial of a rate came out.
struct Outcome {
  bool up = false;         // has not fallen
  bool recovered = false;  // and does what was asked at its end; see trial/recovery.h
};

/// Every rate of survivors is two rows: how many stay up, and, with this behind the id, how many of
/// all have recovered too.
inline constexpr const char* kRecovered = "-recovered";
bool wants_either(const ReportPlan& plan, const std::string& id);
/// Adds those of the two rows that are wanted.
/// @param up, recovered  %
void add_both_rates(const ReportPlan& plan, std::vector<ReportRow>& rows, const ReportRow& row,
                    double asked, double up, double recovered);

/// Plans trials and the two rows of their rates; nothing if neither row is wanted.
/// @param seconds  that each simulates, about
void plan_rate(ReportPlan& plan, int count, double seconds,
               const std::function<Outcome(int)>& trial, ReportRow row, double asked);

/// Plans trials and the one row of the rate of those that hold; nothing if it is not wanted.
void plan_share(ReportPlan& plan, int count, double seconds, const std::function<bool(int)>& holds,
                ReportRow row, double asked);

// Each adds the experiments of some claims of Coros2010 to a plan.
void plan_speeds(ReportPlan& plan);             // walking.cpp
void plan_turns(ReportPlan& plan);              // walking.cpp
void plan_stops(ReportPlan& plan);              // walking.cpp
void plan_pushes(ReportPlan& plan);             // pushes.cpp
void plan_bodies_and_styles(ReportPlan& plan);  // variety.cpp
void plan_crowd(ReportPlan& plan);              // crowd.cpp

// Plans of rows beyond the plain table, for `--full`.
void plan_wide_speeds(ReportPlan& plan);    // full_speeds.cpp
void plan_step_times(ReportPlan& plan);     // full_speeds.cpp
void plan_strong_pushes(ReportPlan& plan);  // full_pushes.cpp
void plan_standing_push(ReportPlan& plan);  // full_pushes.cpp
void plan_any_turns(ReportPlan& plan);      // full_long.cpp
void plan_errands(ReportPlan& plan);        // full_long.cpp
void plan_idling(ReportPlan& plan);         // full_long.cpp
void plan_obedience(ReportPlan& plan);      // full_variety.cpp
void plan_random_bodies(ReportPlan& plan);  // full_variety.cpp
void plan_ground(ReportPlan& plan);         // full_ground.cpp
void plan_dancers(ReportPlan& plan);        // full_ground.cpp
void plan_ablations(ReportPlan& plan);      // full_ablations.cpp
void plan_looks(ReportPlan& plan);          // full_looks.cpp
void plan_legs(ReportPlan& plan);           // full_legs.cpp

// Its skills (§5.4), for `--tasks`.
void plan_over_and_under(ReportPlan& plan);  // tasks_over.cpp
void plan_bad_ground(ReportPlan& plan);      // tasks_ground.cpp
void plan_work(ReportPlan& plan);            // tasks_work.cpp
void plan_everybody(ReportPlan& plan);       // tasks_everybody.cpp
void plan_chains(ReportPlan& plan);          // tasks_chain.cpp
/// Falls of every kind of body, and how it gets up by itself.
void plan_rises(ReportPlan& plan);     // tasks_rise.cpp
void plan_removals(ReportPlan& plan);  // tasks_removal.cpp

/// The normal walk of the human held against people's.
/// @throws std::runtime_error where reference/walk.json of the data directory is missing or wrong
void plan_gait(ReportPlan& plan);  // walk/gait.cpp

// Further tests of the walk, for `walk`: what it withstands and keeps to; the human in the normal
// style unless said. The claim of each says of how many trials it is.
void plan_kept_speeds(ReportPlan& plan);    // walk/speeds.cpp
void plan_walk_pushes(ReportPlan& plan);    // walk/pushes.cpp
void plan_walk_ground(ReportPlan& plan);    // walk/ground.cpp
void plan_friction(ReportPlan& plan);       // walk/friction.cpp
void plan_obstacles(ReportPlan& plan);      // walk/obstacles.cpp
void plan_storms(ReportPlan& plan);         // walk/commands.cpp
void plan_bodies(ReportPlan& plan);         // walk/bodies.cpp
void plan_styles(ReportPlan& plan);         // walk/bodies.cpp
void plan_pushed_bodies(ReportPlan& plan);  // walk/bodies.cpp
void plan_torques(ReportPlan& plan);        // walk/torques.cpp

/// Crowds of discs, without bodies: speed against density, lanes, doors, touches.
void plan_crowds(ReportPlan& plan);  // crowds.cpp
/// People in full physics: falls of strollers by cause, body and style; doors and corridors.
void plan_crowd_falls(ReportPlan& plan);  // crowd_falls.cpp
void plan_passages(ReportPlan& plan);     // passages.cpp

// The light biped against the claims of Kenwright2014 (kenwright2014/).
void plan_pendulum_walking(ReportPlan& plan);
void plan_pendulum_curves(ReportPlan& plan);
void plan_pendulum_pivot(ReportPlan& plan);
void plan_pendulum_poses(ReportPlan& plan);
void plan_pendulum_pushes(ReportPlan& plan);
void plan_pendulum_ground(ReportPlan& plan);
void plan_pendulum_bridge(ReportPlan& plan);
void plan_pendulum_levels(ReportPlan& plan);

// The gaits of wind-up toys against the claims of Panne1996 (panne1996/). Those rows that run
// searches are in search/report/.
void plan_toy_names(ReportPlan& plan);        // names.cpp
void plan_toy_endurance(ReportPlan& plan);    // lasting.cpp
void plan_toy_bits(ReportPlan& plan);         // bits.cpp
void plan_toy_shoves(ReportPlan& plan);       // shoves.cpp
void plan_toy_curves(ReportPlan& plan);       // curves.cpp
void plan_toy_ways(ReportPlan& plan);         // ways.cpp
void plan_toy_leaps(ReportPlan& plan);        // leaps.cpp
void plan_toy_transitions(ReportPlan& plan);  // transitions.cpp
void plan_toy_cost(ReportPlan& plan);         // cost.cpp

/// How a person fares that meets ice, a pit, a door, a seesaw, a ball.
void plan_encounters(ReportPlan& plan);  // encounters.cpp

}  // namespace promenade::study
