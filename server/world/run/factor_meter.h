#pragma once

#include <chrono>
#include <deque>
#include <optional>

namespace promenade::world {

/// Measures simulated over wall-clock time in about the last second.
class FactorMeter {
 public:
  using Clock = std::chrono::steady_clock;

  void sample(Clock::time_point now, double simulated) {
    if (!samples_.empty() && seconds(now - samples_.back().at) < kStep) return;
    samples_.push_back({now, simulated});
    while (samples_.size() > 2 && seconds(now - samples_[1].at) > kWindow) samples_.pop_front();
  }
  double factor() const {
    if (samples_.size() < 2) return 0;
    const double wall = seconds(samples_.back().at - samples_.front().at);
    return wall > 0 ? (samples_.back().simulated - samples_.front().simulated) / wall : 0;
  }
  void clear() { samples_.clear(); }

 private:
  static constexpr double kWindow = 1.0;  // s that are looked back on
  static constexpr double kStep = 0.05;   // s between samples
  struct Sample {
    Clock::time_point at;
    double simulated;
  };
  static double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }
  std::deque<Sample> samples_;
};

}  // namespace promenade::world
