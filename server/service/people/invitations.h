#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "api/tokens.h"
#include "promenade/v1/people.pb.h"
#include "world/command/command.h"

namespace promenade::service {

/// Links that give a role in a room, until an end and to so many visitors. Only digests of their
/// tokens are kept. One that has come to its end gives nothing and is not listed, but stays until
/// its place is needed: a clock that was wrong for a while ends none for good. Any thread.
class Invitations {
 public:
  static constexpr std::size_t kMaxInvitations = 1000;
  static constexpr std::uint32_t kMaxUses = 10'000, kMinSeconds = 60, kMaxSeconds = 365 * 86'400;

  /// Is called once when a change is on the disk, or could not be kept; on any thread.
  using Done = std::function<void(const std::optional<world::CommandError>& error)>;
  /// To be called with one that is new or changed, or gone (an empty text): keeps it for the next
  /// start. `done` may be empty.
  using Keep =
      std::function<void(const std::string& id, const std::string& content, const Done& done)>;
  /// @param changed  is called when of_key() answers otherwise from now on; before the `done` that
  /// says so
  Invitations(Keep keep, std::function<void()> changed)
      : keep_(std::move(keep)), changed_(std::move(changed)) {}

  /// Takes one that was kept; a text that cannot be read is left out with a line in the log.
  void take_kept(const std::string& content);

  /// Makes one as asked for. @return why it cannot be made; then `made` is not called
  /// @param made  gets it, with its link, once it is kept, or why it could not be
  using Made = std::function<void(std::variant<v1::Invitation, world::CommandError>)>;
  std::optional<world::CommandError> add(v1::Invitation wish, const Made& made);
  /// @return whether there was one; else `done` is not called
  bool remove(const std::string& id, const Done& done = {});
  v1::InvitationList list() const;

  /// The grant of a token; nothing for one that is no invitation, or not any more.
  std::optional<api::Grant> find(std::string_view token) const;
  std::optional<api::Grant> of_key(std::string_view key) const;
  /// Counts a visitor who comes with it; the same visitor counts once.
  /// @param key  of a Grant; those that are no invitation's are let pass
  std::optional<world::CommandError> use(const std::string& key, const std::string& visitor);

  /// Says that something has changed where invitations have come to their end, or are valid again
  /// because the clock was set back. Call it about twice a second.
  void look_at_the_clock();

 private:
  struct Entry {
    v1::KeptInvitation kept;
    api::Digest digest{};
    std::int64_t until_ms = 0;
    bool over = false;  // when the clock was last looked at
  };
  static api::Grant grant_of(const Entry& entry);

  void make_room();

  const Keep keep_;
  const std::function<void()> changed_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // by id
};

}  // namespace promenade::service
