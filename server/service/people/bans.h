#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "api/tokens.h"
#include "promenade/v1/people.pb.h"
#include "world/command/command.h"

namespace promenade::service {

/// Bans of visitors: addresses and tokens, each until an end. One that has ended is not listed,
/// but stays until its place is needed: a clock that was wrong for a while lifts none for good. Any
/// thread.
class Bans {
 public:
  static constexpr std::size_t kMaxBans = 1000;

  /// Is called once when a change is on the disk, or could not be kept; on any thread.
  using Done = std::function<void(const std::optional<world::CommandError>& error)>;
  /// To be called with a ban that is new or gone (an empty text): keeps it for the next start.
  /// `done` may be empty.
  using Keep =
      std::function<void(const std::string& id, const std::string& content, const Done& done)>;
  explicit Bans(Keep keep) : keep_(std::move(keep)) {}

  /// Takes one that was kept; a text that cannot be read is left out with a line in the log.
  void take_kept(const std::string& content);

  /// Adds a ban, which holds at once. @param seconds  0: until it is taken back
  /// @param done  not called where the ban is refused
  std::variant<v1::Ban, world::CommandError> add(v1::Ban ban, std::uint32_t seconds,
                                                 const Done& done = {});
  /// @return whether there was one; else `done` is not called
  bool remove(const std::string& id, const Done& done = {});
  v1::BanList list() const;

  /// The error for a banned visitor; nothing for others. Admins cannot be banned by their
  /// address: they would lock themselves out along with a troublemaker of the same network.
  std::optional<world::CommandError> check(const std::string& address,
                                           const api::Grant& grant) const;
  /// Whether an error is one that check() gave.
  static bool is_of_a_ban(const world::CommandError& error) { return error.allowed == kAllowed; }

 private:
  static constexpr const char* kAllowed = "visitors who are not banned";
  struct Entry {
    v1::Ban ban;
    std::int64_t until_ms = 0;  // 0: for ever
    bool over(std::int64_t now_ms) const { return until_ms != 0 && until_ms <= now_ms; }
  };
  void make_room();

  const Keep keep_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> bans_;
};

}  // namespace promenade::service
