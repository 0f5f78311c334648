// Curves of the pendulum alone: step distance against a steady pull or push, the length of its
// legs, and an impulse. Source: Kenwright2014 figures 3.15 to 3.17, 3.19 and 3.20.
#include <array>
#include <cmath>
#include <memory>

#include "control/pendulum/step_law.h"
#include "study/report/curve.h"
#include "study/trial/walk/lone_pendulum.h"

namespace promenade::study {
namespace {

using control::pendulum::Tuning;

constexpr double kSourceSpeed = 0.7;  // m/s, the speed of the source's figures
constexpr double kNear = 0.02;        // m, by which the source's own steps vary (figure 3.19)
constexpr double kSpeedKept = 10;     // %: the source's correction is right to 90 %
constexpr double kMasses[] = {50, 70, 90, 150};  // kg
constexpr double kStraight = 0.35;  // share of the weight: with a greater force the legs lean much

ReportRow row_of(std::string id, std::string claim, std::string source, double asked,
                 std::string unit) {
  return {std::move(id), std::move(claim), std::move(source), asked, 0.0, std::move(unit)};
}

/// Fills in a row that holds up to what is asked for. @param also  what has to be so besides
ReportRow at_most(ReportRow row, double got, bool also = true) {
  row.got = got;
  row.holds = also && got <= std::get<double>(row.asked);
  return row;
}

/// Figure 3.15: 0, 10 and 100 N in turn. @return  greatest departure from the speed, %
double pull_in_turn(const Tuning& tuning, Curve& curve) {
  trial::LonePendulum pendulum({70, 1, kSourceSpeed}, tuning);
  double distance = 0, worst = 0;
  pendulum.strike_observer = [&](const trial::LonePendulum& p) { distance = p.distance(); };
  pendulum.observer = [&](const trial::LonePendulum& p) {
    curve.points.push_back({p.time(), -p.force.x(), p.stepper().velocity().x(), distance});
  };
  for (const double pull : {0.0, 10.0, 100.0, 0.0}) {
    pendulum.force = {-pull, 0, 0};
    pendulum.known = {-pull, 0};
    constexpr double kSettle = 4, kSeen = 8;  // s
    pendulum.run(kSettle);
    const double from = pendulum.stepper().com().x();
    if (!pendulum.run(kSeen)) return 100;
    const double speed = (pendulum.stepper().com().x() - from) / kSeen;
    worst = std::max(worst, 100 * std::abs(speed - kSourceSpeed) / kSourceSpeed);
  }
  return worst;
}

/// Step distances of one mass against forces of one direction.
struct ForceLine {
  double worst = 0;    // m, from the line of eq. 3.7
  double most = 0;     // N, that it still walks against at its speed
  bool bends = false;  // the steps do not get longer, or shorter, all the way
};

ForceLine force_line(const Tuning& tuning, double mass, double way, Curve& curve) {
  ForceLine line;
  constexpr int kEvery = 10;  // N
  const double weight = mass * control::pendulum::kGravity;
  double free = 0, before = 0;  // m
  for (int i = 0; i * kEvery <= weight; ++i) {
    const double force = i * kEvery;
    const trial::EvenSteps steps =
        trial::steps_under_force({mass, 1, kSourceSpeed}, tuning, way * force);
    if (!steps.up || 100 * std::abs(steps.speed - kSourceSpeed) > kSpeedKept * kSourceSpeed) break;
    curve.points.push_back({mass, force, steps.distance, steps.spread, steps.speed});
    if (force == 0) free = before = steps.distance;
    // eq. 3.7; a leg of 1 m holds the mass that high.
    const double wanted = free + way * force / weight;
    if (force < kStraight * weight && std::abs(wanted) < tuning.step_limit - kNear)
      line.worst = std::max(line.worst, std::abs(steps.distance - wanted));
    line.bends = line.bends || way * (steps.distance - before) < -kNear;
    before = steps.distance;
    line.most = force;
  }
  return line;
}

void plan_forces(ReportPlan& plan, const Tuning& tuning, double way) {
  const std::string name = way < 0 ? "pull" : "push";
  const std::string line_id = name + "-steps", most_id = name + "-most";
  if (!plan.wants(line_id) && !plan.wants(most_id)) return;
  auto lines = std::make_shared<std::vector<ForceLine>>();
  auto curve = std::make_shared<Curve>(Curve{
      name + "-steps", {"mass_kg", "force_n", "step_distance_m", "spread_m", "speed_mps"}, {}});
  plan.job([=] {
    for (const double mass : kMasses) lines->push_back(force_line(tuning, mass, way, *curve));
  });
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
    write_curve(plan.options, *curve);
    double worst = 0, least_share = 1, most_share = 0;
    bool bends = false;
    std::string forces;
    for (std::size_t i = 0; i < lines->size(); ++i) {
      const ForceLine& line = (*lines)[i];
      worst = std::max(worst, line.worst);
      bends = bends || line.bends;
      const double share = line.most / (kMasses[i] * control::pendulum::kGravity);
      least_share = std::min(least_share, share);
      most_share = std::max(most_share, share);
      forces += formatted("%s%.0f", i > 0 ? ", " : "", line.most);
    }
    const char* figure = way < 0 ? "figure 3.16" : "figure 3.17";
    const char* change = way < 0 ? "shorter" : "longer";
    rows.push_back(at_most(
        row_of(line_id,
               formatted("steps get %s with a steady %s on 50, 70, 90 and 150 kg: furthest from "
                         "the line d + F h / (m g), up to %.2f of the weight",
                         change, name.c_str(), kStraight),
               figure, kNear, "m"),
        worst, !bends));
    rows.push_back(at_most(
        row_of(most_id,
               formatted("greatest %s against which these walk at %.1f m/s: %s N; as a share of "
                         "the weight they differ by",
                         name.c_str(), kSourceSpeed, forces.c_str()),
               figure, 10, "%"),
        100 * (most_share - least_share) / most_share));
  });
}

void plan_pull_in_turn(ReportPlan& plan, const Tuning& tuning) {
  const std::string id = "pull-speed";
  if (!plan.wants(id)) return;
  auto curve = std::make_shared<Curve>(
      Curve{"pull-in-turn", {"time_s", "pull_n", "speed_mps", "step_distance_m"}, {}});
  auto worst = std::make_shared<double>(0);
  plan.job([=] { *worst = pull_in_turn(tuning, *curve); });
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
    write_curve(plan.options, *curve);
    rows.push_back(at_most(row_of(id,
                                  formatted("walks at %.1f m/s, pulled back by 0, 10 and 100 N in "
                                            "turn: mean speed off by at most",
                                            kSourceSpeed),
                                  "figure 3.15: relatively constant", kSpeedKept, "%"),
                           *worst));
  });
}

/// A straight line by least squares.
struct Line {
  double slope = 0, furthest = 0;  // of y over x; y of the furthest point from it
};
Line line_through(const std::vector<std::pair<double, double>>& points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [a, b] : points) n += 1, x += a, y += b, xx += a * a, xy += a * b;
  Line line;
  line.slope = (n * xy - x * y) / (n * xx - x * x);
  const double start = (y - line.slope * x) / n;
  for (const auto& [a, b] : points)
    line.furthest = std::max(line.furthest, std::abs(b - start - line.slope * a));
  return line;
}

struct LegLines {
  std::vector<std::pair<double, double>> usual;  // leg and step distance at 70 kg, m
  double off_law = 0;                            // %, of eq. 3.3
  double by_mass = 0;                            // m, by which masses differ
  double spread = 0;                             // m, of the steps of one walk
  bool up = true;
};

LegLines leg_lines(const Tuning& tuning, Curve& curve) {
  LegLines out;
  for (int i = 0; i <= 12; ++i) {
    const double leg = 0.7 + 0.05 * i;
    double usual = 0;
    for (const double mass : {70.0, 20.0, 120.0}) {
      trial::LonePendulum pendulum({mass, leg, kSourceSpeed}, tuning);
      const trial::EvenSteps steps = trial::even_steps(pendulum, 10, 20);
      curve.points.push_back({leg, mass, steps.distance, steps.spread, steps.speed});
      out.up = out.up && steps.up;
      out.spread = std::max(out.spread, steps.spread);
      if (mass == 70) usual = steps.distance;
      out.by_mass = std::max(out.by_mass, std::abs(steps.distance - usual));
    }
    const double law = control::pendulum::capture_distance(kSourceSpeed, leg);
    out.off_law = std::max(out.off_law, 100 * std::abs(usual - law) / law);
    out.usual.emplace_back(leg, usual);
  }
  return out;
}

void plan_legs_of_pendulums(ReportPlan& plan, const Tuning& tuning) {
  if (!plan.wants("leg-steps") && !plan.wants("leg-law") && !plan.wants("leg-mass") &&
      !plan.wants("leg-even"))
    return;
  auto curve = std::make_shared<Curve>(
      Curve{"leg-steps", {"leg_m", "mass_kg", "step_distance_m", "spread_m", "speed_mps"}, {}});
  auto legs = std::make_shared<LegLines>();
  plan.job([=] { *legs = leg_lines(tuning, *curve); });
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
    write_curve(plan.options, *curve);
    const char* figure = "figure 3.19";
    const Line line = line_through(legs->usual);
    rows.push_back(at_most(row_of("leg-steps",
                                  formatted("steps at %.1f m/s get longer with the leg, 0.7 to "
                                            "1.3 m, by %.1f cm each 10 cm: furthest from a "
                                            "straight line",
                                            kSourceSpeed, 10 * line.slope),
                                  formatted("%s: linear", figure), kNear, "m"),
                           line.furthest, line.slope > 0 && legs->up));
    rows.push_back(
        at_most(row_of("leg-law", "the same: furthest from eq. 3.3 at that speed", figure, 10, "%"),
                legs->off_law, legs->up));
    rows.push_back(at_most(
        row_of("leg-even", "the same: longest less shortest step of one walk, the worst of 39",
               "0.02 m", kNear, "m"),
        legs->spread, legs->up));
    rows.push_back(at_most(row_of("leg-mass", "the same with 20 and 120 kg: steps differ by",
                                  "do not differ", 0.001, "m"),
                           legs->by_mass, legs->up));
  });
}

struct Impulses {
  double backwards = 0;  // m, by which a greater impulse gave a shorter step
  double apart = 0;      // m, between steps after the same impulse
  double longest = 0;    // m
  double kept = 0;       // %, of the speed, after one step
  bool up = true;
};

// A longer push lasts until the step: the foot comes down before its whole impulse is known.
constexpr double kShort = 0.3;          // s
constexpr double kImpulseApart = 0.06;  // m

Impulses step_after_impulses(const Tuning& tuning, Curve& curve) {
  Impulses out;
  constexpr double kDurations[] = {0.1, 0.2, 0.3, 0.5};  // s
  std::array<double, std::size(kDurations)> before{};
  constexpr int kImpulses = 30;
  for (int k = 1; k <= kImpulses; ++k) {
    const double impulse = 5 * k;
    double least = 1e9, most = 0;
    bool all_step = true;
    for (std::size_t i = 0; i < std::size(kDurations); ++i) {
      const double duration = kDurations[i];
      const trial::CaptureStep step =
          trial::step_after_push({70, 1, 0}, tuning, impulse / duration, duration);
      curve.points.push_back({duration, impulse, impulse / duration, step.distance,
                              step.speed_before, step.speed_after});
      out.up = out.up && step.up;
      out.backwards = std::max(out.backwards, before[i] - step.distance);
      out.longest = std::max(out.longest, step.distance);
      before[i] = step.distance;
      if (duration > kShort) continue;
      all_step = all_step && step.stepped;
      least = std::min(least, step.distance);
      most = std::max(most, step.distance);
      if (step.stepped && step.distance < tuning.step_limit - 2 * kNear)
        out.kept = std::max(out.kept, 100 * step.speed_after / step.speed_before);
    }
    if (all_step) out.apart = std::max(out.apart, most - least);
  }
  return out;
}

void plan_impulses(ReportPlan& plan, const Tuning& tuning) {
  if (!plan.wants("impulse-steps") && !plan.wants("impulse-one-curve") &&
      !plan.wants("impulse-limit") && !plan.wants("impulse-stop"))
    return;
  auto curve = std::make_shared<Curve>(Curve{
      "impulse-steps",
      {"duration_s", "impulse_ns", "force_n", "step_distance_m", "speed_mps", "speed_after_mps"},
      {}});
  auto got = std::make_shared<Impulses>();
  plan.job([=] { *got = step_after_impulses(tuning, *curve); });
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
    write_curve(plan.options, *curve);
    const char* figure = "figure 3.20";
    rows.push_back(at_most(row_of("impulse-steps",
                                  "stands and is pushed with 5 to 150 N s for 0.1 to 0.5 s: its "
                                  "first step gets longer with the impulse; shorter by at most",
                                  figure, kNear, "m"),
                           got->backwards, got->up));
    rows.push_back(at_most(
        row_of("impulse-one-curve", "the same impulse in 0.1, 0.2 and 0.3 s: steps differ by",
               figure, kImpulseApart, "m"),
        got->apart, got->up));
    rows.push_back(at_most(row_of("impulse-limit", "the longest of these steps; asked: the limit",
                                  figure, tuning.step_limit, "m"),
                           got->longest, got->up));
    rows.push_back(at_most(row_of("impulse-stop",
                                  "share of the speed that is left after that step where it is "
                                  "below its limit, of pushes of up to 0.3 s",
                                  "stops", 50, "%"),
                           got->kept, got->up));
  });
}

}  // namespace

void plan_pendulum_curves(ReportPlan& plan) {
  const Tuning tuning(trial::usual_pendulum(*plan.library));
  plan_pull_in_turn(plan, tuning);
  for (const double way : {-1.0, 1.0}) plan_forces(plan, tuning, way);
  plan_legs_of_pendulums(plan, tuning);
  plan_impulses(plan, tuning);
}

}  // namespace promenade::study
