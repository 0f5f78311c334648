#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "net/types.h"

namespace promenade::net {

/// Decides when a viewer gets a state, and lowers the rate of a viewer that cannot keep up.
///
/// The asked rate gives a series of due times. At level k only every 2^k-th of them is used. A
/// window of a second in which more than a quarter of the offered states were overtaken before they
/// could be sent counts as bad; two bad windows in a row raise the level. Enough windows without a
/// miss lower it: five at first, twice as many each time a lowering proved wrong (up to 60), so
/// that the rate of a viewer that can only just keep up does not change all the time.
class Pacer {
 public:
  static constexpr double kMinRate = 1, kMaxRate = 60;  // Hz that can be asked for
  static constexpr int kMaxLevel = 5;

  Pacer(double rate_hz, Clock::time_point now);

  /// Sets the rate asked for, in Hz; the level stays.
  void set_rate(double rate_hz);
  double asked_hz() const { return asked_hz_; }
  double effective_hz() const { return asked_hz_ / (1 << level_); }
  int level() const { return level_; }

  enum class Verdict { kNotDue, kSpared, kSend };
  /// Says what to do with a new state. kSpared: it was due at the asked rate, and is withheld
  /// because of the level.
  Verdict on_state(Clock::time_point now);
  /// The time up to which on_state() says kNotDue; any thread.
  Clock::time_point not_due_until() const {
    return Clock::time_point(Clock::duration(not_due_until_.load(std::memory_order_relaxed)));
  }
  /// Counts a state that was overtaken by a newer one before it could be sent.
  void on_miss() { ++misses_; }
  /// Judges the last window once it is over. @return true if the level changed
  bool review(Clock::time_point now);

 private:
  void set_next_due(Clock::time_point due);

  double asked_hz_;
  int level_ = 0;
  std::uint64_t due_count_ = 0;
  Clock::time_point next_due_;
  std::atomic<Clock::rep> not_due_until_{0};
  Clock::time_point window_end_;
  int offered_ = 0, misses_ = 0;  // in this window
  int bad_windows_ = 0, good_windows_ = 0;
  int good_needed_;
  int windows_since_restore_ = 1000;
};

}  // namespace promenade::net
