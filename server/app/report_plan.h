#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/report_table.h"
#include "world/library.h"

namespace promenade::app {

/// How much of everything.
struct ReportOptions {
  int seeds = 3;           // of each experiment that is not a rate over many phases
  std::uint64_t seed = 1;  // the first
  bool quick = false;      // shorter and fewer: to see whether something is broken
  bool full = false;       // also what goes beyond the plain table
};

/// Experiments waiting to be run: independent jobs for all cores first, then those that need the
/// machine to themselves, then what makes rows of the outcomes.
class ReportPlan {
 public:
  ReportPlan(std::shared_ptr<const Library> library_in, const ReportOptions& options_in)
      : library(std::move(library_in)), options(options_in) {}

  using Job = std::function<void()>;
  /// Adds rows and, for people, lines under the table.
  using Finish = std::function<void(std::vector<ReportRow>& rows, std::string& notes)>;

  /// May run at the same time as any other job.
  void job(Job job) { jobs.push_back(std::move(job)); }
  /// Runs alone, after all jobs.
  void job_alone(std::string what, Job job) { alone.push_back({std::move(what), std::move(job)}); }
  /// Runs last, in the order of the calls.
  void finish(Finish finish) { finishes.push_back(std::move(finish)); }

  /// `quick` gives the second.
  template <typename T>
  T amount(T usual, T quick) const {
    return options.quick ? quick : usual;
  }

  const std::shared_ptr<const Library> library;
  const ReportOptions options;
  std::vector<Job> jobs;
  struct Alone {
    std::string what;
    Job job;
  };
  std::vector<Alone> alone;
  std::vector<Finish> finishes;
};

// Each adds the experiments of some claims of Coros2010 to a plan.
void plan_speeds(ReportPlan& plan);             // report_walking.cpp
void plan_turns(ReportPlan& plan);              // report_walking.cpp
void plan_stops(ReportPlan& plan);              // report_walking.cpp
void plan_pushes(ReportPlan& plan);             // report_pushes.cpp
void plan_bodies_and_styles(ReportPlan& plan);  // report_variety.cpp
void plan_crowd(ReportPlan& plan);              // report_crowd.cpp

// Beyond the plain table, for `--full`.
void plan_strong_pushes(ReportPlan& plan);  // report_full_pushes.cpp
void plan_ablations(ReportPlan& plan);      // report_full_pushes.cpp
void plan_wide_speeds(ReportPlan& plan);    // report_full_walks.cpp
void plan_long_walks(ReportPlan& plan);     // report_full_walks.cpp
void plan_random_bodies(ReportPlan& plan);  // report_full_walks.cpp
void plan_ground(ReportPlan& plan);         // report_full_walks.cpp

/// Walks in a style and writes the joints' positions over some steps, a row each 1/60 s: what
/// scripts/film-strip draws. Throws std::runtime_error where the file cannot be written.
void write_film(const Library& library, const std::string& body, const std::string& style,
                const std::filesystem::path& path);  // report_film.cpp

}  // namespace promenade::app
