// Ground that is not flat: kerbs and stairs met at any phase of a step, tiles, slopes.
#include "study/trial/rig/ground.h"

#include <memory>
#include <vector>

#include "math/random.h"
#include "math/rotation.h"
#include "math/statistics.h"
#include "study/report/plan.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {
namespace {

using trial::Walker;

constexpr int kCrossings = 320;
constexpr double kBeyond = 1;     // m past the last edge
constexpr double kAStride = 1.1;  // m, by which edges are moved, so that steps meet them anyhow

// Where the edge of trial `i` of a row is, m ahead.
double edge_of(std::uint64_t seed) {
  return trial::kEdgeAhead + Random::stream(seed, 0xed6eULL).uniform(0, kAStride);
}

void plan_kerbs(ReportPlan& plan, const Walker& human) {
  constexpr double kSeconds = 12;
  const struct {
    double height, asked;  // m, %
  } kerbs[] = {{0.05, 100}, {0.10, 98}, {0.15, 90}};
  const int count = plan.trials(kCrossings);
  for (const double speed : {0.6, 1.0}) {
    for (const auto& kerb : kerbs) {
      for (const bool up : {true, false}) {
        const char* way = up ? "up" : "down";
        const double height = up ? kerb.height : -kerb.height;
        ReportRow row;
        row.id = formatted("kerb-%s-%.0f-at-%.1f", way, 100 * kerb.height, speed);
        row.claim = formatted(
            "%d times %s a kerb of %.0f cm at %.1f m/s, 2 to 3.1 m ahead, so at any phase: on "
            "its feet after %.0f s and %.0f m past it",
            count, way, 100 * kerb.height, speed, kSeconds, kBeyond);
        plan_share(
            plan, count, kSeconds,
            [=, &plan, id = row.id](int i) {
              const std::uint64_t seed = plan.seed_of(id, i);
              const double edge = edge_of(seed);
              Walker walker = human;
              walker.ground = trial::kerb(height, edge);
              return trial::gets_past(walker, speed, edge + kBeyond, kSeconds, seed);
            },
            row, kerb.asked);
      }
    }
  }
}

void plan_stairs(ReportPlan& plan, const Walker& human) {
  constexpr double kRise = 0.17, kTread = 0.28, kSpeed = 0.6, kSeconds = 16;
  constexpr int kSteps = 4;
  const int count = plan.trials(kCrossings);
  for (const bool up : {true, false}) {
    ReportRow row;
    row.id = up ? "stairs-up" : "stairs-down";
    row.claim = formatted(
        "%d times %s %d stairs of 17 cm, tread 28 cm, at %.1f m/s, met at any phase: on its feet "
        "after %.0f s and %.0f m past them",
        count, up ? "up" : "down", kSteps, kSpeed, kSeconds, kBeyond);
    plan_share(
        plan, count, kSeconds,
        [=, &plan, id = row.id](int i) {
          const std::uint64_t seed = plan.seed_of(id, i);
          const double edge = edge_of(seed);
          Walker walker = human;
          walker.ground = trial::stairs(up ? kRise : -kRise, kSteps, kTread, edge);
          const double past = edge + kTread * (kSteps - 1) + kBeyond;
          return trial::gets_past(walker, kSpeed, past, kSeconds, seed);
        },
        row, 95);
  }
}

/// Walks on a ground of each trial's own. How fast is not asked, as one who sees bad ground slows
/// down, but that it gets on is.
void plan_walks_on(ReportPlan& plan, const std::string& name, const std::string& where,
                   double speed, const std::function<Walker(std::uint64_t seed)>& walker_of) {
  constexpr double kSeconds = 16, kAsked = 95, kPartOfSpeed = 0.5;
  const std::string id = name + formatted("-at-%.1f", speed);
  if (!plan.wants(id)) return;
  const int count = plan.trials(kCrossings);
  auto walks = std::make_shared<std::vector<trial::SteadyWalk>>(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    plan.job(
        [=, seed = plan.seed_of(id, i)] {
          (*walks)[std::size_t(i)] =
              trial::walk_steadily(walker_of(seed), {speed, 0}, kSeconds, 1, seed);
        },
        kSeconds);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    std::vector<double> speeds;  // m/s, of those that stay up
    int good = 0;
    for (const trial::SteadyWalk& walk : *walks) {
      if (!walk.up) continue;
      speeds.push_back(walk.velocity.x());
      good += walk.velocity.x() >= kPartOfSpeed * speed;
    }
    const std::string pace = speeds.empty() ? "" : formatted(", median %.2f m/s", median(speeds));
    rows.push_back(rate_row(
        id,
        formatted("%d walks %s, asked to go at %.1f m/s for %.0f s: without a fall and, on the "
                  "mean, at half that speed or more; %zu without a fall%s",
                  count, where.c_str(), speed, kSeconds, speeds.size(), pace.c_str()),
        "", kAsked, 100.0 * good / count));
  });
}

void plan_tiles(ReportPlan& plan, const Walker& human) {
  const struct {
    const char* id;
    double roughness;  // m
    bool seen;
  } tracks[] = {
      {"uneven-8", 0.08, true}, {"uneven-unseen-4", 0.04, false}, {"uneven-unseen-8", 0.08, false}};
  for (const double speed : {0.6, 1.0}) {
    for (const auto& track : tracks) {
      const std::string where =
          formatted("over tiles of 0.5 m up to %.0f cm high%s", 100 * track.roughness,
                    track.seen ? "" : ", which the controller believes to be flat");
      plan_walks_on(plan, track.id, where, speed, [=](std::uint64_t seed) {
        Walker walker = human;
        walker.ground = trial::rough_track(track.roughness, seed);
        if (!track.seen) walker.believed_ground = std::make_shared<const physics::Ground>();
        return walker;
      });
    }
  }
}

void plan_slopes(ReportPlan& plan, const Walker& human) {
  constexpr double kTilt = 15 * kRadFromDeg;
  const struct {
    const char *id, *where;
    std::shared_ptr<const physics::Ground> ground;
  } slopes[] = {
      {"slope-15-up", "up 15 degrees, after 2 m of level ground", trial::long_slope(kTilt)},
      {"slope-15-down", "down 15 degrees, after 2 m of level ground", trial::long_slope(-kTilt)},
      {"slope-15-across", "across a hillside of 15 degrees", trial::hillside(kTilt)}};
  for (const double speed : {0.6, 1.0}) {
    for (const auto& slope : slopes) {
      plan_walks_on(plan, slope.id, slope.where, speed,
                    [human, ground = slope.ground](std::uint64_t) {
                      Walker walker = human;
                      walker.ground = ground;
                      return walker;
                    });
    }
  }
}

}  // namespace

void plan_walk_ground(ReportPlan& plan) {
  Walker human = Walker::of(*plan.library, "human", "normal");
  human.straight_on = true;
  plan_kerbs(plan, human);
  plan_stairs(plan, human);
  plan_tiles(plan, human);
  plan_slopes(plan, human);
}

}  // namespace promenade::study
