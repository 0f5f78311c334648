#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "world/beside/preparation.h"
#include "world/beside/purse.h"
#include "world/beside/side_thread.h"
#include "world/run/runner.h"

namespace promenade::world {

/// A job to be done between two ticks: a command, a save or a restore.
struct Order {
  struct Save {
    Runner::OnSaved reply;
  };
  using State = std::shared_ptr<const v1::Checkpoint>;  // to go back to
  std::variant<Command, Save, State> what;
  Runner::Reply reply = {};  // of all but Save
  std::string payer = {};    // the payer that its work is charged to

  void refuse(const CommandError& error, std::uint64_t tick) const;
};

/// The orders of a room on their way to its thread, in a lane for each payer. An order that needs
/// something that takes long to make waits until it is made beside the room, and so do those behind
/// it in its lane; other lanes go on. A payer that has used up its share of the room's thread
/// waits, too. Used by the room's thread, but for the jobs that it gives to the side thread.
/// Docs: docs/decisions/0039-work-beside-the-room.md
class CommandLanes {
 public:
  static constexpr std::size_t kMostHeld = 32;  // orders of a payer that wait; more are refused
  static constexpr std::size_t kMostLater = 8;  // jobs that no order waits for; for more, they wait
  static constexpr double kOnRoom = 0.2;        // share of a payer's time on the room's thread
  static constexpr double kSavedOnRoom = 0.5;   // s of the room's thread that may be saved

  /// @param rate  s of a processor a second that a payer may use in the long run; 0: any
  /// @param wake  is called on another thread when something was made; not after this is gone
  CommandLanes(std::shared_ptr<SideThread> side, double rate, std::function<void()> wake);
  ~CommandLanes();

  /// An order whose turn it is, and the preparation made for it.
  struct Turn {
    Order order;
    std::shared_ptr<Preparation> prepared;  // null: nothing
    std::optional<CommandError> refused;    // it is not to be done
  };
  /// Says whether there is time for the work that an order would add; it is asked again when the
  /// order's preparation is made.
  using Judge = std::function<std::optional<CommandError>(const Order&)>;

  void take(Order order);
  /// The next order, as they came as far as lanes allow; nothing: all others wait.
  std::optional<Turn> next(Room& room, const Judge& judge);
  /// @param seconds  of the room's thread that an order took
  void charge(const std::string& payer, double seconds);
  /// The preparation of an order that is done is freed on the side thread.
  void discard(std::shared_ptr<Preparation> used);
  bool empty() const { return lanes_.empty(); }
  std::size_t held() const { return held_; }
  /// When a lane may go on that nobody will wake: its payer has time again then.
  std::optional<Purse::Clock::time_point> opens();
  /// All orders that wait: the room closes.
  std::vector<Order> close();

  /// The progress of the scene that is being made; nothing: none is.
  std::optional<SceneMaking> making() const;
  double beside_s() const { return *beside_s_; }     // of a processor, so far
  double commands_s() const { return commands_s_; }  // of the room's thread, so far
  std::uint64_t put_off() const { return put_off_; }

 private:
  /// The preparation for an order, shared with the side thread.
  struct Job {
    std::shared_ptr<Preparation> preparation;
    std::atomic<bool> wanted{true}, done{false};
  };
  struct Held {
    std::uint64_t number;  // of all orders, as they came
    Order order;
    std::shared_ptr<Job> job = nullptr;
    int tries = 0;
    bool waited = false;  // for its payer to have time again
  };
  using Lane = std::deque<Held>;
  /// Calls the room's thread until the lanes are gone.
  struct Bell {
    std::mutex mutex;
    std::function<void()> ring;
  };

  bool may_go(Held& head, Room& room, const Judge& judge, std::optional<CommandError>& refused);
  std::unique_ptr<Preparation> preparation_of(const Order& order, Room& room) const;
  void make(Held& held, std::unique_ptr<Preparation> preparation);
  /// Makes a preparation that the order need not wait for; an older one for the same character is
  /// given up. @return whether there is space for it
  bool make_later(const Order& order, std::unique_ptr<Preparation>& preparation);
  std::shared_ptr<Job> submit(const std::string& payer, std::unique_ptr<Preparation> preparation);
  /// Drops a preparation that is not the one that the order needs.
  void drop_job(Held& held);

  const std::shared_ptr<SideThread> side_;
  const std::shared_ptr<Bell> bell_;
  const std::shared_ptr<std::atomic<double>> beside_s_;
  Purses purses_;
  std::map<std::string, Lane> lanes_;                  // by payer; none is empty
  std::map<CharacterId, std::shared_ptr<Job>> later_;  // kMostLater at most
  std::deque<Turn> overfull_;                          // orders that no lane took
  std::uint64_t orders_ = 0, put_off_ = 0;
  std::size_t held_ = 0;
  double commands_s_ = 0;
};

}  // namespace promenade::world
