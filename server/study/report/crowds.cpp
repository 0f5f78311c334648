// Crowds of discs: speed against density, lanes, doors, and whether anybody touches.
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "behaviour/crowd/pace.h"
#include "study/report/plan.h"
#include "study/trial/crowd/pedestrians.h"

namespace promenade::study {
namespace {

using trial::PedestrianOptions;
using trial::PedestrianRun;

constexpr double kRounded = 1e-4;        // m, into a wall, by rounding
constexpr double kStepLag = 0.25;        // s, of a walker's answer
constexpr double kBody = 0.2;            // m, radius of a disc with the area that people take up
constexpr double kWide = 0.25;           // m, radius of a light biped
constexpr double kNearPublished = 0.15;  // share of the published speed
constexpr double kNearPublishedLeast = 0.06;  // m/s
constexpr double kDensities[] = {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5};

using Trial = std::function<PedestrianRun(const PedestrianOptions&)>;
using Result = std::shared_ptr<PedestrianRun>;

PedestrianOptions options_of(const ReportPlan& plan, const std::string& id, double radius,
                             double lag, double seconds) {
  PedestrianOptions options;
  options.seed = plan.seed_of(id, 0);
  options.radius = radius;
  options.lag = lag;
  options.seconds = seconds;
  return options;
}

Result plan_trial(ReportPlan& plan, const PedestrianOptions& options, double cost,
                  const Trial& trial) {
  auto result = std::make_shared<PedestrianRun>();
  plan.job([=] { *result = trial(options); }, cost);
  return result;
}

std::string lag_text(double lag) {
  return lag > 0 ? formatted(", each with a lag of %.2f s", lag) : "";
}

/// Nobody touches anybody or a wall, and all get there.
void plan_scene(ReportPlan& plan, const std::string& id, const std::string& what, double seconds,
                double lag, double cost, const Trial& trial) {
  const std::string touch = id + "-overlaps", there = id + "-through";
  if (!plan.wants(touch) && !plan.wants(there)) return;
  const Result run = plan_trial(plan, options_of(plan, id, kWide, lag, seconds), cost, trial);
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    rows.push_back(
        {touch,
         what + lag_text(lag) +
             formatted(
                 ": pairs of discs that overlap, summed over the steps, at most; "
                 "the deepest by %.1f mm, with a wall by %.2f mm (0.1 is allowed for rounding)",
                 1e3 * run->deepest, 1e3 * std::max(0.0, run->into_wall)),
         "", 0.0, double(run->overlaps), "", run->overlaps == 0 && run->into_wall <= kRounded});
    rows.push_back(rate_row(there,
                            formatted("the same: share of all that get there within %.0f s; the "
                                      "last after %.0f s",
                                      seconds, run->last_s),
                            "", 99, 100 * run->through));
  });
}

void plan_scenes(ReportPlan& plan) {
  const int circle = plan.amount(200, 60), each = plan.amount(300, 60);
  for (const double lag : {0.0, kStepLag}) {
    const std::string end = lag > 0 ? "-lag" : "";
    plan_scene(plan, "circle" + end,
               formatted("%d people on a circle who go to the opposite point", circle), 180, lag,
               60, [=](const PedestrianOptions& o) { return trial::run_circle(circle, o); });
    plan_scene(plan, "crossing" + end,
               formatted("two streams of %d, 5 m wide, at right angles", each), 300, lag, 200,
               [=](const PedestrianOptions& o) { return trial::run_crossing(each, o); });
    plan_scene(plan, "head-on" + end,
               formatted("two streams of %d head on in a corridor of 5 m", each), 400, lag, 300,
               [=](const PedestrianOptions& o) { return trial::run_head_on(each, o); });
  }
}

void plan_densities(ReportPlan& plan) {
  struct Point {
    double density;
    Result direct, lagging;
  };
  auto points = std::make_shared<std::vector<Point>>();
  const double seconds = plan.amount(40.0, 12.0);
  for (const double density : kDensities) {
    const std::string id = formatted("speed-at-%.1f", density);
    if (!plan.wants(id)) continue;
    const auto run = [=](const PedestrianOptions& o) { return trial::run_one_way(density, o); };
    const double cost = 20 * density;
    points->push_back(
        {density, plan_trial(plan, options_of(plan, id, kBody, 0, seconds), cost, run),
         plan_trial(plan, options_of(plan, id, kBody, kStepLag, seconds), cost, run)});
  }
  if (points->empty()) return;
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    TextTable table({"people/m2", "Weidmann m/s", "discs m/s", "with lag m/s", "flow /(m s)",
                     "Weidmann's flow", "overlaps"});
    for (const Point& p : *points) {
      const double published =
          behaviour::crowd::kWeidmannFree * behaviour::crowd::weidmann_share(float(p.density));
      const double off = std::abs(p.direct->speed - published);
      rows.push_back({formatted("speed-at-%.1f", p.density),
                      formatted("mean speed in one direction at %.1f people/m2; within 15 %% or "
                                "0.06 m/s of the published one",
                                p.density),
                      "Weidmann 1993", published, p.direct->speed, "m/s",
                      off <= std::max(kNearPublished * published, kNearPublishedLeast) &&
                          p.direct->overlaps == 0});
      table.add({formatted("%.1f", p.density), formatted("%.3f", published),
                 formatted("%.3f", p.direct->speed), formatted("%.3f", p.lagging->speed),
                 formatted("%.2f", p.direct->flow), formatted("%.2f", published * p.density),
                 formatted("%ld", p.direct->overlaps + p.lagging->overlaps)});
    }
    notes +=
        "\nSpeed against density, one direction, discs of 0.2 m radius (discs of 0.25 m fit "
        "4.6 on a square metre at most):\n" +
        table.text();
  });
}

void plan_lanes(ReportPlan& plan) {
  const double seconds = plan.amount(90.0, 40.0);
  for (const double density : {1.0, 2.0}) {
    for (const double lag : {0.0, kStepLag}) {
      const std::string id = formatted("lanes-at-%.0f%s", density, lag > 0 ? "-lag" : "");
      if (!plan.wants(id)) continue;
      const Result run =
          plan_trial(plan, options_of(plan, id, kWide, lag, seconds), 60 * density,
                     [=](const PedestrianOptions& o) { return trial::run_lanes(density, o); });
      plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
        rows.push_back({id,
                        formatted("order of lanes, two directions in a corridor of 5 m, %.0f "
                                  "people/m2 together%s; %.2f at the start; speed %.2f m/s",
                                  density, lag_text(lag).c_str(), run->order_at_start, run->speed),
                        "Rex and Loewen 2007: 1 for pure lanes", 0.8, run->order, "",
                        run->order >= 0.8 && run->overlaps == 0});
      });
    }
  }
}

void plan_doors(ReportPlan& plan) {
  constexpr double kLeast = 1.3, kMost = 1.9;  // people / (m s)
  const int count = plan.amount(150, 60);
  for (const double width : {1.0, 1.2, 1.6, 2.0}) {
    for (const double radius : {kBody, kWide}) {
      const std::string id = formatted("door-%.1f%s", width, radius > kBody ? "-wide" : "");
      if (!plan.wants(id) && !plan.wants(id + "-through")) continue;
      const Result run =
          plan_trial(plan, options_of(plan, id, radius, 0, 240), 40,
                     [=](const PedestrianOptions& o) { return trial::run_door(count, width, o); });
      plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
        const std::string claim = formatted(
            "%d people, discs of %.2f m radius, leave by a door of %.1f m: people through a metre "
            "and second; the last after %.0f s",
            count, radius, width, run->last_s);
        if (radius > kBody) {
          rows.push_back({id, claim, "", std::string("measured"), run->flow, "/(m s)", true});
        } else {
          rows.push_back({id, claim, "Seyfried et al. 2009: 1.3 to 1.9",
                          formatted("%.1f to %.1f", kLeast, kMost), run->flow, "/(m s)",
                          run->flow >= kLeast && run->flow <= kMost});
        }
        rows.push_back(rate_row(
            id + "-through",
            formatted("the same: share that gets out within 240 s; %ld overlaps", run->overlaps),
            "", 100, run->overlaps == 0 && run->into_wall <= kRounded ? 100 * run->through : 0));
      });
    }
  }
}

}  // namespace

void plan_crowds(ReportPlan& plan) {
  plan.begin_section(
      "Discs of 0.25 m radius that go as they choose 20 times a second, or, where a lag is named, "
      "as a walker answers");
  plan_scenes(plan);
  plan.begin_section("Speed against density");
  plan_densities(plan);
  plan.begin_section("Lanes and doors");
  plan_lanes(plan);
  plan_doors(plan);
}

}  // namespace promenade::study
