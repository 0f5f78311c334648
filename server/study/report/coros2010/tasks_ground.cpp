// Bad ground: uneven, steep, smooth, soft and moving.
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "math/random.h"
#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/rig/ground.h"
#include "study/trial/rig/rollout.h"

namespace promenade::study {
namespace {

using trial::Walker;
using GroundPointer = std::shared_ptr<const physics::Ground>;

constexpr int kWalks = 100;
constexpr double kStandsBefore =
    2;  // s, at most, before it walks: feet meet the ground at any phase

/// A row of the share of walks that stay up and get past a place.
/// @param past    m along x
/// @param unseen  the controller believes the ground to be level and firm
void plan_crossing(ReportPlan& plan, const std::string& id, const std::string& what, double asked,
                   const std::string& body, double speed, double past, double seconds,
                   const std::function<GroundPointer(Random&, std::uint64_t)>& ground,
                   bool unseen = false) {
  if (!plan.wants(id)) return;
  const int count = plan.trials(kWalks);
  ReportRow row;
  row.id = id;
  row.claim = formatted("%s: %d walks %s at %.1f m/s stay up and get past it", body.c_str(), count,
                        what.c_str(), speed);
  row.source = "not shown";
  Walker walker = Walker::of(*plan.library, body, "normal");
  walker.straight_on = true;
  if (unseen) walker.believed_ground = std::make_shared<const physics::Ground>();
  plan_share(
      plan, count, seconds,
      [=, &plan](int i) {
        const std::uint64_t seed = plan.seed_of(id, i);
        Random random = Random::stream(seed, 0x9b0dULL);
        Walker sent = walker;
        sent.ground = ground(random, seed);
        trial::Rollout rollout(sent, seed);
        rollout.stop();
        if (!rollout.run(random.uniform(0, kStandsBefore))) return false;
        rollout.walk({speed, 0});
        return rollout.run(seconds) && rollout.report().com.x() > past;
      },
      row, asked);
}

void plan_uneven(ReportPlan& plan) {
  constexpr double kRough = 0.08, kPast = 5;  // m
  for (const double speed : {0.5, 0.8}) {
    for (const bool unseen : {false, true}) {
      plan_crossing(
          plan, formatted("uneven-80%s-at-%.1f", unseen ? "-unseen" : "", speed),
          unseen ? "over tiles of 0.5 m up to 8 cm high that it is not told of"
                 : "over tiles of 0.5 m up to 8 cm high",
          95, "human", speed, kPast, 24,
          [](Random&, std::uint64_t seed) { return trial::rough_track(kRough, seed); }, unseen);
    }
  }
}

void plan_slopes(ReportPlan& plan) {
  constexpr double kSteep = 15 * kRadFromDeg;
  for (const double speed : {0.4, 0.8}) {
    const double past = 0.6 * speed * 24;  // m
    const struct {
      const char* id;
      const char* what;
      GroundPointer ground;
    } slopes[] = {{"up", "up 15 degrees", trial::long_slope(kSteep)},
                  {"down", "down 15 degrees", trial::long_slope(-kSteep)},
                  {"across", "across 15 degrees", trial::hillside(kSteep)}};
    for (const auto& slope : slopes) {
      plan_crossing(plan, formatted("slope-15-%s-at-%.1f", slope.id, speed), slope.what, 95,
                    "human", speed, past, 24,
                    [ground = slope.ground](Random&, std::uint64_t) { return ground; });
    }
  }
}

void plan_ice(ReportPlan& plan) {
  constexpr double kLength = 3;  // m
  const auto cross = [&](const std::string& body, double speed, double friction, double asked) {
    plan_crossing(plan,
                  formatted("ice-%.2f-%sat-%.1f", friction,
                            body == "human" ? "" : (body + "-").c_str(), speed),
                  formatted("over 3 m with friction %.2f", friction), asked, body, speed,
                  4.5 + kLength, 60, [=](Random& random, std::uint64_t) {
                    return trial::patch_across({friction, 0}, random.uniform(2, 4), kLength);
                  });
  };
  for (const double speed : {0.4, 0.8, 1.2}) cross("human", speed, 0.1, 90);
  cross("human", 0.8, 0.15, 90);
  for (const char* body : {"child", "giant", "stout", "lanky", "athlete"})
    cross(body, 0.6, 0.1, 90);
}

void plan_giving(ReportPlan& plan) {
  for (const double stiffness : {20e3, 5e3}) {
    plan_crossing(
        plan, formatted("soft-%.0f", 1e-3 * stiffness),
        formatted("over 6 m that give way by 1 m for %.0f kN at each point", 1e-3 * stiffness), 95,
        "human", 0.8, 9, 24, [=](Random& random, std::uint64_t) {
          return trial::patch_across({0.8, 0, stiffness}, random.uniform(1.5, 2.5), 6);
        });
  }
  const struct {
    const char* id;
    const char* what;
    Vec2 surface;
  } belts[] = {{"walkway-along", "along a walkway of 0.8 m/s", {0.8, 0}},
               {"walkway-against", "against a walkway of 0.4 m/s", {-0.4, 0}},
               {"walkway-across", "across a walkway of 0.4 m/s", {0, 0.4}}};
  for (const auto& belt : belts) {
    plan_crossing(
        plan, belt.id, belt.what, 95, "human", 0.9, 10.5, 60,
        [surface = belt.surface](Random&, std::uint64_t) { return trial::walkway(surface); });
  }
  plan_crossing(plan, "swaying-bridge", "over a bridge of 6 m that sways by 10 cm in 2 to 4 s", 95,
                "human", 0.7, 8.5, 24, [](Random& random, std::uint64_t) {
                  return trial::swaying_bridge(0.1, random.uniform(2, 4));
                });
}

}  // namespace

void plan_bad_ground(ReportPlan& plan) {
  plan_uneven(plan);
  plan_slopes(plan);
  plan_ice(plan);
  plan_giving(plan);
}

}  // namespace promenade::study
