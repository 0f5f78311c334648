#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "net/types.h"
#include "world/library.h"
#include "world/room_runner.h"

namespace promenade::service {

class Viewer;

/// What viewers need before they can read frames, encoded.
struct RosterBytes {
  std::uint64_t epoch = 0, version = 0;
  net::Bytes scene;  // the epoch's SceneInfo
  net::Bytes roster;
};

/// A snapshot on its way to all viewers of a room. Its frame is encoded once, when the first viewer
/// needs it, on that viewer's thread.
class Publication {
 public:
  Publication(std::shared_ptr<const world::Snapshot> snapshot,
              std::shared_ptr<const RosterBytes> roster, std::uint32_t viewers)
      : snapshot_(std::move(snapshot)), roster_(std::move(roster)), viewers_(viewers) {}

  const world::Snapshot& snapshot() const { return *snapshot_; }
  const RosterBytes& roster() const { return *roster_; }
  const std::shared_ptr<const RosterBytes>& shared_roster() const { return roster_; }
  net::Bytes frame() const;

 private:
  std::shared_ptr<const world::Snapshot> snapshot_;
  std::shared_ptr<const RosterBytes> roster_;
  std::uint32_t viewers_;
  mutable std::once_flag encoded_;
  mutable net::Bytes frame_;
};

/// A room, its runner and its viewers. The room's thread only stores the newest publication and
/// wakes a network thread, which hands it to the viewers.
class RoomHost {
 public:
  using Post = std::function<void(std::function<void()>)>;

  /// Throws world::RoomError.
  /// @param post  runs work on a network thread; must stay callable until stop() has returned
  RoomHost(std::string id, std::shared_ptr<const Library> library,
           const world::RunnerSettings& settings, Post post);
  ~RoomHost();  // stop()

  void start();
  void stop();

  const std::string& id() const { return id_; }
  double tick_seconds() const { return tick_seconds_; }
  /// The newest; never null. Any thread, as all below.
  std::shared_ptr<const Publication> current() const;
  bool submit(world::Command command, world::RoomRunner::Reply reply);
  /// As submit(); see RoomRunner.
  bool save(world::RoomRunner::OnSaved reply);
  bool restore(v1::Checkpoint checkpoint, world::RoomRunner::Reply reply);
  /// The error for a command that submit() did not take.
  world::CommandError queue_full(const std::string& command) const;
  world::RunnerStats stats() const { return runner_.stats(); }
  std::size_t viewer_count() const { return viewer_count_; }

  void join(std::shared_ptr<Viewer> viewer);
  void leave(const Viewer* viewer);
  /// A message to everybody, never dropped.
  void tell(const net::Bytes& message);

  /// A paused room makes no snapshots. This sends the last one again, with the present time and
  /// number of viewers, so that viewers see that the server is there. Call it every half second.
  void heartbeat();

 private:
  void publish(std::shared_ptr<const world::Snapshot> snapshot);  // on the room's thread
  void fan_out();
  std::vector<std::shared_ptr<Viewer>> viewers() const;

  const std::string id_;
  const std::shared_ptr<const Library> library_;
  const double tick_seconds_;
  const std::size_t queue_capacity_;
  const Post post_;
  world::RoomRunner runner_;
  std::shared_ptr<const world::Roster> last_roster_;  // of publish() only, as the next
  std::shared_ptr<const RosterBytes> last_bytes_;
  std::atomic<bool> fan_out_pending_{false};
  std::atomic<std::size_t> viewer_count_{0};
  mutable std::mutex mutex_;
  std::shared_ptr<const Publication> current_;
  std::vector<std::shared_ptr<Viewer>> viewers_;
};

}  // namespace promenade::service
