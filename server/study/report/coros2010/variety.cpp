// All bodies in all styles, without tuning.
#include <algorithm>
#include <memory>

#include "study/report/plan.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {

void plan_bodies_and_styles(ReportPlan& plan) {
  if (!plan.wants("bodies-styles")) return;
  // The characters and the styles that the source names.
  static const char* const kBodies[] = {"human", "robot", "beast1", "beast2", "child", "giant"};
  static const char* const kStyles[] = {"normal",     "lean_forward", "crouch",
                                        "bow_legged", "tiptoe",       "high_step"};
  constexpr int kAsked = 34;
  const double seconds = plan.amount(30.0, 12.0);
  struct Pair {
    std::string body, style;
    double speed;
    trial::SteadyWalk walk;
  };
  auto pairs = std::make_shared<std::vector<Pair>>();
  for (const char* body : kBodies) {
    for (const char* style : kStyles) pairs->push_back({body, style, 0, {}});
  }
  for (Pair& pair : *pairs) {
    plan.job([=, &plan, &pair] {
      const auto walker = trial::Walker::of(*plan.library, pair.body, pair.style);
      pair.speed = trial::fitting_speed(walker);
      pair.walk = trial::walk_steadily(walker, {pair.speed, 0}, seconds, 8, plan.options.seed);
    });
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    int up = 0;
    TextTable table({"body", "style", "asked m/s", "got m/s", "step s", "slip cm/step", "stubs %",
                     "through %", "outcome"});
    for (const Pair& pair : *pairs) {
      const trial::GaitQuality& q = pair.walk.quality;
      const double steps = std::max(1, q.steps);
      up += pair.walk.up;
      table.add({pair.body, pair.style, formatted("%.2f", pair.speed),
                 formatted("%.2f", pair.walk.velocity.x()), formatted("%.2f", q.step_time),
                 formatted("%.1f", 100 * q.slip), formatted("%.0f", 100 * q.stubs / steps),
                 formatted("%.0f", 100 * q.through / steps),
                 pair.walk.up ? "walks" : formatted("FELL at %.1f s", pair.walk.seconds)});
    }
    notes += "Bodies and styles:\n" + table.text() + "\n";
    ReportRow row;
    row.id = "bodies-styles";
    row.claim = formatted(
        "6 bodies in each of 6 styles walk %.0f s at the style's speed times sqrt(leg scale)",
        seconds);
    row.source = "4 styles, 3 bodies, shown";
    row.asked = double(kAsked);
    row.got = double(up);
    row.unit = "of 36";
    row.holds = up >= kAsked;
    rows.push_back(row);
  });
}

}  // namespace promenade::study
