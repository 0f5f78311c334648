#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "net/socket/socket.h"
#include "net/types.h"
#include "promenade/v1/people.pb.h"
#include "service/rooms/company.h"
#include "service/rooms/level_keeper.h"
#include "service/rooms/publication.h"
#include "world/library/library.h"
#include "world/run/runner.h"

namespace promenade::service {

class Viewer;

/// A room, its runner and its viewers. The room's thread only stores the newest publication and
/// wakes a network thread, which hands it to the viewers. Held by a shared_ptr.
class RoomHost : public std::enable_shared_from_this<RoomHost> {
 public:
  using Post = std::function<void(std::function<void()>)>;

  /// @param settings  with which the runner was made
  /// @param post  runs work on a network thread; must stay callable until stop() has returned
  RoomHost(std::string id, std::shared_ptr<const Library> library,
           const world::RunnerSettings& settings, std::unique_ptr<world::Runner> runner, Post post);
  ~RoomHost();  // stop()

  void start();
  /// Idempotent. Waits for the tick under way: not for network threads.
  void stop();
  /// Closes all viewers' connections with a reason.
  void send_out(net::CloseCode code, const std::string& reason);

  const std::string& id() const { return id_; }
  /// The spec that the room was made and configured with. Any thread, as the next; never null.
  std::shared_ptr<const v1::RoomSpec> spec() const;
  /// Fields that are left out are at their defaults from now on.
  void set_spec(v1::RoomSpec spec);
  double tick_seconds() const { return tick_seconds_; }
  /// The newest; never null. Any thread, as all below.
  std::shared_ptr<const Publication> current() const;
  /// The last one whose snapshot has the state's hash: a quarter of a second older at most.
  std::shared_ptr<const Publication> current_with_hash() const;
  /// @param payer  the payer that its work is charged to; empty: nobody
  bool submit(world::Command command, world::Runner::Reply reply, const std::string& payer = {});
  /// Saves or restores; as submit(), see world::Runner.
  bool save(world::Runner::OnSaved reply, const std::string& payer);
  bool restore(v1::Checkpoint checkpoint, world::Runner::Reply reply, const std::string& payer);
  /// The error for a command that submit() did not take.
  world::CommandError queue_full(const std::string& command) const;
  world::RunnerStats stats() const { return runner_->stats(); }
  /// Somebody looks at the room without joining it: it wakes if it sleeps.
  void touch() { runner_->touch(); }
  const std::vector<std::string>& notes() const { return runner_->notes(); }
  const std::vector<std::string>& losses() const { return runner_->losses(); }
  std::string left_out() const { return runner_->left_out(); }
  std::size_t viewer_count() const { return viewer_count_; }

  void join(std::shared_ptr<Viewer> viewer);
  void leave(const Viewer* viewer);
  /// To be called whenever the catalogue has changed: viewers are told when they can take it.
  void catalogue_changed();
  /// Room and viewers hold each other: ends that where viewers cannot leave any more.
  void forget_viewers();

  /// The visitors as they see each other.
  Company& company() { return company_; }
  /// Tells visitors who have introduced themselves the changes among the visitors. Call it ten
  /// times a second.
  void share_company();
  /// Tells them what a visitor has done.
  void tell_act(const std::string& visitor, v1::Act act);

  /// A paused room makes no snapshots. This sends the last one again, with the present time and
  /// number of viewers, so that viewers see that the server is there. Call it every half second.
  void heartbeat();
  /// Tells a room with levels of detail where its viewers look, and has as many of its characters
  /// in full physics as it has the time for. Call it every half second.
  void keep_levels();
  /// Tells the room which joints its viewers look at. Call it ten times a second.
  void keep_onlookers();

 private:
  void publish(std::shared_ptr<const world::Snapshot> snapshot);  // on the room's thread
  std::shared_ptr<const Description> describe(const std::shared_ptr<const world::Roster>& roster);
  void fan_out();
  /// Runs work on a network thread, unless the room is gone by then.
  void post_to_self(std::function<void(RoomHost&)> work);
  std::vector<std::shared_ptr<Viewer>> viewers() const;

  const std::string id_;
  const std::shared_ptr<const Library> library_;
  const std::uint64_t first_epoch_;  // the room's are counted on from here
  const double tick_seconds_;
  const std::size_t queue_capacity_;
  const Post post_;
  const std::unique_ptr<world::Runner> runner_;
  std::shared_ptr<const world::Roster> last_roster_;  // of publish() only, as the next
  std::shared_ptr<const Description> last_description_;
  std::atomic<bool> fan_out_pending_{false};
  std::atomic<std::size_t> viewer_count_{0};
  Company company_;
  LevelKeeper level_keeper_;
  world::Onlookers onlookers_;  // as the runner knows them
  mutable std::mutex mutex_;
  std::shared_ptr<const v1::RoomSpec> spec_;
  std::shared_ptr<const Publication> current_, current_with_hash_;
  std::vector<std::shared_ptr<Viewer>> viewers_;
};

}  // namespace promenade::service
