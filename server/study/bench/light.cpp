// Crowds of light characters with their frames, and rooms of both levels of detail.
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/random.h"
#include "math/rotation.h"
#include "math/statistics.h"
#include "stream/coded/frame_coder.h"
#include "stream/frame.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"

namespace promenade::study {
namespace {

constexpr int kTicksToFrame = 2;  // 30 frames a second
constexpr int kTicksToMark = 15;  // from one hash in the journal to the next

/// Times of a room with one viewer.
struct LightFigures {
  double simulated = 0, wall = 0;  // s
  std::vector<double> ticks;       // s of wall clock, with snapshot, and frame where one is due
  double real_time_factor() const { return simulated / wall; }
};

/// Runs the room as a server does that keeps a journal.
/// @param frame  encodes a snapshot as the viewer gets it
template <typename Frame>
LightFigures run(world::Room& room, double seconds, const world::Onlookers& onlookers,
                 const Frame& frame) {
  LightFigures out;
  const int ticks = int(seconds / room.tick_seconds());
  for (int i = 0; i < ticks; ++i) {
    const double start = wall_s();
    room.tick();
    const bool marks = i % kTicksToMark == 0;
    if (i % kTicksToFrame == 0) {
      frame(*room.make_snapshot(marks, onlookers));
    } else if (marks) {
      room.state_hash();
    }
    out.ticks.push_back(wall_s() - start);
    out.wall += out.ticks.back();
  }
  out.simulated = ticks * room.tick_seconds();
  return out;
}

/// Runs a room with coded frames for a camera in the midst.
LightFigures run_for_a_camera(world::Room& room, double seconds) {
  stream::View view;
  view.eye = Vec3(0, 0, 1.7);
  view.forward = Vec3::UnitX();
  view.height_rad = 32 * kTwoPi / 360;  // that of the page
  stream::CodedFrameEncoder encoder;
  encoder.look(view);
  const world::Onlookers onlookers{false, {stream::eye_of(view)}, {}};
  return run(room, seconds, onlookers, [&](const world::Snapshot& snapshot) {
    stream::coded_frame(snapshot, 1, 0, encoder.encode(stream::CrowdNow(snapshot), {}));
  });
}

void bench_coded_crowd(BenchPlan& plan, int count) {
  plan.now("10,000 light bipeds");
  const auto room = light_crowd(plan.library, count, plan.threads);
  const LightFigures figures = run_for_a_camera(*room, plan.amount(20.0, 2.0));
  std::vector<double> ticks = figures.ticks;
  plan.at_least("light-10000",
                formatted("10,000 light bipeds that avoid each other, frames for a camera in their "
                          "midst at 30 Hz included, on %d threads: times real time; 99 of 100 "
                          "ticks within %.1f ms",
                          plan.threads, 1e3 * percentile(ticks, 99)),
                "", 1, figures.real_time_factor(), "");
}

void bench_all_poses(BenchPlan& plan, int count) {
  plan.now("4,000 light bipeds with every pose");
  const auto room = light_crowd(plan.library, count, plan.threads);
  stream::FrameEncoder encoder;
  const LightFigures figures =
      run(*room, plan.amount(20.0, 2.0), world::Onlookers{},
          [&](const world::Snapshot& snapshot) { encoder.encode(snapshot, 1); });
  std::vector<double> ticks = figures.ticks;
  plan.at_least("light-4000-poses",
                formatted("4,000 light bipeds, every pose made and in absolute frames at 30 Hz, on "
                          "%d threads: times real time; 99 of 100 ticks within %.1f ms",
                          plan.threads, 1e3 * percentile(ticks, 99)),
                "", 1, figures.real_time_factor(), "");
}

void bench_mixed(BenchPlan& plan, int light, int full) {
  plan.now("300 in full physics among 5,000 light ones");
  const auto room = light_crowd(plan.library, light, plan.threads, full);
  const int side = int(std::ceil(std::sqrt(double(full))));
  for (int i = 0; i < full; ++i) {
    CrowdWalker walker = crowd_walker(*plan.library, i);
    const Vec2 place = Vec2(160, 0) + 4 * Vec2(i % side, i / side);
    const Vec2 shift = place - walker.spawn.position.value_or(Vec2::Zero());
    walker.spawn.position = place;
    for (Vec2& point : walker.round.order.points) point += shift;
    const auto made = room->apply(walker.spawn);
    if (made.error) throw std::runtime_error(made.error->message);
    walker.round.character = made.character;
    room->apply(walker.round);
  }
  for (int tick = 0; tick < int(kInStride / room->tick_seconds()); ++tick) room->tick();
  const LightFigures figures = run_for_a_camera(*room, plan.amount(20.0, 2.0));
  std::vector<double> ticks = figures.ticks;
  plan.at_most("mixed-5300-tick",
               formatted("99 of 100 ticks of a room of 300 walkers in full physics and 5,000 light "
                         "ones with coded frames, on %d threads; half of them %.1f ms, %.2f times "
                         "real time",
                         plan.threads, 1e3 * percentile(ticks, 50), figures.real_time_factor()),
               "", 16.7, 1e3 * percentile(ticks, 99), "ms");
}

}  // namespace

void bench_light(BenchPlan& plan) {
  if (plan.wants("light-10000")) bench_coded_crowd(plan, 10000);
  if (plan.wants("light-4000-poses")) bench_all_poses(plan, 4000);
  if (plan.wants("mixed-5300-tick")) bench_mixed(plan, 5000, 300);
}

}  // namespace promenade::study
