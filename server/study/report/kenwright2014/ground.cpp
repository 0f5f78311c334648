// Ground of the light biped: slopes, deviations, gaps, stairs, stepping stones.
#include "study/trial/rig/ground.h"

#include "math/random.h"
#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {
namespace {

constexpr int kWalks = 100;
constexpr double kAskedShare = 95;  // %

/// Walks over a ground of each trial's own at a speed of its own, and has to get across.
struct Crossing {
  std::string id, where, source;
  double slowest, fastest;  // m/s
  double far;               // m, past which it has come
  std::function<std::shared_ptr<const physics::Ground>(std::uint64_t seed)> ground;
};

void plan_crossing(ReportPlan& plan, const trial::Walker& pendulum, const Crossing& crossing) {
  const int count = plan.trials(kWalks);
  // The time is not longer: the ways end, some of them above a drop.
  const auto time_for = [far = crossing.far](double speed) { return 4 + 1.3 * far / speed; };
  ReportRow row;
  row.id = crossing.id;
  row.claim = formatted("%d walks %s at %.1f to %.1f m/s: on its feet past %.0f m", count,
                        crossing.where.c_str(), crossing.slowest, crossing.fastest, crossing.far);
  row.source = crossing.source;
  plan_share(
      plan, count, time_for(crossing.slowest),
      [=, &plan](int i) {
        const std::uint64_t seed = plan.seed_of(crossing.id, i);
        Random random = Random::stream(seed, 0xc4055ULL);
        trial::Walker walker = pendulum;
        walker.straight_on = true;
        const double speed = random.uniform(crossing.slowest, crossing.fastest);
        walker.ground = crossing.ground(seed);
        return trial::gets_past(walker, speed, crossing.far, time_for(speed), seed);
      },
      row, kAskedShare);
}

}  // namespace

void plan_pendulum_ground(ReportPlan& plan) {
  trial::Walker pendulum = trial::Walker::of(*plan.library, "human", "normal");
  pendulum.drive_by(*plan.library, "pendulum");
  constexpr double kSteep = 26.5 * kPi / 180;
  std::vector<Crossing> all;
  for (const int way : {1, -1}) {
    const char* word = way > 0 ? "up" : "down";
    all.push_back({formatted("slope-%s", word), formatted("%s a slope of 26.5 degrees", word),
                   "26.5 degrees", 0.4, 1.2, 9,
                   [=](std::uint64_t) { return trial::long_slope(way * kSteep); }});
    for (const double rise : {0.15, 0.2}) {
      all.push_back({formatted("stairs-%s-%.0f", word, 100 * rise),
                     formatted("%s 12 stairs of %.0f cm, tread 30 cm", word, 100 * rise), "shown",
                     0.3, 1.2, 8, [=](std::uint64_t seed) {
                       const double edge =
                           trial::kEdgeAhead + Random::stream(seed, 0xed6eULL).uniform(0, 1.1);
                       return trial::stairs(way * rise, 12, 0.3, edge);
                     }});
    }
  }
  all.push_back({"deviations", "over tiles of 0.5 m up to 10 cm high", "10 cm", 0.4, 1.2, 15,
                 [](std::uint64_t seed) { return trial::rough_track(0.10, seed); }});
  for (const double width : {0.2, 0.3}) {
    all.push_back({formatted("gaps-%.0f", 100 * width),
                   formatted("over gaps of %.0f cm between islands of 0.4 to 1.2 m", 100 * width),
                   "20 cm", 0.4, 1.2, 20,
                   [=](std::uint64_t seed) { return trial::gaps(width, seed); }});
  }
  const auto stones = [](const trial::Stones& which) {
    return [which](std::uint64_t seed) { return trial::stepping_stones(which, 0.5, 0.1, seed); };
  };
  all.push_back({"stones", "over stepping stones of 34 x 30 cm, 0.5 m apart, moved by up to 10 cm",
                 "shown", 0.4, 1.2, 20, stones(trial::kNarrowStones)});
  all.push_back({"stones-wide",
                 "over stepping stones of 0.4 x 1.4 m, one each 0.5 m, moved by up to 10 cm",
                 "shown", 0.8, 1.2, 20, stones(trial::kWideStones)});
  for (const Crossing& crossing : all) plan_crossing(plan, pendulum, crossing);
}

}  // namespace promenade::study
