// Falling and getting up.
#include <algorithm>
#include <memory>

#include "creature/biped/biped_names.h"
#include "math/statistics.h"
#include "study/report/plan.h"
#include "study/trial/walk/rises.h"

namespace promenade::study {
namespace {

using trial::FallKind;
using trial::RiseOutcome;
using trial::Walker;

constexpr const char* kSource = "shown";

/// Half of the falls by pushes, half by throws; see trial::FallKind.
void plan_body(ReportPlan& plan, const std::string& body, int falls, double asked) {
  const std::string id = "rise-" + body;
  const bool human = body == "human";
  static const char* const kHumanRows[] = {"rise-time", "rise-torque"};
  const bool more = human && std::any_of(std::begin(kHumanRows), std::end(kHumanRows),
                                         [&](const char* row) { return plan.wants(row); });
  if (!plan.wants(id) && !more) return;
  const Walker walker = Walker::of(*plan.library, body, "normal");
  const control::Parameters rise =
      plan.library->controllers().parameters(*control::find_family("rise"));
  auto outcomes = std::make_shared<std::vector<RiseOutcome>>(std::size_t(falls));
  for (int i = 0; i < falls; ++i) {
    plan.job([=, &plan] {
      constexpr std::uint64_t kDraws = 20;  // draws of pushes, until one brings it down
      RiseOutcome& out = (*outcomes)[std::size_t(i)];
      for (std::uint64_t draw = 0; draw < kDraws && !out.fell; ++draw) {
        out = trial::fall_and_rise(walker, rise,
                                   {.kind = i % 2 == 0 ? FallKind::kPushed : FallKind::kThrown},
                                   plan.seed_of(id, i) + draw * 1000003);
      }
    });
  }
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
    std::vector<double> times;
    int up = 0, stayed = 0, fallen = 0;
    double torque = 0;
    for (const RiseOutcome& out : *outcomes) {
      fallen += out.fell;
      up += out.up;
      stayed += out.stayed;
      torque = std::max(torque, out.torque);
      if (out.up) times.push_back(out.rising);
    }
    if (fallen == 0) return;
    if (plan.wants(id)) {
      rows.push_back(rate_row(
          id,
          formatted("%s: %d falls by pushes and throws: gets up by itself within 20 s, walks or "
                    "stands as asked and is up 10 s later; %.1f %% got up",
                    body.c_str(), fallen, 100.0 * up / fallen),
          kSource, asked, 100.0 * stayed / fallen));
    }
    if (human && plan.wants("rise-time") && !times.empty()) {
      const double median = percentile(times, 50);
      rows.push_back({"rise-time",
                      formatted("the human's: median time from lying still to standing; p90 %.1f",
                                percentile(times, 90)),
                      kSource, 4.0, median, "s", median <= 4});
    }
    if (human && plan.wants("rise-torque")) {
      rows.push_back({"rise-torque", "the same: greatest torque of a joint over its limit", kSource,
                      1.0, torque, "", torque <= 1.001});
    }
  });
}

}  // namespace

void plan_rises(ReportPlan& plan) {
  plan_body(plan, "human", plan.trials(200), 98);
  for (const std::string& body : biped_names(plan.library->bodies())) {
    if (body != "human") plan_body(plan, body, plan.trials(60), 90);
  }
}

}  // namespace promenade::study
