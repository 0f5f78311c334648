#include "study/bench/plan.h"

#include <algorithm>

#include "study/report/plan.h"

namespace promenade::study {

bool BenchPlan::wants(const std::string& id) const { return wanted(id, only); }

bool BenchPlan::wants_any(std::initializer_list<const char*> ids) const {
  return std::any_of(ids.begin(), ids.end(), [this](const char* id) { return wants(id); });
}

void BenchPlan::at_least(std::string id, std::string claim, std::string source, double asked,
                         double got, std::string unit) {
  rows.push_back({std::move(id), std::move(claim), std::move(source), asked, got, std::move(unit),
                  got >= asked});
}

void BenchPlan::at_most(std::string id, std::string claim, std::string source, double asked,
                        double got, std::string unit) {
  rows.push_back({std::move(id), std::move(claim) + ", at most", std::move(source), asked, got,
                  std::move(unit), got <= asked});
}

void BenchPlan::measured(std::string id, std::string claim, double got, std::string unit) {
  rows.push_back(
      {std::move(id), std::move(claim), "", std::string("measured"), got, std::move(unit), true});
}

}  // namespace promenade::study
