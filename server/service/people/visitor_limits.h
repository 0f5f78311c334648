#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/roles.h"
#include "net/limits/recent_table.h"
#include "net/limits/token_bucket.h"
#include "service/store/saved_counts.h"
#include "world/command/command.h"
#include "world/showing/snapshot.h"

namespace promenade::service {

/// How much one visitor (an address together with a token) may cost the others, over all
/// connections. Admins have no such limits.
struct VisitorAllowance {
  double commands_hz = 400;  // in the long run; twice as many at once
  double flows_hz = 4;       // set_flow, which plans routes anew; twice as many at once
  double reads_hz = 50;      // of JSON that is costly to make; twice as many at once
  int saves_a_minute = 20;
  std::size_t saved_names = 200;                        // new ones in SavedCounts::kSpanMs
  std::uint64_t saved_bytes = std::uint64_t{16} << 20;  // in that time
  std::size_t characters = 50;                          // spawned by the visitor, at once
  std::size_t things = 200;                             // spawned by the visitor, at once
};

/// Keeps count of them. The table is bounded: where it is full, the visitor that did nothing for
/// longest is forgotten. Any thread.
class VisitorLimits {
 public:
  static constexpr std::size_t kMaxVisitors = 8192;

  explicit VisitorLimits(const VisitorAllowance& allowance) : allowance_(allowance) {}
  const VisitorAllowance& allowance() const { return allowance_; }

  // Each takes what is asked for, or says why not. `payer` names the visitor; see payer_of().
  std::optional<world::CommandError> take_command(const std::string& payer, api::Role role);
  /// For a command that has been taken already.
  std::optional<world::CommandError> take_flow(const std::string& payer, api::Role role);
  std::optional<world::CommandError> take_read(const std::string& payer, api::Role role);
  /// @param savers  see Asker::savers(); each has to have it left
  /// @param fresh  the name was not in the store before
  std::optional<world::CommandError> take_save(const std::vector<std::string>& savers,
                                               api::Role role, std::size_t bytes, bool fresh);

  /// Reserves a place for a character or thing. Bodies no more in the snapshot do not count.
  std::optional<world::CommandError> take_body(const std::string& payer, api::Role role,
                                               const std::string& room, bool thing,
                                               const world::Snapshot& now);
  /// The place is taken by `id`; 0: nothing was made, and it is free again.
  /// @param tick, epoch  of the room, when it was made
  void made_body(const std::string& payer, const std::string& room, bool thing,
                 world::CharacterId id, std::uint64_t tick, std::uint64_t epoch);
  void forget_room(const std::string& room);

  /// The counts of saves, for the store to keep from one start to the next: see SavedCounts.
  bool take_kept_count(const std::string& key, const std::string& content);
  std::vector<std::pair<std::string, std::string>> changed_counts();
  std::size_t size() const;

 private:
  struct Made {
    std::uint64_t tick = 0, epoch = 0;
  };
  struct Bodies {
    std::map<std::pair<std::string, world::CharacterId>, Made> there;  // by room and id
    std::size_t reserved = 0;
  };
  struct Visitor {
    net::TokenBucket commands, flows, reads, saves;
    Bodies characters, things;
  };
  Visitor& visitor(const std::string& payer);
  std::optional<world::CommandError> check_saved(const std::string& saver, std::size_t bytes,
                                                 bool fresh, std::int64_t now_ms) const;

  const VisitorAllowance allowance_;
  mutable std::mutex mutex_;
  SavedCounts saved_;
  net::RecentTable<Visitor> visitors_{kMaxVisitors};
};

}  // namespace promenade::service
