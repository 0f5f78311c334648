#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "world/run/runner.h"

namespace promenade::isolation {

/// Callbacks that hear of what the process of a room says. Any thread; none is called with the lock
/// held.
class Listeners {
 public:
  void set(world::Runner::OnSnapshot call) { put(on_snapshot_, std::move(call)); }
  void set(world::Runner::OnEvents call) { put(on_events_, std::move(call)); }
  void set(world::Runner::OnMaking call) { put(on_making_, std::move(call)); }

  void tell(const std::shared_ptr<const world::Snapshot>& snapshot) const {
    if (const auto call = get(on_snapshot_)) call(snapshot);
  }
  void tell(const world::RoomEvent& event) const {
    if (const auto call = get(on_events_)) call({&event, 1});
  }
  void tell(const world::SceneMaking& making) {
    {
      const std::lock_guard lock(mutex_);
      making_ = making.over ? "" : making.scene;
    }
    if (const auto call = get(on_making_)) call(making);
  }
  /// The process has ended, and with it the making of a scene.
  void end_making() {
    world::SceneMaking last;
    {
      const std::lock_guard lock(mutex_);
      last.scene = making_;
    }
    last.over = true;
    if (!last.scene.empty()) tell(last);
  }

 private:
  template <typename Call>
  void put(Call& place, Call call) {
    const std::lock_guard lock(mutex_);
    place = std::move(call);
  }
  template <typename Call>
  Call get(const Call& place) const {
    const std::lock_guard lock(mutex_);
    return place;
  }

  mutable std::mutex mutex_;
  world::Runner::OnSnapshot on_snapshot_;
  world::Runner::OnEvents on_events_;
  world::Runner::OnMaking on_making_;
  std::string making_;  // the scene that is being made; empty: none is
};

}  // namespace promenade::isolation
