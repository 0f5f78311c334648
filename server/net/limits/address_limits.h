#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <string>

#include "net/limits/recent_table.h"
#include "net/limits/token_bucket.h"
#include "net/types.h"

namespace promenade::net {

/// How much one visitor may do a second, over all their connections. Remembers a bounded number of
/// visitors; the one not seen for longest is forgotten first, and begins anew. Any thread.
class AddressLimits {
 public:
  enum class Kind { kRequest, kConnection, kMessage };
  static constexpr std::size_t kMostVisitors = 4096;

  explicit AddressLimits(const Limits& limits) : limits_(limits) {}

  /// @param visitor  as Visitor::key
  /// @param cost     how many of its kind this one counts as
  /// @return false where the visitor has used up what is allowed
  bool take(const std::string& visitor, Kind kind, double cost, Clock::time_point now);
  std::size_t remembered() const;

 private:
  using Buckets = std::array<TokenBucket, 3>;  // by Kind

  const Limits limits_;
  mutable std::mutex mutex_;
  RecentTable<Buckets> visitors_{kMostVisitors};
};

}  // namespace promenade::net
