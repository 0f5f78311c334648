// How many of a crowd choose their velocities in real time, on one thread.
#include <algorithm>
#include <cmath>
#include <vector>

#include "behaviour/crowd/walkers.h"
#include "math/random.h"
#include "math/rotation.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"

namespace promenade::study {
namespace {

using behaviour::crowd::AvoidanceLaw;
using behaviour::crowd::Vec2f;
using behaviour::crowd::Walkers;

constexpr float kSpeed = 1.3f;  // m/s

/// A crowd on an open plane, each with a goal.
struct Crowd {
  Walkers walkers{AvoidanceLaw{}};
  std::vector<Vec2f> goals, chosen;

  void add(const Vec2f& place, const Vec2f& goal) {
    walkers.discs().emplace_back().position = place;
    goals.push_back(goal);
    chosen.resize(goals.size());
  }
  void aim() {
    for (std::size_t i = 0; i < goals.size(); ++i) {
      Walkers::Disc& disc = walkers.discs()[i];
      const Vec2f way = goals[i] - disc.position;
      disc.preferred = way * (kSpeed / std::max(kSpeed, way.norm()));
    }
  }
  void step() {
    walkers.sort();
    walkers.choose(0, goals.size(), chosen);
    walkers.move(chosen);
  }
};

/// Walkers on a circle, 0.6 m apart, each on the way to the opposite point.
void fill_circle(Crowd& crowd, int count) {
  const double radius = 0.6 * count / (2 * kPi);
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * kPi * i / count;
    const Vec2f place(float(radius * std::cos(angle)), float(radius * std::sin(angle)));
    crowd.add(place, -place);
  }
}

/// Two streams at 1 / m^2 that are crossing: each walks through half of the other.
void fill_crossing(Crowd& crowd, int count) {
  const auto columns = int(std::sqrt(count / 2.0));
  for (int i = 0; i < count / 2; ++i) {
    const Vec2f place(float(i % columns), float(i) / float(columns));
    const auto far = float(4 * columns);
    crowd.add(place, place + Vec2f(far, 0));
    crowd.add(place + Vec2f(0.5f + float(columns) / 2, 0.5f - float(columns) / 2),
              place + Vec2f(0.5f + float(columns) / 2, far));
  }
}

/// Walkers at random places, 0.25 / m^2, each on the way to a place at random.
void fill_plaza(Crowd& crowd, int count) {
  Random random(17);
  const double side = 2 * std::sqrt(double(count));
  const auto anywhere = [&] {
    return Vec2f(float(random.uniform(0, side)), float(random.uniform(0, side)));
  };
  for (int i = 0; i < count; ++i) {
    const Vec2f place = anywhere();
    crowd.add(place, anywhere());
  }
}

}  // namespace

void bench_avoidance(BenchPlan& plan) {
  const struct {
    const char* name;
    const char* what;
    void (*fill)(Crowd& crowd, int count);
  } scenes[] = {{"circle", "from a circle to its opposite points", fill_circle},
                {"crossing", "two streams that cross", fill_crossing},
                {"plaza", "random ways, 0.25 people/m2", fill_plaza}};
  for (const auto& scene : scenes) {
    for (const int count : {1000, 10000}) {
      const std::string id = formatted("avoidance-%s-%d", scene.name, count);
      if (!plan.wants(id)) continue;
      plan.now(id);
      Crowd crowd;
      scene.fill(crowd, count);
      std::vector<double> took;
      const int steps = plan.amount(200, 40);
      for (int i = 0; i < steps; ++i) {
        crowd.aim();
        const double start = thread_cpu_s();
        crowd.step();
        took.push_back(thread_cpu_s() - start);
      }
      std::nth_element(took.begin(), took.begin() + steps / 2, took.end());
      const double real_time = double(crowd.walkers.law().step) / took[std::size_t(steps / 2)];
      plan.at_least(id,
                    formatted("%d discs, %s: that one core moves in real time, 20 choices a "
                              "second, median of %d steps by CPU time",
                              count, scene.what, steps),
                    "", 10000, count * real_time, "discs");
    }
  }
}

}  // namespace promenade::study
