// Over and under obstacles, up and down stairs (Coros2010 §5.4). Strict: a trial counts that does
// not fall, gets past in time, and in which nothing but the feet touches ground or obstacle.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "math/random.h"
#include "study/report/plan.h"
#include "study/trial/task/over.h"

namespace promenade::study {
namespace {

using trial::Bar;
using trial::Walker;

constexpr int kTrials = 100;
constexpr double kBeyond = 1;                       // m past the last obstacle
constexpr double kMostOver = 0.6, kMostDeep = 0.4;  // m: limits of obstacles, raised for the rows
constexpr double kThinDeep = 0.25;  // m: legs that straddle a high obstacle have room for this

struct OverCourse {
  std::shared_ptr<const physics::Ground> ground;
  double past = 0;  // m
};

/// A row of the share of trials that are clean; how many stay up and get past is told beside it.
void plan_course(ReportPlan& plan, const std::string& id, const std::string& what, double asked,
                 const Walker& walker, double speed, double seconds,
                 const std::function<OverCourse(Random&)>& course) {
  if (!plan.wants(id)) return;
  const int count = plan.trials(kTrials);
  auto runs = std::make_shared<std::vector<trial::WayRun>>(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    plan.job(
        [=, seed = plan.seed_of(id, i)] {
          Random random = Random::stream(seed, 0x0e4ULL);
          const OverCourse made = course(random);
          Walker sent = walker;
          sent.straight_on = true;
          sent.ground = made.ground;
          (*runs)[std::size_t(i)] = trial::go_over(sent, speed, made.past, seconds, seed);
        },
        seconds);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    int up = 0, past = 0, clean = 0;
    for (const trial::WayRun& run : *runs) {
      up += run.up;
      past += run.past;
      clean += run.clean();
    }
    rows.push_back(rate_row(
        id,
        formatted("%d times %s at %.1f m/s, met at any phase: past it with nothing but the feet "
                  "touching anything; %d stay up, %d of them get past",
                  count, what.c_str(), speed, up, past),
        "shown", asked, 100.0 * clean / count));
  });
}

double ahead(Random& random) { return random.uniform(1.8, 2.9); }

OverCourse obstacles(Random& random, double height, int count, double scale,
                     double deepest = kMostDeep) {
  std::vector<Bar> bars;
  double at = ahead(random);
  for (int i = 0; i < count; ++i) {
    const double depth = random.uniform(0.05, deepest) * scale;
    bars.push_back({at, depth, 0, height * scale});
    at += depth + random.uniform(0.8, 2.2) * scale;
  }
  return {trial::bars_across(bars), bars.back().near + bars.back().depth + kBeyond};
}

/// A bar overhead, and an obstacle up to a metre before or behind it unless its height is 0.
OverCourse bar_and_obstacle(Random& random, double underside, double height) {
  constexpr double kThick = 0.1;  // m
  const double at = ahead(random), offset = random.uniform(-1, 1);
  std::vector<Bar> bars{{at, kThick, underside, underside + kThick}};
  if (height > 0) bars.push_back({at + offset, random.uniform(0.05, 0.2), 0, height});
  return {trial::bars_across(bars), at + kBeyond + std::max(0.0, offset)};
}

Walker raised(const ReportPlan& plan, const std::string& body, const std::string& style) {
  Walker walker = Walker::of(*plan.library, body, style);
  v1::GbwcParameters limits = walker.gbwc();
  limits.mutable_over()->set_most_m(kMostOver);
  limits.mutable_over()->set_depth_m(kMostDeep);
  limits.mutable_over()->set_both_m(kMostOver + kMostDeep);
  walker.set_gbwc(limits);
  return walker;
}

void plan_over(ReportPlan& plan, const Walker& human) {
  const struct {
    int height_cm;
    double asked;  // %
  } heights[] = {{10, 98}, {20, 98}, {30, 98}, {45, 98}, {60, 90}};
  for (const auto& h : heights) {
    plan_course(plan, formatted("step-over-%d", h.height_cm),
                formatted("over an obstacle %d cm high and 5 to 40 cm deep", h.height_cm), h.asked,
                human, 0.6, 14,
                [=](Random& random) { return obstacles(random, 0.01 * h.height_cm, 1, 1); });
  }
  for (const int height_cm : {45, 60}) {
    plan_course(plan, formatted("step-over-%d-thin", height_cm),
                formatted("over an obstacle %d cm high and 5 to 25 cm deep", height_cm),
                height_cm == 45 ? 98 : 90, human, 0.6, 14, [=](Random& random) {
                  return obstacles(random, 0.01 * height_cm, 1, 1, kThinDeep);
                });
  }
  for (const int height_cm : {20, 30}) {
    plan_course(
        plan,
        height_cm == 20 ? std::string("step-over-five") : formatted("step-over-five-%d", height_cm),
        formatted("over five obstacles %d cm high at random distances", height_cm), 90, human, 0.6,
        40, [=](Random& random) { return obstacles(random, 0.01 * height_cm, 5, 1); });
  }
}

void plan_under(ReportPlan& plan, const Walker& human) {
  constexpr double kStature = 1.73;  // m
  for (const int percent : {80, 75, 70, 65}) {
    const double underside = 0.01 * percent * kStature;
    plan_course(plan, formatted("duck-%d", percent),
                formatted("under a bar at %d %% of one's height", percent), 95, human, 0.6, 16,
                [=](Random& random) { return bar_and_obstacle(random, underside, 0); });
  }
  const struct {
    const char* id;
    int percent, height_cm;
  } pairs[] = {
      {"duck-and-step", 75, 20}, {"duck-and-step-30", 75, 30}, {"duck-65-and-step", 65, 20}};
  for (const auto& pair : pairs) {
    plan_course(
        plan, pair.id,
        formatted("under a bar at %d %% of one's height with an obstacle of %d cm within 1 m "
                  "of it",
                  pair.percent, pair.height_cm),
        95, human, 0.6, 20, [=](Random& random) {
          return bar_and_obstacle(random, 0.01 * pair.percent * kStature, 0.01 * pair.height_cm);
        });
  }
}

constexpr double kTread = 0.3, kLanding = 1.2;  // m, of stairs
constexpr int kStairs = 5, kFlights = 3;        // steps of a flight; flights on end

/// One flight, up or down from a level place that reaches behind the start.
OverCourse flight(Random& random, double rise, bool up, double scale = 1) {
  constexpr double kBehind = 5, kTop = 8;  // m, level ground before and after it
  const double edge = ahead(random), end = edge + (kStairs - 1) * kTread;
  std::vector<Bar> bars;
  if (!up) bars.push_back({-kBehind, kBehind + edge, 0, kStairs * rise});
  for (int i = 0; i < kStairs; ++i) {
    const double high = rise * (up ? i + 1 : kStairs - 1 - i);
    if (high > 0) bars.push_back({edge + i * kTread, i + 1 < kStairs ? kTread : kTop, 0, high});
  }
  for (Bar& bar : bars) bar = {bar.near * scale, bar.depth * scale, 0, bar.top * scale};
  return {trial::bars_across(bars), (end + kLanding) * scale};
}

void plan_one_flight(ReportPlan& plan, const Walker& human) {
  for (const bool up : {true, false}) {
    for (const int rise_cm : {15, 20, 25}) {
      for (const double speed : {0.3, 0.5, 0.8}) {
        plan_course(plan, formatted("stairs-%s-%d-at-%.1f", up ? "up" : "down", rise_cm, speed),
                    formatted("%s %d stairs of %d cm", up ? "up" : "down", kStairs, rise_cm), 95,
                    human, speed, 20 + 10 / speed,
                    [=](Random& random) { return flight(random, 0.01 * rise_cm, up); });
      }
    }
  }
}

void plan_flights(ReportPlan& plan, const Walker& human) {
  for (const int rise_cm : {20, 25}) {
    for (const double speed : {0.3, 0.6, 0.8}) {
      const double length = 2 * kFlights * ((kStairs - 1) * kTread + kLanding);
      plan_course(plan, formatted("flights-%d-at-%.1f", rise_cm, speed),
                  formatted("up and down three flights of %d stairs of %d cm", kStairs, rise_cm),
                  95, human, speed, 20 + 2 * length / speed, [=](Random& random) {
                    const double edge = ahead(random);
                    return OverCourse{
                        trial::flights_up_and_down(0.01 * rise_cm, kTread, kStairs, kFlights, edge),
                        edge + length};
                  });
    }
  }
}

/// Stairs of 20 cm, scaled by the leg, up and down.
void plan_flight_of(ReportPlan& plan, const std::string& who, const Walker& walker) {
  constexpr double kRise = 0.2;  // m, for a human's leg
  const double scale = walker.body->leg_scale(), speed = 0.5 * std::sqrt(scale);
  for (const bool up : {true, false}) {
    plan_course(plan, formatted("stairs-%s-body-%s", up ? "up" : "down", who.c_str()),
                formatted("%s %d stairs of %d cm, scaled by the leg: %s", up ? "up" : "down",
                          kStairs, int(std::lround(100 * kRise)), who.c_str()),
                90, walker, speed, 40,
                [=](Random& random) { return flight(random, kRise, up, scale); });
  }
}

void plan_all_bodies(ReportPlan& plan) {
  constexpr double kHeight = 0.2;  // m, for a human's leg
  const auto plan_walker = [&](const std::string& id, const std::string& who,
                               const Walker& walker) {
    const double scale = walker.body->leg_scale();
    plan_course(plan, id, "over an obstacle of 20 cm, scaled by the leg: " + who, 90, walker,
                0.6 * std::sqrt(scale), 20,
                [=](Random& random) { return obstacles(random, kHeight, 1, scale); });
  };
  for (const char* body :
       {"human", "child", "giant", "lanky", "stout", "athlete", "robot", "beast1", "beast2"}) {
    const std::string id = std::string("step-over-body-") + body;
    if (plan.wants(id)) plan_walker(id, body, raised(plan, body, "normal"));
    plan_flight_of(plan, body, raised(plan, body, "normal"));
  }
  for (const std::string& style : plan.library->styles().names()) {
    const std::string id = "step-over-style-" + style;
    if (plan.wants(id)) plan_walker(id, style, raised(plan, "human", style));
  }
}

}  // namespace

void plan_over_and_under(ReportPlan& plan) {
  const Walker human = raised(plan, "human", "normal");
  plan_over(plan, human);
  plan_under(plan, human);
  plan_one_flight(plan, human);
  plan_flights(plan, human);
  plan_all_bodies(plan);
}

}  // namespace promenade::study
