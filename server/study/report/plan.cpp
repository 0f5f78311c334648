#include "study/report/plan.h"

#include <fnmatch.h>

#include "math/hash.h"
#include "math/random.h"

namespace promenade::study {

bool wanted(const std::string& id, const std::vector<std::string>& patterns) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return fnmatch(pattern.c_str(), id.c_str(), 0) == 0;
         });
}

std::uint64_t ReportPlan::seed_of(const std::string& experiment, int i) const {
  Hash hash;
  hash.add(std::string_view(experiment));
  return Random::stream(options.seed ^ hash.value(), std::uint64_t(i)).next() | 1;
}

ReportRow rate_row(std::string id, std::string claim, std::string source, double asked,
                   double got) {
  return {std::move(id), std::move(claim), std::move(source), asked, got, "%", got >= asked};
}

bool wants_either(const ReportPlan& plan, const std::string& id) {
  return plan.wants(id) || plan.wants(id + kRecovered);
}

void add_both_rates(const ReportPlan& plan, std::vector<ReportRow>& rows, const ReportRow& row,
                    double asked, double up, double recovered) {
  if (plan.wants(row.id)) rows.push_back(rate_row(row.id, row.claim, row.source, asked, up));
  if (!plan.wants(row.id + kRecovered)) return;
  rows.push_back(rate_row(row.id + kRecovered,
                          "as " + row.id +
                              ", and over the last 3 s within 0.15 m/s and 20 degrees of what was "
                              "asked",
                          "", asked, recovered));
}

void plan_rate(ReportPlan& plan, int count, double seconds,
               const std::function<Outcome(int)>& trial, ReportRow row, double asked) {
  if (!wants_either(plan, row.id)) return;
  auto outcomes = std::make_shared<std::vector<Outcome>>(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    plan.job([=] { (*outcomes)[std::size_t(i)] = trial(i); }, seconds);
  }
  plan.finish([=, &plan, row = std::move(row)](std::vector<ReportRow>& rows, std::string&) {
    const auto rate = [&](bool Outcome::*is) {
      return 100.0 *
             double(std::count_if(outcomes->begin(), outcomes->end(),
                                  [is](const Outcome& one) { return one.*is; })) /
             count;
    };
    add_both_rates(plan, rows, row, asked, rate(&Outcome::up), rate(&Outcome::recovered));
  });
}

void plan_share(ReportPlan& plan, int count, double seconds, const std::function<bool(int)>& holds,
                ReportRow row, double asked) {
  if (!plan.wants(row.id)) return;
  auto held = std::make_shared<std::vector<char>>(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    plan.job([=] { (*held)[std::size_t(i)] = static_cast<char>(holds(i)); }, seconds);
  }
  plan.finish([=, row = std::move(row)](std::vector<ReportRow>& rows, std::string&) {
    const auto good = std::count(held->begin(), held->end(), 1);
    rows.push_back(rate_row(row.id, row.claim, row.source, asked, 100.0 * double(good) / count));
  });
}

}  // namespace promenade::study
