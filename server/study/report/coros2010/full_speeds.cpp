// Steady walks beyond the plain table: more speeds, to the sides, other step times.
#include <cmath>
#include <memory>

#include "study/report/plan.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {
namespace {

using trial::Walker;

constexpr double kSettle = 10;  // s

/// The walks of one row, from different seeds; the worst counts.
struct Steady {
  std::string id;
  Vec2 velocity;
  double step_time = 0;  // s, asked for; 0: the style's own
  std::vector<trial::SteadyWalk> walks;
};

void plan_steady(ReportPlan& plan, const Walker& walker, Steady& one) {
  const double seconds = std::max(2 * kSettle, plan.span(60));
  one.walks.resize(std::size_t(plan.options.seeds));
  for (int k = 0; k < plan.options.seeds; ++k) {
    plan.job(
        [=, &one, seed = plan.seed_of("steady" + one.id, k)] {
          one.walks[std::size_t(k)] =
              trial::walk_steadily(walker, one.velocity, seconds, kSettle, seed);
        },
        seconds);
  }
}

/// The worst walk: one that fell, or else the one furthest from what was asked.
const trial::SteadyWalk& worst_of(const Steady& one,
                                  const std::function<double(const trial::SteadyWalk&)>& of,
                                  double asked) {
  const trial::SteadyWalk* worst = &one.walks.front();
  for (const trial::SteadyWalk& walk : one.walks) {
    const bool further = std::abs(of(walk) - asked) > std::abs(of(*worst) - asked);
    if ((worst->up && !walk.up) || (worst->up == walk.up && further)) worst = &walk;
  }
  return *worst;
}

void add_row(std::vector<ReportRow>& rows, const Steady& one, ReportRow row,
             const std::function<double(const trial::SteadyWalk&)>& of, double asked,
             double allowed) {
  const trial::SteadyWalk& worst = worst_of(one, of, asked);
  row.id = one.id;
  row.asked = asked;
  row.got = of(worst);
  if (!worst.up) {
    const auto fell = std::count_if(one.walks.begin(), one.walks.end(),
                                    [](const auto& walk) { return !walk.up; });
    row.got = formatted("%d of %zu fell", int(fell), one.walks.size());
  }
  row.holds = worst.up && std::abs(of(worst) - asked) <= allowed;
  rows.push_back(std::move(row));
}

}  // namespace

void plan_wide_speeds(ReportPlan& plan) {
  auto cases = std::make_shared<std::vector<Steady>>();
  const auto add = [&](const char* way, const Vec2& velocity, double speed) {
    const std::string id = formatted("wide-%s-%.1f", way, speed);
    if (plan.wants(id)) cases->push_back({id, velocity, 0, {}});
  };
  for (const double v :
       {-0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.7, 1.8}) {
    add("forward", {v, 0}, v);
  }
  for (const double v : {-0.3, 0.3}) add("left", {0, v}, v);
  const Walker human = Walker::of(*plan.library, "human", "normal");
  for (Steady& one : *cases) plan_steady(plan, human, one);
  const double seconds = std::max(2 * kSettle, plan.span(60));
  plan.finish([=, seeds = plan.options.seeds](std::vector<ReportRow>& rows, std::string& notes) {
    TextTable table({"asked m/s", "forward", "left", "step s", "off heading deg", "outcome"});
    for (const Steady& one : *cases) {
      const int axis = one.id.rfind("wide-left", 0) == 0 ? 1 : 0;
      const double asked = one.velocity[axis];
      ReportRow row;
      row.claim = formatted("%.0f s without a fall, mean after %.0f s within %s, worst of %d",
                            seconds, kSettle, asked == 0 ? "0.05 m/s" : "10 %", seeds);
      row.source = axis == 1 ? "not claimed" : "0.6 to 1.7 m/s claimed; its program stops at 0.9";
      row.unit = "m/s";
      add_row(
          rows, one, row, [=](const auto& walk) { return walk.velocity[axis]; }, asked,
          asked == 0 ? 0.05 : 0.1 * std::abs(asked));
      for (const trial::SteadyWalk& walk : one.walks) {
        table.add({formatted("%.1f%s", asked, axis == 1 ? " left" : ""),
                   formatted("%.3f", walk.velocity.x()), formatted("%.3f", walk.velocity.y()),
                   formatted("%.2f", walk.step_time),
                   formatted("%.0f", walk.heading_error * 180 / 3.14159265),
                   walk.up ? "walks" : formatted("FELL at %.1f s", walk.seconds)});
      }
    }
    if (!cases->empty()) notes += "Steady speeds, every seed:\n" + table.text() + "\n";
  });
}

void plan_step_times(ReportPlan& plan) {
  constexpr double kSpeed = 0.8;
  auto cases = std::make_shared<std::vector<Steady>>();
  for (const double time : {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
    const std::string id = formatted("step-time-%.1f", time);
    if (plan.wants(id)) cases->push_back({id, {kSpeed, 0}, time, {}});
  }
  for (Steady& one : *cases) {
    Walker walker = Walker::of(*plan.library, "human", "normal");
    auto style = std::make_shared<Style>(*walker.style);
    style->step_time = one.step_time;
    walker.style = std::move(style);
    plan_steady(plan, walker, one);
  }
  const double seconds = std::max(2 * kSettle, plan.span(60));
  plan.finish([=, seeds = plan.options.seeds](std::vector<ReportRow>& rows, std::string& notes) {
    TextTable table({"step time asked s", "got s", "m/s got of 0.8", "outcome"});
    for (const Steady& one : *cases) {
      ReportRow row;
      row.claim = formatted(
          "normal style with this step time at 0.8 m/s for %.0f s: mean within "
          "10 %%, worst of %d",
          seconds, seeds);
      row.source = "0.2 to 1.0 s";
      row.unit = "s";
      add_row(
          rows, one, row, [](const auto& walk) { return walk.step_time; }, one.step_time,
          0.1 * one.step_time);
      for (const trial::SteadyWalk& walk : one.walks) {
        table.add({formatted("%.1f", one.step_time), formatted("%.3f", walk.step_time),
                   formatted("%.2f", walk.velocity.x()),
                   walk.up ? "walks" : formatted("FELL at %.1f s", walk.seconds)});
      }
    }
    if (!cases->empty()) notes += "Step times, every seed:\n" + table.text() + "\n";
  });
}

}  // namespace promenade::study
