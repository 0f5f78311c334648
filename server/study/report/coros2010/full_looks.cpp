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

/// How a style looks over all seeds. Lengths in cm.
struct LookSums {
  int steps = 0, stubs = 0, through = 0, fell = 0;
  double slip = 0;  // mean a step
  double worst = 0, deepest = -1;
  double past_straight = 0;  // rad
  int turn_steps = 0, turn_through = 0, turn_fell = 0;
  double turn_deepest = -1;
};

LookSums sums_of(const Look& look) {
  LookSums sums;
  const int seeds = int(look.straight.size());
  for (const auto& walk : look.straight) {
    const GaitQuality& q = walk.quality;
    sums.steps += q.steps;
    sums.stubs += q.stubs;
    sums.through += q.through;
    sums.slip += 100 * q.slip / seeds;
    sums.worst = std::max(sums.worst, 100 * q.worst_slip);
    sums.deepest = std::max(sums.deepest, 100 * q.deepest_through);
    sums.past_straight = std::max(sums.past_straight, q.past_straight);
    sums.fell += !walk.up;
  }
  for (const auto& one : look.turning) {
    sums.turn_steps += one.quality.steps;
    sums.turn_through += one.quality.through;
    sums.turn_deepest = std::max(sums.turn_deepest, 100 * one.quality.deepest_through);
    sums.turn_fell += !one.up;
  }
  return sums;
}

/// Rows and tables of all styles.
class LooksReport {
 public:
  explicit LooksReport(const Library& library)
      : library_(library), body_(Walker::of(library, "human", "normal").body) {}

  void add(const Look& look);
  void write(std::vector<ReportRow>& rows, std::string& notes) const;

 private:
  void add_to_tables(const Look& look, const LookSums& sums);
  void add_to_extremes(const Look& look, const LookSums& sums);
  void add_rows(const std::string& style, const LookSums& sums);

  const Library& library_;
  const std::shared_ptr<const Creature> body_;
  TextTable table_{{"style", "m/s", "step s", "slip cm", "worst cm", "overlap cm", "in turns cm",
                    "stubs %", "peak N m", "of", "mean sum N m", "cost of transport"}};
  TextTable manner_{{"style", "strike deg", "lift cm", "swing knee deg", "stance knee deg",
                     "arm swing deg", "arm-leg", "jitter rad/s"}};
  std::vector<ReportRow> slips_, through_, in_turns_;
  int stubs_ = 0, steps_ = 0;
  double past_ = 0;  // rad, a knee past straight
  std::string past_style_;
  int swinging_ = 0;  // styles that swing their arms
  double least_opposed_ = -1;
  std::string least_opposed_style_;
};

void LooksReport::add(const Look& look) {
  const LookSums sums = sums_of(look);
  add_to_extremes(look, sums);
  add_to_tables(look, sums);
  add_rows(look.style, sums);
}

void LooksReport::add_to_extremes(const Look& look, const LookSums& sums) {
  stubs_ += sums.stubs;
  steps_ += sums.steps;
  if (sums.past_straight > past_) {
    past_ = sums.past_straight;
    past_style_ = look.style;
  }
  if (!swings_arms(*library_.styles().find(look.style))) return;
  ++swinging_;
  const double opposed = look.straight.front().quality.arm_against_leg;
  if (opposed > least_opposed_) {
    least_opposed_ = opposed;
    least_opposed_style_ = look.style;
  }
}

void LooksReport::add_to_tables(const Look& look, const LookSums& sums) {
  const GaitQuality& q = look.straight.front().quality;
  table_.add({look.style, formatted("%.2f", look.straight.front().velocity.x()),
              formatted("%.2f", q.step_time), formatted("%.2f", sums.slip),
              formatted("%.1f", sums.worst), formatted("%.1f", sums.deepest),
              formatted("%.1f", sums.turn_deepest),
              formatted("%.1f", percent(sums.stubs, sums.steps)), formatted("%.0f", q.peak_torque),
              body_->joint_names[std::size_t(q.peak_link)], formatted("%.0f", q.mean_torque),
              formatted("%.2f", q.cost_of_transport)});
  manner_.add({look.style, formatted("%.0f", q.strike_pitch / kRadFromDeg),
               formatted("%.1f", 100 * q.clearance), formatted("%.0f", q.swing_knee / kRadFromDeg),
               formatted("%.0f", q.stance_knee / kRadFromDeg),
               formatted("%.0f", q.arm_swing / kRadFromDeg), formatted("%.2f", q.arm_against_leg),
               formatted("%.2f", q.jitter)});
}

void LooksReport::add_rows(const std::string& style, const LookSums& sums) {
  const std::string how =
      formatted("human, %s, straight on at its speed, %d steps", style.c_str(), sums.steps);
  slips_.push_back(most_row("slip-" + style,
                            how + ": slip of the foot that stands, mean a step, at most",
                            "not claimed", kSlip, sums.slip, "cm", sums.fell));
  through_.push_back(most_row("through-" + style, how + ": legs overlap by more than 1 cm, at most",
                              "not claimed", kThrough, percent(sums.through, sums.steps), "%",
                              sums.fell));
  in_turns_.push_back(
      most_row("through-turns-" + style,
               formatted("the same in turns of 90 to 180 degrees every 2.5 s, %d steps, at most",
                         sums.turn_steps),
               "not claimed", kThroughInTurns, percent(sums.turn_through, sums.turn_steps), "%",
               sums.turn_fell));
}

void LooksReport::write(std::vector<ReportRow>& rows, std::string& notes) const {
  for (const auto* group : {&slips_, &through_, &in_turns_}) {
    rows.insert(rows.end(), group->begin(), group->end());
  }
  rows.push_back(most_row("toe-stubs",
                          formatted("steps of all styles in which the swing foot met the ground on "
                                    "its way, %d steps, at most; a bar of our own",
                                    steps_),
                          "not claimed", kStubs, percent(stubs_, steps_), "%", 0));
  rows.push_back(most_row(
      "knee-past-straight",
      "greatest angle of a knee past straight in any style" +
          (past_ > 0 ? " (" + past_style_ + ")" : std::string()) + ", at most; a bar of our own",
      "not claimed", kPastStraight / kRadFromDeg, past_ / kRadFromDeg, "deg", 0));
  rows.push_back(most_row(
      "arms-against-legs",
      formatted("correlation of an arm's swing with that of the leg on its side, worst of %d "
                "styles that swing their arms (%s), at most; a bar of our own",
                swinging_, least_opposed_style_.c_str()),
      "shown", kOpposed, least_opposed_, "", 0));
  notes += "How the human walks in each style, first seed (slip, overlap, stubs of all):\n" +
           table_.text() + "\n";
  notes +=
      "The manner of it: foot's pitch when it touches (heel first positive), lift of the swing "
      "ankle, knees, a shoulder's swing, arm against leg (-1 opposed), jitter above 6 Hz:\n" +
      manner_.text() + "\n";
}

/// The styles of which a row is wanted.
std::vector<Look> wanted_looks(const ReportPlan& plan) {
  const std::size_t seeds = std::size_t(plan.options.seeds);
  std::vector<Look> looks;
  for (const std::string& style : plan.library->styles().names()) {
    if (!plan.wants("slip-" + style) && !plan.wants("through-" + style) &&
        !plan.wants("through-turns-" + style) && !plan.wants("toe-stubs") &&
        !plan.wants("knee-past-straight") && !plan.wants("arms-against-legs")) {
      continue;
    }
    looks.push_back(
        {style, std::vector<trial::SteadyWalk>(seeds), std::vector<trial::SharpTurns>(seeds)});
  }
  return looks;
}

}  // namespace

void plan_looks(ReportPlan& plan) {
  const int seeds = plan.options.seeds;
  const double seconds = std::max(15.0, plan.span(60));
  const int turns = plan.trials(24);
  const auto looks = std::make_shared<std::vector<Look>>(wanted_looks(plan));
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
  plan.finish([looks, library = plan.library](std::vector<ReportRow>& rows, std::string& notes) {
    if (looks->empty()) return;
    LooksReport report(*library);
    for (const Look& look : *looks) report.add(look);
    report.write(rows, notes);
  });
}

}  // namespace promenade::study
