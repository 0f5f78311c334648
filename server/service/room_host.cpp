#include "service/room_host.h"

#include <algorithm>

#include "api/replies.h"
#include "service/catalogue.h"
#include "service/viewer.h"
#include "stream/frame.h"
#include "stream/scene.h"

namespace promenade::service {

net::Bytes Publication::frame() const {
  std::call_once(encoded_, [this] {
    thread_local stream::FrameEncoder encoder;
    frame_ = net::make_bytes(encoder.encode(*snapshot_, viewers_));
  });
  return frame_;
}

RoomHost::RoomHost(std::string id, std::shared_ptr<const Library> library,
                   const world::RunnerSettings& settings, Post post)
    : id_(std::move(id)),
      library_(std::move(library)),
      tick_seconds_(1.0 / settings.room.ticks_per_second),
      queue_capacity_(settings.queue_capacity),
      post_(std::move(post)),
      runner_(library_, settings) {
  publish(runner_.latest());
  runner_.on_snapshot([this](std::shared_ptr<const world::Snapshot> snapshot) {
    publish(std::move(snapshot));
    // A fan-out that was posted and has not begun will send this newer state, so a busy network
    // thread
    // skips states.
    if (!fan_out_pending_.exchange(true)) post_([this] { fan_out(); });
  });
  runner_.on_events([this](std::span<const world::RoomEvent> events) {
    for (const world::RoomEvent& event : events) {
      post_([this, event] {
        const net::Bytes bytes = net::make_bytes(api::encode_event(event));
        tell(bytes);
      });
    }
  });
}

RoomHost::~RoomHost() { stop(); }

void RoomHost::start() { runner_.start(); }

void RoomHost::stop() { runner_.stop(); }

std::shared_ptr<const Publication> RoomHost::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

bool RoomHost::submit(world::Command command, world::RoomRunner::Reply reply) {
  return runner_.submit(std::move(command), std::move(reply));
}

bool RoomHost::save(world::RoomRunner::OnSaved reply) { return runner_.save(std::move(reply)); }

bool RoomHost::restore(v1::Checkpoint checkpoint, world::RoomRunner::Reply reply) {
  return runner_.restore(std::move(checkpoint), std::move(reply));
}

world::CommandError RoomHost::queue_full(const std::string& command) const {
  return api::make_error(world::CommandError::Code::kBusy,
                         "the room has as many commands waiting as it takes; try again in a moment",
                         command, "one more than " + std::to_string(queue_capacity_) + " waiting",
                         "the same a moment later");
}

void RoomHost::join(std::shared_ptr<Viewer> viewer) {
  const std::lock_guard lock(mutex_);
  viewers_.push_back(std::move(viewer));
  viewer_count_ = viewers_.size();
}

void RoomHost::leave(const Viewer* viewer) {
  const std::lock_guard lock(mutex_);
  std::erase_if(viewers_, [viewer](const auto& one) { return one.get() == viewer; });
  viewer_count_ = viewers_.size();
}

void RoomHost::tell(const net::Bytes& message) {
  for (const auto& viewer : viewers()) viewer->send(message);
}

void RoomHost::publish(std::shared_ptr<const world::Snapshot> snapshot) {
  std::shared_ptr<const RosterBytes> roster = last_bytes_;
  if (snapshot->roster != last_roster_ && roster && roster->version == snapshot->roster->version) {
    last_roster_ = snapshot->roster;  // other definitions, nothing that viewers are told
  } else if (snapshot->roster != last_roster_) {
    auto fresh = std::make_shared<RosterBytes>();
    fresh->epoch = snapshot->roster->epoch;
    fresh->version = snapshot->roster->version;
    fresh->scene = roster && roster->epoch == fresh->epoch
                       ? roster->scene
                       : net::make_bytes(stream::encode_scene(
                             scene_content(*library_, *snapshot->roster), fresh->epoch));
    fresh->roster = net::make_bytes(stream::encode_roster(*snapshot->roster));
    last_roster_ = snapshot->roster;
    roster = last_bytes_ = std::move(fresh);
  }
  auto publication = std::make_shared<const Publication>(std::move(snapshot), std::move(roster),
                                                         static_cast<std::uint32_t>(viewer_count_));
  const std::lock_guard lock(mutex_);
  current_ = std::move(publication);
}

void RoomHost::fan_out() {
  fan_out_pending_ = false;
  const auto publication = current();
  for (const auto& viewer : viewers()) viewer->publish(publication);
}

void RoomHost::heartbeat() {
  const auto last = current();
  if (!last->snapshot().paused) return;
  auto again = std::make_shared<world::Snapshot>(last->snapshot());
  again->server_time_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(net::Clock::now().time_since_epoch())
          .count());
  const auto publication = std::make_shared<const Publication>(
      std::move(again), last->shared_roster(), static_cast<std::uint32_t>(viewer_count_));
  {
    const std::lock_guard lock(mutex_);
    if (current_ != last) return;  // the room has moved on meanwhile
    current_ = publication;
  }
  for (const auto& viewer : viewers()) viewer->publish(publication);
}

std::vector<std::shared_ptr<Viewer>> RoomHost::viewers() const {
  const std::lock_guard lock(mutex_);
  return viewers_;
}

}  // namespace promenade::service
