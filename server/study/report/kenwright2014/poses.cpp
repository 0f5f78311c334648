// The body as it is drawn: feet that stand do not slide, joints keep to their limits.
#include <algorithm>
#include <memory>

#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/rig/drawn_pose.h"
#include "study/trial/rig/ground.h"

namespace promenade::study {
namespace {

constexpr double kSlide = 5;       // mm
constexpr double kRounding = 0.1;  // degrees: blends of turns within the limits
constexpr double kFadedOut = 2;    // s: the pose of the start fades out

/// A way to walk. Speeds and heights are those of a human; other bodies' grow with their legs.
struct Course {
  double speed;                // m/s
  double turn = 0;             // rad/s
  double angle = 0, rise = 0;  // rad, of a slope; m, of stairs
};

std::vector<Course> courses() {
  std::vector<Course> all;
  for (const double speed : {0.2, 0.6, 1.0, 1.4, 2.0}) all.push_back({speed});
  for (const double speed : {0.6, 1.2}) all.push_back({speed, 0.6});
  for (const double way : {1.0, -1.0}) {
    all.push_back({0.8, 0, way * 15 * kRadFromDeg});
    all.push_back({1.2, 0, way * 15 * kRadFromDeg});
    all.push_back({0.6, 0, 0, way * 0.15});
  }
  return all;
}

struct Drawn {
  std::vector<double> slides;  // m
  double past_limit = 0;       // rad
  std::string worst;           // joint of a body
  bool up = false;
};

Drawn draw(trial::Walker walker, const Course& course, double seconds, std::uint64_t seed) {
  const double scale = walker.body->leg_scale();
  walker.straight_on = true;
  constexpr int kStairs = 12;
  constexpr double kTread = 0.32;  // m
  constexpr double kLowStairs = 2.0 / 3;
  if (course.angle != 0) walker.ground = trial::long_slope(course.angle);
  // The robot's left thigh is half as long as others: it cannot lift the foot further.
  const double rise = course.rise * (walker.body->name == "robot" ? kLowStairs : 1);
  if (rise != 0) walker.ground = trial::stairs(rise * scale, kStairs, kTread * scale);
  trial::Rollout rollout(walker, seed);
  rollout.walk({course.speed * std::sqrt(scale), 0});
  trial::DrawnPose drawn(rollout);
  Drawn out;
  out.up = rollout.run(kFadedOut);
  rollout.observer = [&](const trial::Rollout& r) { drawn.observe(r); };
  while (out.up && rollout.time() < seconds) {
    rollout.goal.heading += course.turn * rollout.dt();
    out.up = rollout.step();
  }
  out.slides = drawn.slides();
  out.past_limit = drawn.past_limit();
  if (out.past_limit > 0) out.worst = walker.body->name + "'s " + drawn.worst_joint();
  return out;
}

void add_rows(const std::vector<Drawn>& all, std::vector<ReportRow>& rows) {
  std::vector<double> slides;
  double past = 0;
  std::string worst;
  bool up = true;
  for (const Drawn& one : all) {
    up = up && one.up;
    slides.insert(slides.end(), one.slides.begin(), one.slides.end());
    if (one.past_limit > past) past = one.past_limit, worst = one.worst;
  }
  std::sort(slides.begin(), slides.end());
  const auto at = [&](double share) {
    return slides.empty() ? 0 : 1e3 * slides[std::size_t(share * double(slides.size() - 1))];
  };
  const bool looked = up && !slides.empty();
  rows.push_back(
      {"foot-slide",
       formatted("%zu steps of %zu walks of nine bodies and all styles at 0.2 to 2 m/s, "
                 "turning, on slopes of 15 degrees and stairs of 15 cm (10 for the robot): "
                 "a point of the sole that bears moves by at most",
                 slides.size(), all.size()),
       "", kSlide, at(1), "mm", looked && at(1) <= kSlide});
  rows.push_back({"foot-slide-99", "the same, 99 of 100 steps", "", kSlide, at(0.99), "mm",
                  looked && at(0.99) <= kSlide});
  rows.push_back({"joints",
                  "the same: furthest past a limit of any joint (0.1 is allowed for rounding)" +
                      (worst.empty() ? "" : ": " + worst),
                  "enforced", kRounding, past / kRadFromDeg, "degrees",
                  looked && past <= kRounding * kRadFromDeg});
}

}  // namespace

void plan_pendulum_poses(ReportPlan& plan) {
  if (!plan.wants("foot-slide") && !plan.wants("foot-slide-99") && !plan.wants("joints")) return;
  std::vector<trial::Walker> walkers;
  const auto add = [&](const std::string& body, const std::string& style) {
    walkers.push_back(trial::Walker::of(*plan.library, body, style));
    walkers.back().drive_by(*plan.library, "pendulum");
  };
  for (const char* body :
       {"athlete", "beast1", "beast2", "child", "giant", "lanky", "robot", "stout"})
    add(body, "normal");
  for (const std::string& style : plan.library->styles().names()) add("human", style);
  const std::vector<Course> ways = courses();
  const double seconds = plan.amount(14.0, 8.0);
  auto all = std::make_shared<std::vector<Drawn>>(walkers.size() * ways.size());
  for (std::size_t i = 0; i < all->size(); ++i) {
    plan.job([=, walker = walkers[i / ways.size()], course = ways[i % ways.size()],
              seed = plan.seed_of("foot-slide",
                                  int(i))] { (*all)[i] = draw(walker, course, seconds, seed); },
             seconds);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) { add_rows(*all, rows); });
}

}  // namespace promenade::study
