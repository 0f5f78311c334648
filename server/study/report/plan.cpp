#include "study/report/plan.h"

#include <fnmatch.h>

#include "math/random.h"
#include "world/hash.h"

namespace promenade::study {

bool wanted(const std::string& id, const std::vector<std::string>& patterns) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return fnmatch(pattern.c_str(), id.c_str(), 0) == 0;
         });
}

std::uint64_t ReportPlan::seed_of(const std::string& experiment, int i) const {
  world::Hash hash;
  hash.add(std::string_view(experiment));
  return Random::stream(options.seed ^ hash.value(), std::uint64_t(i)).next() | 1;
}

ReportRow rate_row(std::string id, std::string claim, std::string source, double asked,
                   double got) {
  return {std::move(id), std::move(claim), std::move(source), asked, got, "%", got >= asked};
}

void plan_rate(ReportPlan& plan, int count, double seconds, const std::function<bool(int)>& up,
               ReportRow row, double asked) {
  if (!plan.wants(row.id)) return;
  auto outcomes = std::make_shared<std::vector<int>>(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    plan.job([=] { (*outcomes)[std::size_t(i)] = up(i); }, seconds);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    const double got = 100.0 * double(std::count(outcomes->begin(), outcomes->end(), 1)) / count;
    rows.push_back(rate_row(row.id, row.claim, row.source, asked, got));
  });
}

}  // namespace promenade::study
