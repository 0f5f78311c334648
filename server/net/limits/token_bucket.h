#pragma once

#include <algorithm>
#include <chrono>

#include "net/types.h"

namespace promenade::net {

/// Allows `rate` things a second in the mean and `burst` at once.
class TokenBucket {
 public:
  TokenBucket(double rate, double burst, Clock::time_point now)
      : rate_(rate), burst_(burst), tokens_(burst), last_(now) {}

  /// Takes a token, or as many as something costs. @return false if there are not so many
  bool take(Clock::time_point now, double cost = 1) {
    const double elapsed_s = std::chrono::duration<double>(now - last_).count();
    if (elapsed_s > 0) {
      tokens_ = std::min(burst_, tokens_ + elapsed_s * rate_);
      last_ = now;
    }
    if (tokens_ < cost) return false;
    tokens_ -= cost;
    return true;
  }

 private:
  double rate_, burst_, tokens_;
  Clock::time_point last_;
};

}  // namespace promenade::net
