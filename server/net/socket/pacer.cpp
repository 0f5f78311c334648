#include "net/socket/pacer.h"

#include <algorithm>

namespace promenade::net {
namespace {

constexpr auto kWindow = std::chrono::seconds(1);
constexpr double kBadShare = 0.25;
constexpr int kBadWindows = 2;
constexpr int kFirstGoodWindows = 5, kMostGoodWindows = 60;
constexpr int kRegretWindows = 10;  // a restored rate that fails within these was a mistake

Clock::duration period(double rate_hz) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / rate_hz));
}

}  // namespace

Pacer::Pacer(double rate_hz, Clock::time_point now)
    : asked_hz_(std::clamp(rate_hz, kMinRate, kMaxRate)),
      window_end_(now + kWindow),
      good_needed_(kFirstGoodWindows) {
  set_next_due(now);
}

void Pacer::set_rate(double rate_hz) {
  const Clock::time_point last = next_due_ - period(asked_hz_);
  asked_hz_ = std::clamp(rate_hz, kMinRate, kMaxRate);
  set_next_due(last + period(asked_hz_));
}

// States come at ticks, which jitter. One that is a little early counts as on time: otherwise a
// viewer at 30 Hz of a room at 60 Hz would sometimes wait for a third tick.
void Pacer::set_next_due(Clock::time_point due) {
  next_due_ = due;
  const Clock::duration tolerance =
      std::min<Clock::duration>(period(asked_hz_) / 4, std::chrono::milliseconds(6));
  not_due_until_.store((due - tolerance).time_since_epoch().count(), std::memory_order_relaxed);
}

Pacer::Verdict Pacer::on_state(Clock::time_point now) {
  if (now < not_due_until()) return Verdict::kNotDue;
  const Clock::duration step = period(asked_hz_);
  set_next_due(next_due_ + step < now ? now + step : next_due_ + step);
  if ((due_count_++ & ((1u << level_) - 1)) != 0) return Verdict::kSpared;
  ++offered_;
  return Verdict::kSend;
}

bool Pacer::review(Clock::time_point now) {
  if (now < window_end_) return false;
  window_end_ = now + kWindow;
  const bool bad = offered_ > 0 && misses_ > kBadShare * offered_;
  const bool good = misses_ == 0;
  offered_ = misses_ = 0;
  bad_windows_ = bad ? bad_windows_ + 1 : 0;
  good_windows_ = good ? good_windows_ + 1 : 0;
  windows_since_restore_ = std::min(windows_since_restore_ + 1, 1000);

  if (bad_windows_ >= kBadWindows && level_ < kMaxLevel &&
      asked_hz_ / (1 << (level_ + 1)) >= kMinRate / 2) {
    if (windows_since_restore_ <= kRegretWindows) {
      good_needed_ = std::min(2 * good_needed_, kMostGoodWindows);
    }
    ++level_;
    bad_windows_ = good_windows_ = 0;
    return true;
  }
  if (level_ > 0 && good_windows_ >= good_needed_) {
    --level_;
    good_windows_ = 0;
    windows_since_restore_ = 0;
    return true;
  }
  // After a long time at the full rate earlier mistakes no longer count.
  if (level_ == 0 && good_windows_ >= kMostGoodWindows) good_needed_ = kFirstGoodWindows;
  return false;
}

}  // namespace promenade::net
