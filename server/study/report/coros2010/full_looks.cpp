// Figures of how each style looks. scripts/film-strip draws pictures of it.
#include <algorithm>
#include <memory>

#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/walk/turning.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {
namespace {

using trial::GaitQuality;
using trial::Walker;

constexpr double kSlip = 1;                          // cm a step, at most
constexpr double kThrough = 1, kThroughInTurns = 5;  // % of steps, at most
constexpr double kOpposed = -0.5;  // correlation of arm and leg of a side, at most: our own
constexpr double kStubs = 2;       // % of steps, at most: a bar of our own
constexpr double kPastStraight = 2 * kRadFromDeg;  // rad, at most: our own

struct Look {
  std::string style;
  std::vector<trial::SteadyWalk> straight;
  std::vector<trial::SharpTurns> turning;
};

/// Whether a style asks for arms that swing: a shoulder's curve that moves by 10 degrees or more.
bool swings_arms(const Style& style) {
  constexpr int kSamples = 20;  // samples of a step
  for (const StyleCurve& curve : style.curves) {
    if (curve.joint != StyleJoint::kStanceShoulder || curve.axis != 1) continue;
    double low = 1e9, high = -1e9;
    for (int i = 0; i < kSamples; ++i) {
      const double phase = double(i) / kSamples;
      low = std::min(low, curve.angle(phase));
      high = std::max(high, curve.angle(phase));
    }
    const double factor = curve.by_speed.empty() ? 1 : curve.by_speed(style.speed);
    if (style.arm_swing * factor * (high - low) >= 10 * kRadFromDeg) return true;
  }
  return false;
}

double percent(int part, int whole) { return whole > 0 ? 100.0 * part / whole : 100; }

ReportRow most_row(std::string id, std::string claim, std::string source, double asked, double got,
                   std::string unit, int fell) {
  ReportRow row{std::move(id), std::move(claim), std::move(source),        asked,
                got,           std::move(unit),  fell == 0 && got <= asked};
  if (fell > 0) row.claim += formatted(" (%d fell)", fell);
  return row;
}

}  // namespace

void plan_looks(ReportPlan& plan) {
  const int seeds = plan.options.seeds;
  const double seconds = std::max(15.0, plan.span(60));
  const int turns = plan.trials(24);
  auto looks = std::make_shared<std::vector<Look>>();
  for (const std::string& style : plan.library->styles().names()) {
    if (!plan.wants("slip-" + style) && !plan.wants("through-" + style) &&
        !plan.wants("through-turns-" + style) && !plan.wants("toe-stubs") &&
        !plan.wants("knee-past-straight") && !plan.wants("arms-against-legs")) {
      continue;
    }
    looks->push_back({style, std::vector<trial::SteadyWalk>(std::size_t(seeds)),
                      std::vector<trial::SharpTurns>(std::size_t(seeds))});
  }
  for (Look& look : *looks) {
    const Walker walker = Walker::of(*plan.library, "human", look.style);
    for (int k = 0; k < seeds; ++k) {
      const std::uint64_t seed = plan.seed_of("look" + look.style, k);
      plan.job(
          [=, &look] {
            look.straight[std::size_t(k)] =
                trial::walk_steadily(walker, {trial::fitting_speed(walker), 0}, seconds, 5, seed);
          },
          seconds);
      plan.job(
          [=, &look] {
            look.turning[std::size_t(k)] =
                trial::turn_sharply(walker, trial::fitting_speed(walker), turns, seed);
          },
          3 * turns);
    }
  }
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string& notes) {
    if (looks->empty()) return;
    TextTable table({"style", "m/s", "step s", "slip cm", "worst cm", "overlap cm", "in turns cm",
                     "stubs %", "peak N m", "of", "mean sum N m", "cost of transport"});
    TextTable manner({"style", "strike deg", "lift cm", "swing knee deg", "stance knee deg",
                      "arm swing deg", "arm-leg", "jitter rad/s"});
    int stubs = 0, all_steps = 0;
    double past = 0;
    std::string past_style;
    int swinging = 0;
    double least_opposed = -1;
    std::string least_opposed_style;
    std::vector<ReportRow> slips, through, in_turns;
    const Creature& body = *Walker::of(*plan.library, "human", "normal").body;
    for (const Look& look : *looks) {
      int steps = 0, here_stubs = 0, here_through = 0, fell = 0;
      double slip = 0, worst = 0, deepest = -1;
      for (const auto& walk : look.straight) {
        const GaitQuality& q = walk.quality;
        steps += q.steps;
        here_stubs += q.stubs;
        here_through += q.through;
        slip += 100 * q.slip / seeds;
        worst = std::max(worst, 100 * q.worst_slip);
        deepest = std::max(deepest, 100 * q.deepest_through);
        fell += !walk.up;
        if (q.past_straight > past) {
          past = q.past_straight;
          past_style = look.style;
        }
      }
      int turn_steps = 0, turn_through = 0, turn_fell = 0;
      double turn_deepest = -1;
      for (const auto& one : look.turning) {
        turn_steps += one.quality.steps;
        turn_through += one.quality.through;
        turn_deepest = std::max(turn_deepest, 100 * one.quality.deepest_through);
        turn_fell += !one.up;
      }
      stubs += here_stubs;
      all_steps += steps;
      const GaitQuality& q = look.straight.front().quality;
      if (swings_arms(*plan.library->styles().find(look.style))) {
        ++swinging;
        if (q.arm_against_leg > least_opposed) {
          least_opposed = q.arm_against_leg;
          least_opposed_style = look.style;
        }
      }
      table.add({look.style, formatted("%.2f", look.straight.front().velocity.x()),
                 formatted("%.2f", q.step_time), formatted("%.2f", slip), formatted("%.1f", worst),
                 formatted("%.1f", deepest), formatted("%.1f", turn_deepest),
                 formatted("%.1f", percent(here_stubs, steps)), formatted("%.0f", q.peak_torque),
                 body.joint_names[std::size_t(q.peak_link)], formatted("%.0f", q.mean_torque),
                 formatted("%.2f", q.cost_of_transport)});
      manner.add({look.style, formatted("%.0f", q.strike_pitch / kRadFromDeg),
                  formatted("%.1f", 100 * q.clearance),
                  formatted("%.0f", q.swing_knee / kRadFromDeg),
                  formatted("%.0f", q.stance_knee / kRadFromDeg),
                  formatted("%.0f", q.arm_swing / kRadFromDeg),
                  formatted("%.2f", q.arm_against_leg), formatted("%.2f", q.jitter)});
      const std::string how =
          formatted("human, %s, straight on at its speed, %d steps", look.style.c_str(), steps);
      slips.push_back(most_row("slip-" + look.style,
                               how + ": slip of the foot that stands, mean a step, at most",
                               "not claimed", kSlip, slip, "cm", fell));
      through.push_back(most_row("through-" + look.style,
                                 how + ": legs overlap by more than 1 cm, at most", "not claimed",
                                 kThrough, percent(here_through, steps), "%", fell));
      in_turns.push_back(most_row(
          "through-turns-" + look.style,
          formatted("the same in turns of 90 to 180 degrees every 2.5 s, %d steps, at most",
                    turn_steps),
          "not claimed", kThroughInTurns, percent(turn_through, turn_steps), "%", turn_fell));
    }
    for (auto* group : {&slips, &through, &in_turns}) {
      rows.insert(rows.end(), group->begin(), group->end());
    }
    rows.push_back(
        most_row("toe-stubs",
                 formatted("steps of all styles in which the swing foot met the ground on "
                           "its way, %d steps, at most; a bar of our own",
                           all_steps),
                 "not claimed", kStubs, percent(stubs, all_steps), "%", 0));
    rows.push_back(most_row(
        "knee-past-straight",
        "greatest angle of a knee past straight in any style" +
            (past > 0 ? " (" + past_style + ")" : std::string()) + ", at most; a bar of our own",
        "not claimed", kPastStraight / kRadFromDeg, past / kRadFromDeg, "deg", 0));
    rows.push_back(most_row(
        "arms-against-legs",
        formatted("correlation of an arm's swing with that of the leg on its side, worst of %d "
                  "styles that swing their arms (%s), at most; a bar of our own",
                  swinging, least_opposed_style.c_str()),
        "shown", kOpposed, least_opposed, "", 0));
    notes += "How the human walks in each style, first seed (slip, overlap, stubs of all):\n" +
             table.text() + "\n";
    notes +=
        "The manner of it: foot's pitch when it touches (heel first positive), lift of the swing "
        "ankle, knees, a shoulder's swing, arm against leg (-1 opposed), jitter above 6 Hz:\n" +
        manner.text() + "\n";
  });
}

}  // namespace promenade::study
