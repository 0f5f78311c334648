#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "promenade/v1/isolation.pb.h"
#include "world/run/runner.h"

namespace promenade::isolation {

/// Orders on their way to a room's process, and the callbacks that wait for their answers. Any
/// thread; callbacks are called without the lock.
class OrderBook {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param capacity  orders that may wait for their answer at a time
  explicit OrderBook(std::size_t capacity) : capacity_(capacity) {}

  struct Waiting {
    world::Runner::Reply reply = {};
    world::Runner::OnSaved saved = {};  // of a save, instead
    Clock::time_point since = {};
  };
  /// @return false: as many wait as may, or the book is closed; nothing is called then
  bool give(v1::RoomOrder order, Waiting waiting);
  /// An order without an answer.
  void tell(v1::RoomOrder order);
  /// The orders given since the last call, as they came.
  std::vector<v1::RoomOrder> take();
  /// Hands an answer to the callback that waits for it.
  void answer(const v1::RoomAnswer& answer);
  /// Answers all that wait with an error, and forgets the orders.
  void refuse_all(const std::string& why, std::uint64_t tick);
  /// Takes no orders with answers from now on.
  void close();

  bool empty() const;  // nobody waits
  std::size_t waiting() const;
  std::uint64_t busy() const;  // orders that were not taken
  /// When the order was given that has waited longest.
  std::optional<Clock::time_point> oldest() const;

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::vector<v1::RoomOrder> orders_;
  std::map<std::uint64_t, Waiting> waiting_;  // by number, so by age
  std::uint64_t last_ = 0, busy_ = 0;
  bool closed_ = false;
};

}  // namespace promenade::isolation
