// Leaps among hops: how much farther and higher they go, and over which hurdles.
#include <algorithm>
#include <cmath>

#include "math/random.h"
#include "study/report/panne1996/shipped_gaits.h"
#include "study/report/plan.h"
#include "study/trial/gait/hurdle_trial.h"
#include "study/trial/gait/mixed_gait.h"
#include "study/trial/gait/starts.h"

namespace promenade::study {
namespace {

constexpr double kLeapAt = 5, kWhole = 15;  // s

/// Trials with a leap of full size, and the same without.
struct Leaps {
  std::vector<trial::GaitMeasures> with, without;  // [starts]
};

// Means over the starts that went on with the leap and without it.
struct Flights {
  int up = 0;
  double with = 0, without = 0;  // m
};
Flights flights_of(const Leaps& leaps, double trial::FlightAudit::Flight::*value) {
  Flights out;
  for (std::size_t i = 0; i < leaps.with.size(); ++i) {
    if (leaps.with[i].end != trial::GaitEnd::kWentOn) continue;
    if (leaps.without[i].end != trial::GaitEnd::kWentOn) continue;
    ++out.up;
    out.with += (leaps.with[i].flight.*value - out.with) / out.up;
    out.without += (leaps.without[i].flight.*value - out.without) / out.up;
  }
  return out;
}

void add_leap(std::vector<ReportRow>& rows, const Leaps& leaps, ReportRow row,
              double trial::FlightAudit::Flight::*value) {
  const Flights flights = flights_of(leaps, value);
  row.claim += formatted("; %.3f and %.3f m, %d of %zu starts up", flights.with, flights.without,
                         flights.up, leaps.with.size());
  const double times = flights.without > 0 ? flights.with / flights.without : std::nan("");
  row.got = times;
  row.holds = times >= std::get<double>(row.asked) && flights.up == int(leaps.with.size());
  rows.push_back(std::move(row));
}

void plan_leaps_of(ReportPlan& plan, const ShippedGait& one, const ReportRow& leap,
                   const ReportRow& rise) {
  const int starts = plan.trials(20);
  auto leaps = std::make_shared<Leaps>();
  leaps->with.resize(std::size_t(starts));
  leaps->without.resize(std::size_t(starts));
  const int variant = one.gait->leap_of(1);
  const auto hops = trial::unmixed(*one.gait);
  const auto leaping = variant < 0 ? hops : trial::mixed(*one.gait, std::size_t(variant), 1);
  for (int i = 0; i < starts; ++i) {
    const std::uint64_t seed = plan.seed_of("leap", i);
    plan.job([=, trial = one.trial] {
      trial::GaitDeeds deeds;
      deeds.leap_at = kLeapAt + Random::stream(seed, 0x1eaULL).uniform() * leaping->graph.period();
      leaps->with[std::size_t(i)] = trial->run(leaping, {kWhole, 2}, seed, deeds);
      leaps->without[std::size_t(i)] = trial->run(hops, {kWhole, 2}, seed);
    });
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    using Flight = trial::FlightAudit::Flight;
    add_leap(rows, *leaps, leap, &Flight::length);
    add_leap(rows, *leaps, rise, &Flight::rise);
  });
}

void plan_leap_rows(ReportPlan& plan) {
  ReportRow leap, rise;
  leap.id = "leap";
  leap.claim = "the longest flight with a leap of full size over that of hops alone";
  leap.source = "figure 19, longer";
  leap.asked = 2.0;
  rise.id = "leap-rise";
  rise.claim = "the same: how high the mass centre rises in it";
  rise.asked = 1.0;
  leap.unit = rise.unit = "times";
  if (!plan.wants(leap.id) && !plan.wants(rise.id)) return;
  for (const ShippedGait& one : shipped_gaits(*plan.library)) {
    if (one.gait->graph.chain.empty()) continue;
    leap.claim = one.name + ": " + leap.claim;
    plan_leaps_of(plan, one, leap, rise);
    return;
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    for (const ReportRow& row : {leap, rise}) {
      rows.push_back(row_of_none(row, "no gait has a chain"));
    }
  });
}

constexpr double kSizeOff = 0.1;  // by which a leap may be longer or shorter than its size says

// A size counts where every start stays up and the flights are as long as it says.
void add_sizes(std::vector<ReportRow>& rows, ReportRow row, const control::posegraph::Gait& gait,
               const std::vector<std::vector<trial::GaitMeasures>>& runs) {
  std::vector<double> length(runs.size(), 0);
  double longest = 0;
  int right = 0, sizes = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const trial::GaitMeasures& run : runs[i]) {
      length[i] += run.flight.length / double(runs[i].size());
    }
    if (!runs[i].empty() && gait.variants[i].size == 1) longest = length[i];
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].empty()) continue;
    const auto up = std::count_if(runs[i].begin(), runs[i].end(), [](const auto& run) {
      return run.end == trial::GaitEnd::kWentOn;
    });
    const double size = gait.variants[i].size;
    const bool holds = up == std::ptrdiff_t(runs[i].size()) &&
                       std::abs(length[i] - size * longest) <= kSizeOff * longest;
    right += holds;
    ++sizes;
    row.claim += formatted("; %.2f: %.3f m, %td of %zu up", size, length[i], up, runs[i].size());
  }
  row.asked = double(std::max(4, sizes));
  row.got = double(right);
  row.holds = right >= std::max(4, sizes);
  rows.push_back(std::move(row));
}

void plan_size_row(ReportPlan& plan) {
  ReportRow row;
  row.id = "leap-sizes";
  row.claim =
      "sizes of leaps whose starts stay up and whose flights are as long as their size says";
  row.source = "figure 19, one";
  row.asked = 4.0;
  row.unit = "sizes";
  if (!plan.wants(row.id)) return;
  for (const ShippedGait& one : shipped_gaits(*plan.library)) {
    if (one.gait->leap_of(1) < 0) continue;
    const int starts = plan.trials(20);
    auto runs =
        std::make_shared<std::vector<std::vector<trial::GaitMeasures>>>(one.gait->variants.size());
    for (std::size_t i = 0; i < runs->size(); ++i) {
      if (one.gait->variants[i].use != v1::GaitVariant::LEAP) continue;
      (*runs)[i].resize(std::size_t(starts));
      for (int k = 0; k < starts; ++k) {
        plan.job([=, gait = one.gait, trial = one.trial, seed = plan.seed_of(row.id, k)] {
          trial::GaitDeeds deeds;
          deeds.leap_at = kLeapAt + trial::leap_moment(seed) * gait->graph.period();
          deeds.leap_size = gait->variants[i].size;
          (*runs)[i][std::size_t(k)] = trial->run(gait, {kWhole, 2}, seed, deeds);
        });
      }
    }
    row.claim = one.name + ": " + row.claim;
    plan.finish([=, gait = one.gait](std::vector<ReportRow>& rows, std::string&) {
      add_sizes(rows, row, *gait, *runs);
    });
    return;
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    rows.push_back(row_of_none(row, "no gait has a leap"));
  });
}

// A hurdle counts where nothing of the toy touches it and the toy stays up.
void plan_hurdle_row(ReportPlan& plan) {
  ReportRow row;
  row.id = "hurdles";
  row.source = "not addressed";
  row.asked = 95.0;
  row.unit = "%";
  if (!plan.wants(row.id)) return;
  for (const ShippedGait& one : shipped_gaits(*plan.library)) {
    if (!one.gait->leaps_by_itself()) continue;
    trial::Hurdles hurdles;
    hurdles.height = trial::usual_hurdle(one.trial->creature());
    const int starts = plan.trials(20);
    auto runs = std::make_shared<std::vector<std::vector<trial::HurdleEnd>>>(std::size_t(starts));
    for (int i = 0; i < starts; ++i) {
      plan.job([=, &plan, id = row.id] {
        (*runs)[std::size_t(i)] =
            trial::run_hurdles(*one.trial, one.gait, hurdles, plan.seed_of(id, i));
      });
    }
    row.claim = formatted(
        "%s: hurdles of a third of its height, %.2f m, at random distances of %.1f to %.1f m that "
        "it "
        "sees and clears without a touch, %d trials of %d",
        one.name.c_str(), hurdles.height, hurdles.near, hurdles.far, starts, hurdles.count);
    plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
      int cleared = 0;
      for (const auto& run : *runs) {
        cleared += int(std::count(run.begin(), run.end(), trial::HurdleEnd::kCleared));
      }
      ReportRow out = row;
      const double share = 100.0 * cleared / (starts * hurdles.count);
      out.got = share;
      out.holds = share >= 95;
      rows.push_back(std::move(out));
    });
    return;
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    rows.push_back(row_of_none(row, "no gait knows what its leaps pass over"));
  });
}

}  // namespace

void plan_toy_leaps(ReportPlan& plan) {
  plan_leap_rows(plan);
  plan_size_row(plan);
  plan_hurdle_row(plan);
}

}  // namespace promenade::study
