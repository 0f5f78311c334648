#include "service/people/invitations.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "api/replies.h"
#include "schema/message.h"
#include "schema/refusal.h"
#include "schema/shown_text.h"
#include "service/utc.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

// The tokens are random, so that nobody can have hashed them beforehand: one salt does for all.
constexpr std::string_view kSalt = "invitation";
constexpr const char* kKeyPrefix = "invitation-";
constexpr std::size_t kMaxName = 40;  // bytes of a name

std::optional<CommandError> check(const v1::Invitation& wish) {
  const auto invalid = [](std::string field, std::string value, std::string allowed) {
    return world::refuse(Code::kInvalid, std::move(field), std::move(value), std::move(allowed));
  };
  if (!api::parse_role(wish.role())) {
    return invalid("role", schema::in_quotes(wish.role()), "one of " + api::role_names());
  }
  if (wish.seconds() < Invitations::kMinSeconds || wish.seconds() > Invitations::kMaxSeconds) {
    return invalid("seconds", std::to_string(wish.seconds()),
                   std::to_string(Invitations::kMinSeconds) + " to " +
                       std::to_string(Invitations::kMaxSeconds));
  }
  if (wish.uses() > Invitations::kMaxUses) {
    return invalid("uses", std::to_string(wish.uses()),
                   "1 to " + std::to_string(Invitations::kMaxUses) + ", or 0 for 1");
  }
  if (const auto fault = schema::text_fault(wish.name(), kMaxName, "name")) {
    return invalid("name", fault->value, fault->allowed);
  }
  return std::nullopt;
}

}  // namespace

api::Grant Invitations::grant_of(const Entry& entry) {
  const v1::Invitation& one = entry.kept.invitation();
  return {api::parse_role(one.role()).value_or(api::Role::kViewer),
          one.name(),
          one.room(),
          kKeyPrefix + one.id(),
          false,
          true};
}

void Invitations::take_kept(const std::string& content) {
  const auto kept = schema::parse_message<v1::KeptInvitation>(content);
  const auto digest = kept ? api::digest_from_hex(kept->digest()) : std::nullopt;
  const auto until = kept ? utc_ms(kept->invitation().until()) : std::nullopt;
  if (!digest || !until) {
    spdlog::warn("an invitation in the store is ignored: {}",
                 kept ? "its digest or its end cannot be read" : kept.error().what());
    return;
  }
  const std::lock_guard lock(mutex_);
  entries_[kept->invitation().id()] = {*kept, *digest, *until};
}

std::optional<CommandError> Invitations::add(v1::Invitation wish, const Made& made) {
  if (wish.seconds() == 0) wish.set_seconds(86'400);
  if (wish.uses() == 0) wish.set_uses(1);
  if (auto error = check(wish)) return error;
  const std::string token = api::random_hex(16);
  wish.set_id(api::random_hex(4));
  wish.set_used(0);
  wish.clear_link();
  Entry entry;
  entry.until_ms = utc_now_ms() + std::int64_t{1000} * wish.seconds();
  entry.digest = api::digest_of(kSalt, token);
  wish.set_until(utc_text(entry.until_ms));
  *entry.kept.mutable_invitation() = wish;
  entry.kept.set_digest(api::hex_of(entry.digest));
  const std::string content = schema::message_to_json(entry.kept);
  {
    const std::lock_guard lock(mutex_);
    make_room();
    if (entries_.size() >= kMaxInvitations) {
      return api::make_error(Code::kBusy,
                             "there are as many invitations as allowed; revoke some first",
                             "invitation", "more than " + std::to_string(kMaxInvitations),
                             "at most " + std::to_string(kMaxInvitations));
    }
    entries_[wish.id()] = std::move(entry);
  }
  // The token is in the fragment, which no server is sent: so it is in no log and no Referer.
  wish.set_link("/?room=" + wish.room() + "#invite=" + token);
  keep_(wish.id(), content, [made, wish](const std::optional<CommandError>& error) {
    if (error) return made(*error);
    made(wish);
  });
  return std::nullopt;
}

bool Invitations::remove(const std::string& id, const Done& done) {
  {
    const std::lock_guard lock(mutex_);
    if (entries_.erase(id) == 0) return false;
  }
  changed_();
  keep_(id, "", done);
  return true;
}

// The one that ended first goes where there are as many as allowed.
void Invitations::make_room() {
  if (entries_.size() < kMaxInvitations) return;
  const auto first = std::min_element(
      entries_.begin(), entries_.end(),
      [](const auto& a, const auto& b) { return a.second.until_ms < b.second.until_ms; });
  if (first->second.until_ms > utc_now_ms()) return;
  keep_(first->first, "", {});
  entries_.erase(first);
}

v1::InvitationList Invitations::list() const {
  v1::InvitationList list;
  const std::lock_guard lock(mutex_);
  const std::int64_t now = utc_now_ms();
  for (const auto& [id, entry] : entries_) {
    if (entry.until_ms > now) *list.add_invitations() = entry.kept.invitation();
  }
  return list;
}

std::optional<api::Grant> Invitations::find(std::string_view token) const {
  const api::Digest digest = api::digest_of(kSalt, token);
  const std::lock_guard lock(mutex_);
  const std::int64_t now = utc_now_ms();
  std::optional<api::Grant> found;
  for (const auto& [id, entry] : entries_) {
    if (api::equal_digests(entry.digest, digest) && entry.until_ms > now) found = grant_of(entry);
  }
  return found;
}

std::optional<api::Grant> Invitations::of_key(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, entry] : entries_) {
    if (key == kKeyPrefix + id && entry.until_ms > utc_now_ms()) return grant_of(entry);
  }
  return std::nullopt;
}

std::optional<CommandError> Invitations::use(const std::string& key, const std::string& visitor) {
  std::string id, content;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&key](const auto& entry) {
      return key == kKeyPrefix + entry.first;
    });
    if (found == entries_.end()) return std::nullopt;
    v1::KeptInvitation& kept = found->second.kept;
    const auto& visitors = kept.visitors();
    if (std::find(visitors.begin(), visitors.end(), visitor) != visitors.end()) return std::nullopt;
    v1::Invitation& one = *kept.mutable_invitation();
    if (one.used() >= one.uses()) {
      return api::make_error(Code::kForbidden, "this invitation has been used up; ask for another",
                             "token", "used " + std::to_string(one.used()) + " times",
                             std::to_string(one.uses()) + " visitors");
    }
    one.set_used(one.used() + 1);
    kept.add_visitors(visitor);
    id = found->first;
    content = schema::message_to_json(kept);
  }
  keep_(id, content, {});
  return std::nullopt;
}

void Invitations::look_at_the_clock() {
  bool any = false;
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t now = utc_now_ms();
    for (auto& [id, entry] : entries_) {
      const bool over = entry.until_ms <= now;
      any = any || over != entry.over;
      entry.over = over;
    }
  }
  if (any) changed_();
}

}  // namespace promenade::service
