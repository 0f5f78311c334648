#include "service/rooms/room_host.h"

#include <algorithm>
#include <chrono>

#include "api/replies.h"
#include "service/store/catalogue.h"
#include "service/viewers/viewer.h"
#include "stream/scene.h"

namespace promenade::service {
namespace {

// The first epoch differs in every process: a viewer who comes back after a restart of the server
// sees that the room is not the one it knew. Below 2^53, which JavaScript's numbers hold.
std::uint64_t new_first_epoch() {
  constexpr std::uint64_t kScenesAMillisecond = 256;  // more are not loaded
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
             std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) *
         kScenesAMillisecond;
}

}  // namespace

RoomHost::RoomHost(std::string id, std::shared_ptr<const Library> library,
                   const world::RunnerSettings& settings, std::unique_ptr<world::Runner> runner,
                   Post post)
    : id_(std::move(id)),
      library_(std::move(library)),
      first_epoch_(new_first_epoch()),
      tick_seconds_(1.0 / settings.room.ticks_per_second),
      queue_capacity_(settings.queue_capacity),
      post_(std::move(post)),
      runner_(std::move(runner)) {
  v1::RoomSpec spec;
  spec.set_id(id_);
  spec.set_scene(settings.room.scene);
  set_spec(std::move(spec));
  publish(runner_->latest());
  runner_->on_snapshot([this](std::shared_ptr<const world::Snapshot> snapshot) {
    publish(std::move(snapshot));
    // A fan-out that was posted and has not begun will send this newer state, so a busy network
    // thread
    // skips states.
    if (!fan_out_pending_.exchange(true)) post_to_self([](RoomHost& room) { room.fan_out(); });
  });
  runner_->on_events([this](std::span<const world::RoomEvent> events) {
    for (const world::RoomEvent& event : events) {
      post_to_self([event](RoomHost& room) {
        const net::Bytes bytes = net::make_bytes(api::encode_event(event));
        for (const auto& viewer : room.viewers()) viewer->tell(bytes);
      });
    }
  });
  runner_->on_making([this](const world::SceneMaking& making) {
    v1::ServerMessage message;
    message.mutable_making()->set_scene(making.scene);
    message.mutable_making()->set_share(making.share);
    message.mutable_making()->set_doing(making.doing);
    message.mutable_making()->set_over(making.over);
    post_to_self([bytes = net::make_bytes(message.SerializeAsString())](RoomHost& room) {
      for (const auto& viewer : room.viewers()) viewer->tell(bytes);
    });
  });
}

RoomHost::~RoomHost() { stop(); }

std::shared_ptr<const v1::RoomSpec> RoomHost::spec() const {
  const std::lock_guard lock(mutex_);
  return spec_;
}

void RoomHost::set_spec(v1::RoomSpec spec) {
  // Set also where they are at their defaults, so that answers have all fields.
  spec.set_title(spec.title());
  spec.set_by_link(spec.by_link());
  spec.set_guest_role(spec.guest_role());
  spec.set_max_viewers(spec.max_viewers());
  spec.set_max_characters(spec.max_characters());
  auto next = std::make_shared<const v1::RoomSpec>(std::move(spec));
  const std::lock_guard lock(mutex_);
  spec_ = std::move(next);
}

void RoomHost::start() { runner_->start(); }

void RoomHost::stop() { runner_->stop(); }

std::shared_ptr<const Publication> RoomHost::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

std::shared_ptr<const Publication> RoomHost::current_with_hash() const {
  const std::lock_guard lock(mutex_);
  return current_with_hash_;
}

bool RoomHost::submit(world::Command command, world::Runner::Reply reply,
                      const std::string& payer) {
  return runner_->submit(std::move(command), std::move(reply), payer);
}

bool RoomHost::save(world::Runner::OnSaved reply, const std::string& payer) {
  return runner_->save(std::move(reply), payer);
}

bool RoomHost::restore(v1::Checkpoint checkpoint, world::Runner::Reply reply,
                       const std::string& payer) {
  return runner_->restore(std::move(checkpoint), std::move(reply), payer);
}

world::CommandError RoomHost::queue_full(const std::string& command) const {
  return api::make_error(world::CommandError::Code::kBusy,
                         "the room has too many commands waiting; try again in a moment", command,
                         "more than " + std::to_string(queue_capacity_) + " waiting",
                         "the same a moment later");
}

void RoomHost::join(std::shared_ptr<Viewer> viewer) {
  const std::lock_guard lock(mutex_);
  viewers_.push_back(std::move(viewer));
  viewer_count_ = viewers_.size();
  runner_->set_watchers(viewers_.size());
}

void RoomHost::leave(const Viewer* viewer) {
  const std::lock_guard lock(mutex_);
  std::erase_if(viewers_, [viewer](const auto& one) { return one.get() == viewer; });
  viewer_count_ = viewers_.size();
  runner_->set_watchers(viewers_.size());
}

void RoomHost::forget_viewers() {
  std::vector<std::shared_ptr<Viewer>> gone;
  {
    const std::lock_guard lock(mutex_);
    gone.swap(viewers_);
    viewer_count_ = 0;
  }
  gone.clear();  // without the lock
}

void RoomHost::send_out(net::CloseCode code, const std::string& reason) {
  for (const auto& viewer : viewers()) viewer->send_out(code, reason);
}

void RoomHost::post_to_self(std::function<void(RoomHost&)> work) {
  post_([self = weak_from_this(), work = std::move(work)] {
    if (const auto room = self.lock()) work(*room);
  });
}

void RoomHost::catalogue_changed() {
  for (const auto& viewer : viewers()) viewer->catalogue_changed();
}

std::shared_ptr<const Description> RoomHost::describe(
    const std::shared_ptr<const world::Roster>& roster) {
  if (roster == last_roster_) return last_description_;
  last_roster_ = roster;
  const auto& last = last_description_;
  // The same version: only definitions differ, nothing that viewers are told.
  if (last && last->version() == roster->version) return last;
  const std::uint64_t epoch = first_epoch_ + roster->epoch;
  Parts scene = last && last->epoch() == epoch
                    ? last->scene()
                    : make_parts(stream::encode_scene(scene_content(*library_, *roster), epoch));
  last_description_ = std::make_shared<const Description>(epoch, std::move(scene), roster);
  return last_description_;
}

void RoomHost::publish(std::shared_ptr<const world::Snapshot> snapshot) {
  auto description = describe(snapshot->roster);
  auto publication = std::make_shared<const Publication>(
      std::move(snapshot), std::move(description), static_cast<std::uint32_t>(viewer_count_));
  const std::lock_guard lock(mutex_);
  if (publication->snapshot().has_hash) current_with_hash_ = publication;
  current_ = std::move(publication);
}

void RoomHost::fan_out() {
  fan_out_pending_ = false;
  const auto publication = current();
  for (const auto& viewer : viewers()) viewer->publish(publication);
}

void RoomHost::share_company() {
  const Company::News news = company_.news(net::Clock::now());
  if (!news.any()) return;
  for (const auto& viewer : viewers()) viewer->tell_company(news);
}

void RoomHost::tell_act(const std::string& visitor, v1::Act act) {
  if (act.command() == "load_scene") company_.forget_attention();
  const net::Bytes bytes = company_.tell(visitor, std::move(act), net::Clock::now());
  if (!bytes) return;
  for (const auto& viewer : viewers()) viewer->tell_act(bytes);
}

void RoomHost::keep_levels() {
  const auto last = current();
  LevelKeeper::Seen seen;
  seen.in_physics = last->snapshot().in_physics;
  seen.epoch = last->snapshot().roster->epoch;
  if (seen.in_physics > 0) {
    seen.load = stats().load;
    for (const auto& viewer : viewers()) {
      if (const auto view = viewer->view()) seen.views.push_back(*view);
    }
  }
  std::optional<world::SetDetail> told;
  {
    const std::lock_guard lock(mutex_);
    told = level_keeper_.look(seen);
  }
  if (told) submit(std::move(*told), {});
}

void RoomHost::keep_onlookers() {
  world::Onlookers now;
  now.all = false;
  for (const auto& viewer : viewers()) viewer->add_to(now);
  {
    const std::lock_guard lock(mutex_);
    if (onlookers_ == now) return;
    onlookers_ = now;
  }
  runner_->set_onlookers(std::move(now));
}

void RoomHost::heartbeat() {
  const auto last = current();
  if (!last->snapshot().paused) return;
  auto again = std::make_shared<world::Snapshot>(last->snapshot());
  again->server_time_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(net::Clock::now().time_since_epoch())
          .count());
  const auto publication = std::make_shared<const Publication>(
      std::move(again), last->description(), static_cast<std::uint32_t>(viewer_count_));
  {
    const std::lock_guard lock(mutex_);
    if (current_ != last) return;  // the room has moved on meanwhile
    current_ = publication;
    if (publication->snapshot().has_hash) current_with_hash_ = publication;
  }
  for (const auto& viewer : viewers()) viewer->publish(publication);
}

std::vector<std::shared_ptr<Viewer>> RoomHost::viewers() const {
  const std::lock_guard lock(mutex_);
  return viewers_;
}

}  // namespace promenade::service
