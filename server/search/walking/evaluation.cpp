#include "search/walking/evaluation.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "math/hash.h"
#include "study/trial/rig/parallel.h"

namespace promenade::search {
namespace {

// The uses of seeds. No use has a seed of another use.
enum class Use : std::uint64_t { kFixed, kFresh, kHeldOut };

std::uint64_t seed_for(std::uint64_t seed, Use use, std::uint64_t generation, std::size_t trial,
                       int run) {
  Hash hash;
  hash.add(seed);
  hash.add(static_cast<std::uint64_t>(use));
  hash.add(generation);
  hash.add(static_cast<std::uint64_t>(trial));
  hash.add(static_cast<std::uint64_t>(run));
  return std::max<std::uint64_t>(1, hash.value());  // 0 is the exact start
}

struct Job {
  std::size_t point, trial, run;
};

// Long runs first: if one began last, the other cores would wait for it.
std::vector<Job> jobs_of(const Objective& objective, const Seeds& seeds, std::size_t points) {
  std::vector<Job> jobs;
  for (std::size_t trial = 0; trial < seeds.size(); ++trial) {
    for (std::size_t run = 0; run < seeds[trial].size(); ++run) {
      for (std::size_t point = 0; point < points; ++point) jobs.push_back({point, trial, run});
    }
  }
  std::stable_sort(jobs.begin(), jobs.end(), [&](const Job& a, const Job& b) {
    return objective.trials[a.trial].seconds() > objective.trials[b.trial].seconds();
  });
  return jobs;
}

// Adds up the runs of one trial.
void add_terms(const Trial& trial, const std::vector<std::vector<TermOfRun>>& runs,
               Outcome& score) {
  for (std::size_t t = 0; t < trial.terms.size(); ++t) {
    TermResult& result = score.terms.emplace_back();
    for (const std::vector<TermOfRun>& run : runs) {
      result.penalty += run[t].penalty / static_cast<double>(runs.size());
      if (!run[t].has_value) continue;
      ++result.runs;
      result.value += run[t].value;
    }
    if (result.runs > 0) result.value /= result.runs;
    score.score += trial.terms[t].weight * result.penalty;
  }
}

}  // namespace

Seeds seeds_of(const Objective& objective, std::uint64_t seed, std::uint64_t generation) {
  Seeds seeds(objective.trials.size());
  for (std::size_t t = 0; t < seeds.size(); ++t) {
    for (int i = 0; i < objective.trials[t].seeds; ++i) {
      seeds[t].push_back(seed_for(seed, Use::kFixed, 0, t, i));
    }
    for (int i = 0; i < objective.trials[t].fresh_seeds; ++i) {
      seeds[t].push_back(seed_for(seed, Use::kFresh, generation, t, i));
    }
  }
  return seeds;
}

Seeds held_out_seeds(const Objective& objective, std::uint64_t seed, int count) {
  Seeds seeds(objective.trials.size());
  for (std::size_t t = 0; t < seeds.size(); ++t) {
    for (int i = 0; i < count; ++i) seeds[t].push_back(seed_for(seed, Use::kHeldOut, 0, t, i));
  }
  return seeds;
}

int run_count(const Seeds& seeds) {
  std::size_t count = 0;
  for (const auto& of_trial : seeds) count += of_trial.size();
  return static_cast<int>(count);
}

std::vector<Outcome> evaluate(const Objective& objective, const ParameterVector& parameters,
                              std::span<const Vector> points, const Seeds& seeds, int threads,
                              const std::function<void(int, int)>& progress) {
  assert(seeds.size() == objective.trials.size());
  // [points]; none: its numbers make no style
  std::vector<std::optional<Candidate>> candidates;
  for (const Vector& point : points) {
    auto candidate = parameters.candidate(point);
    candidates.push_back(candidate ? std::optional(*std::move(candidate)) : std::nullopt);
  }
  // [points][trials][runs][terms]
  using Runs = std::vector<std::vector<TermOfRun>>;
  std::vector<std::vector<Runs>> results(points.size(), std::vector<Runs>(seeds.size()));
  for (auto& of_point : results) {
    for (std::size_t t = 0; t < seeds.size(); ++t) of_point[t].resize(seeds[t].size());
  }
  const std::vector<Job> jobs = jobs_of(objective, seeds, points.size());
  trial::run_parallel(
      static_cast<int>(jobs.size()), threads,
      [&](int i) {
        const Job& job = jobs[static_cast<std::size_t>(i)];
        const Trial& trial = objective.trials[job.trial];
        std::vector<TermOfRun>& result = results[job.point][job.trial][job.run];
        if (const auto& candidate = candidates[job.point]) {
          result =
              trial.run(trial.walker_of(*candidate), seeds[job.trial][job.run], objective.worst);
        } else {
          result.resize(trial.terms.size());
          for (TermOfRun& of_term : result) {
            of_term.penalty = penalty_of_fall(0, objective.worst);
          }
        }
      },
      [&](int done) {
        if (progress) progress(done, static_cast<int>(jobs.size()));
      });
  std::vector<Outcome> scores(points.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (std::size_t t = 0; t < seeds.size(); ++t) {
      add_terms(objective.trials[t], results[p][t], scores[p]);
    }
  }
  return scores;
}

}  // namespace promenade::search
