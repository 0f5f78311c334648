// People in full physics at doors and in corridors.
#include "study/trial/crowd/passages.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "study/report/plan.h"

namespace promenade::study {
namespace {

using trial::Passage;
using trial::PassageRun;

struct PassageRow {
  const char* id;
  Passage passage;
  double asked;  // people a second and metre at least, or seconds at most
  int seeds;
};
constexpr PassageRow kPassages[] = {
    {"people-door-0.8", {Passage::Kind::kDoor, 0.8, 0}, 0.9, 3},
    {"people-door-1.2", {Passage::Kind::kDoor, 1.2, 0}, 1.2, 3},
    {"people-door-1.6", {Passage::Kind::kDoor, 1.6, 0}, 1.2, 3},
    {"people-corridor-1.2-two", {Passage::Kind::kCorridor, 1.2, 1}, 10, 10},
    {"people-corridor-1.6-two", {Passage::Kind::kCorridor, 1.6, 1}, 10, 10},
    {"people-corridor-1.2-six", {Passage::Kind::kCorridor, 1.2, 3}, 20, 10},
    {"people-corridor-1.6-six", {Passage::Kind::kCorridor, 1.6, 3}, 20, 10}};

ReportRow row_of(const PassageRow& row, const std::vector<PassageRun>& runs) {
  const std::size_t n = runs.size();
  int falls = 0, through = 0;
  std::vector<double> figures;
  for (const PassageRun& run : runs) {
    falls += run.falls;
    through += run.through;
    figures.push_back(row.passage.kind == Passage::Kind::kDoor ? run.rate / row.passage.wide
                                                               : run.passed_in);
  }
  std::sort(figures.begin(), figures.end());
  const double median = figures[n / 2];
  if (row.passage.kind == Passage::Kind::kDoor) {
    return {row.id,
            formatted("people a second and metre through a door of %.1f m, of %d who stand before "
                      "it, median of %zu seeds; %.0f of them are through in %.0f s; falls: %d",
                      row.passage.wide, trial::kDoorPeople, n, double(through) / double(n),
                      trial::kPassageSeconds, falls),
            "",
            row.asked,
            median,
            "/s/m",
            median >= row.asked && falls == 0};
  }
  const auto did =
      std::count_if(figures.begin(), figures.end(), [&](double s) { return s <= row.asked; });
  return {row.id,
          formatted("seconds in which %d who meet as many in a corridor of %.1f m pass, median of "
                    "%zu seeds; %d of these in time; falls: %d",
                    row.passage.each_way, row.passage.wide, n, int(did), falls),
          "",
          row.asked,
          median,
          "s",
          median <= row.asked && falls == 0};
}

}  // namespace

void plan_passages(ReportPlan& plan) {
  plan.begin_section("People in full physics at doors and in corridors");
  for (const PassageRow& row : kPassages) {
    const std::string id = row.id;
    if (!plan.wants(id)) continue;
    const auto library = trial::with_passage(plan.options.data_dir, row.passage);
    auto runs = std::make_shared<std::vector<PassageRun>>(std::size_t(plan.trials(row.seeds)));
    for (int i = 0; i < int(runs->size()); ++i) {
      plan.job(
          [=, &plan] {
            (*runs)[std::size_t(i)] = trial::run_passage(library, row.passage, plan.seed_of(id, i));
          },
          trial::kPassageSeconds * (row.passage.kind == Passage::Kind::kDoor ? 6 : 0.5));
    }
    plan.finish(
        [=](std::vector<ReportRow>& rows, std::string&) { rows.push_back(row_of(row, *runs)); });
  }
}

}  // namespace promenade::study
