#include "net/limits/address_limits.h"

namespace promenade::net {

bool AddressLimits::take(const std::string& visitor, Kind kind, double cost,
                         Clock::time_point now) {
  const auto bucket = [now](const Rate& rate) {
    return TokenBucket(rate.per_second, rate.burst, now);
  };
  const std::lock_guard lock(mutex_);
  Buckets& buckets = visitors_.use(visitor, [&] {
    return Buckets{bucket(limits_.visitor_requests), bucket(limits_.visitor_connections),
                   bucket(limits_.visitor_messages)};
  });
  return buckets[static_cast<std::size_t>(kind)].take(now, cost);
}

std::size_t AddressLimits::remembered() const {
  const std::lock_guard lock(mutex_);
  return visitors_.size();
}

}  // namespace promenade::net
