// How trunk and speed behave with the virtual pivot point and without. Source: Kenwright2014
// chapter 4.
#include <cmath>
#include <memory>

#include "math/rotation.h"
#include "study/report/curve.h"
#include "study/trial/walk/lone_pendulum.h"

namespace promenade::study {
namespace {

using control::pendulum::Tuning;
using trial::LonePendulum;

constexpr double kPush = 100, kPushTime = 0.4;  // N and s, the greatest of §4.4.2
constexpr double kAfter = 3;                    // s, until all is to be as before the push
constexpr double kSpeeds[] = {0.5, 1.0, 1.5};   // m/s

Tuning tuning_of(const ReportPlan& plan, bool pivot) {
  v1::PendulumParameters parameters = trial::usual_pendulum(*plan.library);
  parameters.set_elongated_body(pivot ? 1 : 0);
  return Tuning(parameters);
}

/// Level ground up to the start, then a slope; positive up.
physics::GroundPlan slope(double degrees) {
  constexpr double kLong = 60, kWide = 10, kDeep = 2;  // m
  const double angle = degrees * kRadFromDeg;
  physics::GroundPlan plan;
  plan.plane = false;
  physics::GroundBlock before, ramp;
  before.half = ramp.half = {0.5 * kLong, 0.5 * kWide, 0.5 * kDeep};
  before.pose.position = {-0.5 * kLong, 0, -0.5 * kDeep};
  ramp.pose.rotation = rotation_y(-angle);
  ramp.pose.position = ramp.pose.rotation * Vec3(0.5 * kLong, 0, -0.5 * kDeep);
  plan.blocks = {before, ramp};
  return plan;
}

double lean_of(const LonePendulum& p) { return p.stepper().trunk().lean.x() / kRadFromDeg; }

struct Walked {
  bool up = false;
  double mean = 0, most = 0;  // degrees, lean; most: its size
  double speed = 0;           // m/s
  double pushed = 0;          // degrees, greatest change of the lean while it is pushed and after
  double back = 0;            // degrees, that the mean lean is off some seconds later
  double lost = 0;            // m, that it is behind for the push by then
};

/// Walks, and is pushed from the front. @param curve  null: none
Walked walk(const trial::LonePlan& plan, const Tuning& tuning, double degrees, Curve* curve) {
  Walked out;
  LonePendulum pendulum(plan, tuning, slope(degrees));
  constexpr double kSettle = 8, kSeen = 10;  // s
  pendulum.run(kSettle);
  double sum = 0, from = pendulum.stepper().com().x();
  int count = 0;
  const auto look = [&](const LonePendulum& p) {
    const double lean = lean_of(p);
    sum += lean;
    ++count;
    out.most = std::max(out.most, std::abs(lean));
    // The last two seconds before the push, and all after it.
    if (curve && p.time() > kSettle + kSeen - 2)
      curve->points.push_back({plan.speed, tuning.parts.elongated_body ? 1.0 : 0.0,
                               p.time() - kSettle - kSeen, -p.force.x(), lean,
                               p.stepper().velocity().x()});
  };
  pendulum.observer = look;
  pendulum.run(kSeen);
  out.mean = sum / count;
  out.speed = (pendulum.stepper().com().x() - from) / kSeen;
  const double steady = out.most;
  from = pendulum.stepper().com().x();
  pendulum.force = {-kPush, 0, 0};
  pendulum.observer = [&](const LonePendulum& p) {
    look(p);
    out.pushed = std::max(out.pushed, std::abs(lean_of(p) - out.mean));
  };
  pendulum.run(kPushTime);
  pendulum.force.setZero();
  pendulum.run(kAfter);
  out.most = steady;
  sum = count = 0;
  pendulum.observer = look;
  out.up = pendulum.run(2);
  out.back = std::abs(sum / count - out.mean);
  out.lost = out.speed * (kPushTime + kAfter + 2) - (pendulum.stepper().com().x() - from);
  return out;
}

struct WithAndWithout {
  double speed = 0;
  Walked on, off;
};

void add_pair_rows(const std::vector<WithAndWithout>& pairs, std::vector<ReportRow>& rows) {
  double most = 0, least_pushed = 1e9, back = 0, apart = 0, lost = 0;
  bool up = true, stiff = true;
  for (const WithAndWithout& pair : pairs) {
    up = up && pair.on.up && pair.off.up;
    most = std::max(most, pair.on.most);
    least_pushed = std::min(least_pushed, pair.on.pushed);
    back = std::max(back, pair.on.back);
    stiff = stiff && pair.off.most == 0 && pair.off.pushed == 0;
    apart = std::max(apart, 100 * std::abs(pair.on.speed - pair.off.speed) / pair.speed);
    lost = std::max(lost, 100 * pair.on.lost / pair.off.lost);
  }
  rows.push_back({"pivot-upright",
                  "walks at 0.5, 1 and 1.5 m/s with the virtual pivot point: greatest lean of the "
                  "trunk",
                  "self-balancing", 5.0, most, "degrees", up && most <= 5});
  rows.push_back({"pivot-yields",
                  formatted("the same, pushed back with %.0f N for %.1f s: the trunk yields by at "
                            "least; without the point not at all",
                            kPush, kPushTime),
                  "figure 4.10", 2.0, least_pushed, "degrees", up && stiff && least_pushed >= 2});
  rows.push_back({"pivot-back",
                  formatted("%.0f s later the trunk's mean lean is off by at most", kAfter),
                  "shown", 1.0, back, "degrees", up && back <= 1});
  rows.push_back({"pivot-speed",
                  "speeds with the point and without, before the push: differ by at most", "", 3.0,
                  apart, "%", up && apart <= 3});
  rows.push_back({"pivot-lost",
                  "way that is lost by the push with the point, whose offset speeds it up, as a "
                  "share of that without",
                  "eq. 4.7", 100.0, lost, "%", up && lost <= 100});
}

void plan_pairs(ReportPlan& plan) {
  if (!plan.wants("pivot-upright") && !plan.wants("pivot-yields") && !plan.wants("pivot-back") &&
      !plan.wants("pivot-speed") && !plan.wants("pivot-lost"))
    return;
  auto pairs = std::make_shared<std::vector<WithAndWithout>>();
  auto curve = std::make_shared<Curve>(
      Curve{"pivot", {"desired_mps", "pivot", "time_s", "push_n", "lean_deg", "speed_mps"}, {}});
  plan.job([=, on = tuning_of(plan, true), off = tuning_of(plan, false)] {
    for (const double speed : kSpeeds) {
      const trial::LonePlan who{70, 1, speed};
      pairs->push_back({speed, walk(who, on, 0, curve.get()), walk(who, off, 0, curve.get())});
    }
  });
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
    write_curve(plan.options, *curve);
    add_pair_rows(*pairs, rows);
  });
}

void plan_slopes(ReportPlan& plan) {
  const std::string id = "pivot-slopes";
  if (!plan.wants(id)) return;
  auto curve = std::make_shared<Curve>(
      Curve{"pivot-slopes", {"slope_deg", "pivot", "lean_deg", "speed_mps"}, {}});
  auto leans = std::make_shared<std::vector<double>>();
  auto up = std::make_shared<bool>(true);
  plan.job([=, on = tuning_of(plan, true), off = tuning_of(plan, false)] {
    for (int i = -5; i <= 5; ++i) {
      const double degrees = 3 * i;
      for (const bool pivot : {true, false}) {
        const Walked walked = walk({70, 1, 1.0}, pivot ? on : off, degrees, nullptr);
        curve->points.push_back({degrees, pivot ? 1.0 : 0.0, walked.mean, walked.speed});
        *up = *up && walked.up;
        if (pivot) leans->push_back(walked.mean);
      }
    }
  });
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
    write_curve(plan.options, *curve);
    double least = 1e9;  // degrees, that three more degrees of the slope add
    for (std::size_t i = 1; i < leans->size(); ++i)
      least = std::min(least, (*leans)[i] - (*leans)[i - 1]);
    rows.push_back({id,
                    formatted("walks at 1 m/s on slopes of -15 to 15 degrees: the trunk leans into "
                              "the slope, from %.1f to %.1f degrees; 3 degrees more add at least",
                              leans->front(), leans->back()),
                    "eq. 4.6", 0.1, least, "degrees", *up && least >= 0.1});
  });
}

/// The point is what holds the trunk: as far below the mass it topples.
void plan_below(ReportPlan& plan) {
  const std::string id = "pivot-below";
  if (!plan.wants(id)) return;
  auto most = std::make_shared<double>(0);
  plan.job([=, on = tuning_of(plan, true)] {
    trial::LonePlan who{70, 1, 1.0};
    who.pivot_height = -control::pendulum::trunk_of(who.mass, who.leg).pivot_height;
    LonePendulum pendulum(who, on);
    pendulum.observer = [&](const LonePendulum& p) {
      *most = std::max(*most, std::abs(lean_of(p)));
    };
    pendulum.run(10);
  });
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    rows.push_back({id,
                    "with the point as far below the mass as it is above it otherwise, the trunk "
                    "topples: within 10 s it leans by at least",
                    "§4.3", 60.0, *most, "degrees", *most >= 60});
  });
}

}  // namespace

void plan_pendulum_pivot(ReportPlan& plan) {
  plan_pairs(plan);
  plan_slopes(plan);
  plan_below(plan);
}

}  // namespace promenade::study
