// The normal walk of the human held against people: docs/benchmarks.md tells of each row.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "study/report/plan.h"
#include "study/trial/walk/gait_reference.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {
namespace {

using trial::CycleSignal;
using trial::GaitCycle;
using trial::GaitReference;

constexpr double kSpeeds[] = {0.5, 0.8, 1.2, 1.6, 1.8};  // m/s
constexpr double kBefore = 8, kMeasured = 12;            // s
constexpr double kClose = 8;                             // %, of people's cadence and step length
constexpr double kWithin = 80;  // % of the cycle within kBand standard deviations
constexpr double kBand = 1.5;

/// The range of double support of healthy men, % of the cycle.
/// Source: normal ranges of clinical software for 18 to 29 years
struct SupportRange {
  double speed, low, high;
};
constexpr SupportRange kSupport[] = {{0.8, 25, 34}, {1.2, 22, 31}, {1.6, 17, 24}};

struct Measured {
  double speed = 0;
  std::vector<GaitCycle> gaits;  // one a seed
  int fell = 0;

  /// The gait whose figure is worst, or an empty one where somebody fell.
  template <typename Figure>
  double worst(const Figure& figure) const {
    double worst = -1e9;
    for (const GaitCycle& gait : gaits) worst = std::max(worst, double(figure(gait)));
    return worst;
  }
};

std::string at(double speed) { return formatted("%.1f", speed); }

/// A row of a figure that is at most `asked` in each seed.
ReportRow at_most(const Measured& m, std::string id, std::string claim, std::string source,
                  double asked, double got, std::string unit) {
  ReportRow row{std::move(id), std::move(claim), std::move(source),          asked,
                got,           std::move(unit),  m.fell == 0 && got <= asked};
  if (m.fell > 0) row.claim += formatted(" (%d fell)", m.fell);
  return row;
}

void add_rhythm(const Measured& m, std::vector<ReportRow>& rows) {
  const double cadence = GaitReference::cadence(m.speed);
  const double length = GaitReference::step_length(m.speed);
  rows.push_back(at_most(
      m, "walk-cadence-" + at(m.speed),
      formatted("cadence at %.1f m/s, off people's %.0f steps a minute", m.speed, cadence),
      "0.4 to 70 %", kClose,
      m.worst([&](const GaitCycle& g) { return 100 * std::abs(g.cadence / cadence - 1); }), "%"));
  rows.push_back(at_most(m, "walk-step-length-" + at(m.speed),
                         formatted("step length at %.1f m/s, off people's %.2f m", m.speed, length),
                         "11 to 34 %", kClose, m.worst([&](const GaitCycle& g) {
                           return 100 * std::abs(g.step_length / length - 1);
                         }),
                         "%"));
}

void add_curves(const Measured& m, const GaitReference& reference, double leg,
                std::vector<ReportRow>& rows) {
  for (const CycleSignal signal : {CycleSignal::kPelvisList, CycleSignal::kPelvisRotation,
                                   CycleSignal::kHip, CycleSignal::kKnee, CycleSignal::kAnkle}) {
    const GaitReference::Band band = reference.band(signal, m.speed, leg);
    const double least = -m.worst(
        [&](const GaitCycle& g) { return -trial::share_within(g.of(signal), band, kBand); });
    ReportRow row =
        at_most(m, std::string("walk-") + trial::cycle_signal_name(signal) + "-" + at(m.speed),
                formatted("%s at %.1f m/s: part of the cycle within 1.5 deviations of people's",
                          trial::cycle_signal_name(signal), m.speed),
                "", kWithin, least, "%");
    row.holds = m.fell == 0 && least >= kWithin;
    rows.push_back(row);
  }
}

void add_forces(const Measured& m, std::vector<ReportRow>& rows) {
  rows.push_back(at_most(m, "walk-first-peak-" + at(m.speed),
                         formatted("first peak of the vertical force at %.1f m/s", m.speed),
                         "1.05 to 1.3", 1.4,
                         m.worst([](const GaitCycle& g) { return g.first_peak; }), "weights"));
  rows.push_back(at_most(m, "walk-highest-force-" + at(m.speed),
                         formatted("highest force of 10 ms on one foot at %.1f m/s", m.speed), "",
                         2, m.worst([](const GaitCycle& g) { return g.highest_force; }),
                         "weights"));
  for (const SupportRange& range : kSupport) {
    if (range.speed != m.speed) continue;
    const double off = m.worst([&](const GaitCycle& g) {
      return std::max({0.0, range.low - g.double_support, g.double_support - range.high});
    });
    rows.push_back(at_most(m, "walk-double-support-" + at(m.speed),
                           formatted("double support at %.1f m/s, off people's %.0f to %.0f %%",
                                     m.speed, range.low, range.high),
                           "", 0, off, "%"));
  }
}

void add_feet(const Measured& m, std::vector<ReportRow>& rows) {
  const auto least = [&](const char* id, const char* claim, double asked, auto figure,
                         const char* unit) {
    const double got = -m.worst([&](const GaitCycle& g) { return -figure(g); });
    ReportRow row = at_most(m, id + at(m.speed), formatted("%s at %.1f m/s", claim, m.speed), "",
                            asked, got, unit);
    row.holds = m.fell == 0 && got >= asked;
    rows.push_back(row);
  };
  least(
      "walk-heel-first-", "strikes with the toes up by 5 degrees", 99,
      [](const GaitCycle& g) { return 100 * g.heel_first; }, "%");
  least(
      "walk-toe-last-", "lifts with the heel up by 15 degrees", 99,
      [](const GaitCycle& g) { return 100 * g.toe_last; }, "%");
  least(
      "walk-clearance-", "clearance of the sole in mid-swing", 1,
      [](const GaitCycle& g) { return 100 * g.clearance; }, "cm");
}

void add_effort(const Measured& m, std::vector<ReportRow>& rows) {
  rows.push_back(at_most(m, "walk-cost-" + at(m.speed),
                         formatted("cost of transport at %.1f m/s", m.speed), "0.1", 0.2,
                         m.worst([](const GaitCycle& g) { return g.cost_of_transport; }), ""));
  rows.push_back(at_most(m, "walk-knee-torque-" + at(m.speed),
                         formatted("greatest knee torque at %.1f m/s", m.speed), "under 100", 120,
                         m.worst([](const GaitCycle& g) { return g.knee_torque; }), "N m"));
}

void add_rows(const Measured& m, const GaitReference& people, double leg,
              std::vector<ReportRow>& rows) {
  add_rhythm(m, rows);
  if (m.speed < 0.8 || m.speed > 1.6) return;
  add_curves(m, people, leg, rows);
  add_forces(m, rows);
  add_feet(m, rows);
  add_effort(m, rows);
}

}  // namespace

void plan_gait(ReportPlan& plan) {
  auto reference = trial::GaitReference::load(plan.options.data_dir);
  if (!reference) throw std::runtime_error(reference.error().text());
  auto people = std::make_shared<const GaitReference>(std::move(reference).value());
  auto measured = std::make_shared<std::vector<Measured>>();
  const auto walker =
      std::make_shared<const trial::Walker>(trial::Walker::of(*plan.library, "human", "normal"));
  const double leg = 0.5 * (biped_of(*walker->body).value().leg_length[0] +
                            biped_of(*walker->body).value().leg_length[1]);
  for (const double speed : kSpeeds) {
    // The rows of a speed without a walk have their names and no figures.
    std::vector<ReportRow> names;
    add_rows({speed, {}, 0}, *people, leg, names);
    const bool wanted = std::any_of(names.begin(), names.end(),
                                    [&](const ReportRow& row) { return plan.wants(row.id); });
    if (!wanted) continue;
    measured->push_back({speed, std::vector<GaitCycle>(std::size_t(plan.options.seeds)), 0});
  }
  for (std::size_t k = 0; k < measured->size(); ++k) {
    for (int seed = 0; seed < plan.options.seeds; ++seed) {
      plan.job(
          [measured, walker, k, seed, from = plan.options.seed] {
            Measured& m = (*measured)[k];
            m.gaits[std::size_t(seed)] = trial::measure_gait(*walker, m.speed, kBefore + kMeasured,
                                                             kBefore, from + std::uint64_t(seed));
          },
          kBefore + kMeasured);
    }
  }
  plan.finish([measured, people, leg](std::vector<ReportRow>& rows, std::string&) {
    for (Measured& m : *measured) {
      m.fell = int(std::count_if(m.gaits.begin(), m.gaits.end(),
                                 [](const GaitCycle& g) { return g.strides == 0; }));
      add_rows(m, *people, leg, rows);
    }
  });
}

}  // namespace promenade::study
