// Pushes of the human: faster, harder, in a turn, on other parts, and where it goes afterwards.
#include "study/trial/walk/pushes.h"

#include <cmath>
#include <memory>
#include <vector>

#include "math/rotation.h"
#include "study/report/plan.h"

namespace promenade::study {
namespace {

constexpr int kPushes = 640;
constexpr double kSeconds = 15;  // simulated, about, in a trial

struct PushRow {
  const char* id;
  const char* what;  // for the claim
  double speed, force, asked;
  double turn_rate = 0;     // rad/s, to either side in turn
  std::vector<Part> parts;  // in turn; none: the torso
};

void plan_row(ReportPlan& plan, const trial::Walker& human, const PushRow& of) {
  const int count = plan.trials(kPushes);
  ReportRow row;
  row.id = of.id;
  row.claim = formatted(
      "%d pushes, from all sides at random phases, of %.0f N for 0.1 s %s at %.1f "
      "m/s: up 8 s later",
      count, of.force, of.what, of.speed);
  plan_rate(
      plan, count, kSeconds,
      [=, &plan](int i) {
        trial::PushCase push;
        push.speed = of.speed;
        push.force = of.force;
        push.direction = kTwoPi * i / count;
        push.turn_rate = i % 2 ? of.turn_rate : -of.turn_rate;
        if (!of.parts.empty()) push.part = of.parts[std::size_t(i) % of.parts.size()];
        const trial::PushOutcome out = trial::push_once(human, push, plan.seed_of(of.id, i));
        return Outcome{out.up, out.recovered};
      },
      row, of.asked);
}

void plan_straying(ReportPlan& plan, const trial::Walker& human) {
  constexpr double kStill = 0.05;  // m/s
  static const std::string kId = "push-aside";
  if (!plan.wants(kId)) return;
  const int count = plan.trials(kPushes);
  auto all = std::make_shared<std::vector<trial::Straying>>(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    plan.job(
        [=, seed = plan.seed_of(kId, i)] {
          trial::PushCase push;
          push.force = 600;
          push.direction = i % 2 ? 0.5 * kPi : -0.5 * kPi;
          (*all)[std::size_t(i)] = trial::stray_after(human, push, seed);
        },
        kSeconds);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    int still = 0, up = 0;
    double mean = 0;
    for (const trial::Straying& one : *all) {
      up += one.up;
      still += one.up && std::abs(one.speed) < kStill;
      mean += one.up ? std::abs(one.speed) : 0;
    }
    rows.push_back(rate_row(
        kId,
        formatted("%d pushes of 600 N for 0.1 s from the sides at 0.6 m/s: up, and in the stride "
                  "that begins 3 s later less than 0.05 m/s to the side; mean %.3f of the %d up",
                  count, mean / std::max(1, up), up),
        "", 95, 100.0 * still / count));
  });
}

}  // namespace

void plan_walk_pushes(ReportPlan& plan) {
  const trial::Walker human = trial::Walker::of(*plan.library, "human", "normal");
  const PushRow rows[] = {
      {"push-600-at-0.6", "on the torso", 0.6, 600, 99, 0, {}},
      {"push-800-at-0.6", "on the torso", 0.6, 800, 92, 0, {}},
      {"push-600-at-1.2", "on the torso", 1.2, 600, 97, 0, {}},
      {"push-600-turning", "on the torso in a turn of 2 rad/s", 0.6, 600, 97, 2, {}},
      {"push-head", "on the head", 0.6, 400, 95, 0, {kHead}},
      {"push-hands",
       "on a lower arm with its hand",
       0.6,
       400,
       95,
       0,
       {kLeftLowerArm, kRightLowerArm}},
      {"push-feet", "on a foot", 0.6, 400, 95, 0, {kLeftFoot, kRightFoot}}};
  for (const PushRow& row : rows) plan_row(plan, human, row);
  plan_straying(plan, human);
}

}  // namespace promenade::study
