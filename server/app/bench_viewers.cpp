#include "app/bench_viewers.h"

#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "math/random.h"
#include "math/rotation.h"
#include "math/thread_clock.h"
#include "service/rooms/publication.h"
#include "service/store/saved.h"
#include "service/viewers/feed.h"
#include "stream/coded/view.h"
#include "study/bench/rig.h"
#include "study/report/table.h"

namespace promenade::app {
namespace {

using study::formatted;

constexpr double kFrameHz = 30;
constexpr int kTicksAFrame = 2;
constexpr int kViewers = 50;
constexpr int kSettle = 60;  // frames until models have learnt, tiers stand, and all have joined

/// A camera somewhere on the square or above it, that turns.
struct Camera {
  Vec3 eye = Vec3::Zero();
  double yaw = 0, pitch = 0, turns = 0;  // rad, rad, rad/s

  static Camera random(Random& random) {
    constexpr double kHalf = 32;  // m, half of the square's side
    Camera out;
    out.eye =
        Vec3(random.uniform(-kHalf, kHalf), random.uniform(-kHalf, kHalf), random.uniform(1.7, 12));
    out.yaw = random.uniform(-kPi, kPi);
    out.pitch = random.uniform(-0.5, 0);
    out.turns = random.uniform(-0.3, 0.3);
    return out;
  }
  stream::View at(double time) const {
    const double now = yaw + turns * time;
    stream::View view;
    view.eye = eye;
    view.forward =
        Vec3(std::cos(pitch) * std::cos(now), std::cos(pitch) * std::sin(now), std::sin(pitch));
    view.height_rad = 32 * kTwoPi / 360;  // that of the page
    return view;
  }
};

/// Viewers of one kind, and what their frames took. They share what is made once for all.
class Audience {
 public:
  /// @param keys  each asks for a frame that needs no earlier one with each view
  Audience(const service::SavedDefinitions& saved, std::vector<Camera> cameras, bool keys)
      : cameras_(std::move(cameras)), keys_(keys) {
    for (std::size_t i = 0; i < cameras_.size(); ++i) {
      feeds_.push_back(std::make_unique<service::Feed>(saved));
    }
  }

  /// @param time  s of the run; before 0 nothing is measured
  void watch(const std::shared_ptr<const world::Snapshot>& snapshot,
             const std::shared_ptr<const service::Description>& description, double time) {
    const auto publication = std::make_shared<const service::Publication>(
        snapshot, description, std::uint32_t(cameras_.size()));
    const auto now = began_ + std::chrono::duration_cast<net::Clock::duration>(
                                  std::chrono::duration<double>(kSettle / kFrameHz + time));
    for (std::size_t i = 0; i < feeds_.size(); ++i) {
      service::Feed& feed = *feeds_[i];
      feed.publish(publication);
      feed.look(cameras_[i].at(time), keys_);
      for (bool more = true; more;) {
        const double start = thread_cpu_s();
        const auto message = feed.next(0, now);
        const double took = thread_cpu_s() - start;
        more = message.has_value();
        if (!more || !message->state || time < 0) continue;
        cpu_s_ += took;
        bytes_ += double(message->shared->size());
        ++frames_;
      }
    }
  }
  double us() const { return 1e6 * cpu_s_ / frames_; }
  double bytes() const { return bytes_ / frames_; }

 private:
  const std::vector<Camera> cameras_;
  const bool keys_;
  const net::Clock::time_point began_ = net::Clock::now();
  std::vector<std::unique_ptr<service::Feed>> feeds_{};
  double cpu_s_ = 0, bytes_ = 0;
  int frames_ = 0;
};

}  // namespace

void bench_viewers(study::BenchPlan& plan) {
  if (!plan.wants_any({"coded-plaza-alone", "coded-plaza-views", "coded-plaza-keys"})) return;
  plan.now("the plaza for fifty cameras");
  const service::SavedDefinitions saved(plan.library, ":memory:");
  study::BenchRig rig(plan.library, "plaza", plan.threads);
  rig.warm_up(study::kInStride);
  Random random(11);
  std::vector<Camera> cameras;
  cameras.reserve(kViewers);
  for (int i = 0; i < kViewers; ++i) cameras.push_back(Camera::random(random));
  Audience alone(saved, {cameras[0]}, false), views(saved, cameras, false),
      keys(saved, cameras, true);
  const int frames = int(plan.amount(10.0, 2.0) * kFrameHz);
  world::Onlookers onlookers{false, {}, {}};
  std::shared_ptr<const service::Description> description;
  for (int i = -kSettle; i < frames; ++i) {
    const double time = i / kFrameHz;
    onlookers.eyes.clear();
    for (const Camera& camera : cameras) onlookers.eyes.push_back(stream::eye_of(camera.at(time)));
    for (int tick = 0; tick < kTicksAFrame; ++tick) rig.room().tick();
    const std::shared_ptr<const world::Snapshot> snapshot =
        rig.room().make_snapshot(false, onlookers);
    if (!description || description->version() != snapshot->roster->version) {
      description = std::make_shared<service::Description>(1, service::make_parts("the scene"),
                                                           snapshot->roster);
    }
    for (Audience* audience : {&alone, &views, &keys}) {
      audience->watch(snapshot, description, time);
    }
  }
  constexpr double kAsked = 120;  // us of CPU a viewer and frame, at most
  const auto row = [&](const char* id, const char* who, const Audience& audience) {
    plan.at_most(id,
                 formatted("CPU time of a coded frame of `plaza` for %s, %.0f bytes in the mean",
                           who, audience.bytes()),
                 "", kAsked, audience.us(), "us");
  };
  row("coded-plaza-alone", "a viewer who is alone", alone);
  row("coded-plaza-views", "each of 50 viewers who look elsewhere", views);
  row("coded-plaza-keys", "each of these where all ask for frames that need no earlier one", keys);
}

}  // namespace promenade::app
