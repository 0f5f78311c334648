#include "service/people/bans.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "api/replies.h"
#include "net/limits/visitor.h"
#include "schema/message.h"
#include "service/utc.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;

}  // namespace

void Bans::take_kept(const std::string& content) {
  const auto ban = schema::parse_message<v1::Ban>(content);
  if (!ban) {
    spdlog::warn("a ban in the store is ignored: {}", ban.error().what());
    return;
  }
  const std::lock_guard lock(mutex_);
  bans_[ban->id()] = {*ban, utc_ms(ban->until()).value_or(0)};
}

std::variant<v1::Ban, world::CommandError> Bans::add(v1::Ban ban, std::uint32_t seconds,
                                                     const Done& done) {
  Entry entry;
  if (seconds > 0) {
    entry.until_ms = utc_now_ms() + std::int64_t{1000} * seconds;
    ban.set_until(utc_text(entry.until_ms));
  }
  ban.set_id(api::random_hex(4));
  if (!ban.address().empty()) ban.set_address(net::visitor_key(ban.address()));
  entry.ban = ban;
  {
    const std::lock_guard lock(mutex_);
    make_room();
    if (bans_.size() >= kMaxBans) {
      return api::make_error(Code::kBusy, "there are as many bans as allowed; lift some first",
                             "ban", "more than " + std::to_string(kMaxBans),
                             "at most " + std::to_string(kMaxBans) + " bans");
    }
    bans_[ban.id()] = std::move(entry);
  }
  keep_(ban.id(), schema::message_to_json(ban), done);
  return ban;
}

void Bans::make_room() {
  if (bans_.size() < kMaxBans) return;
  const std::int64_t now = utc_now_ms();
  const auto over = std::find_if(bans_.begin(), bans_.end(),
                                 [now](const auto& ban) { return ban.second.over(now); });
  if (over == bans_.end()) return;
  keep_(over->first, "", {});
  bans_.erase(over);
}

bool Bans::remove(const std::string& id, const Done& done) {
  {
    const std::lock_guard lock(mutex_);
    if (bans_.erase(id) == 0) return false;
  }
  keep_(id, "", done);
  return true;
}

v1::BanList Bans::list() const {
  v1::BanList list;
  const std::lock_guard lock(mutex_);
  const std::int64_t now = utc_now_ms();
  for (const auto& [id, entry] : bans_) {
    if (!entry.over(now)) *list.add_bans() = entry.ban;
  }
  return list;
}

std::optional<world::CommandError> Bans::check(const std::string& address,
                                               const api::Grant& grant) const {
  const std::lock_guard lock(mutex_);
  if (bans_.empty()) return std::nullopt;
  const std::string visitor = net::visitor_key(address);
  const std::int64_t now = utc_now_ms();
  for (const auto& [id, entry] : bans_) {
    if (entry.over(now)) continue;
    const bool by_address = !entry.ban.address().empty() && entry.ban.address() == visitor &&
                            grant.role != api::Role::kAdmin;
    const bool by_token = !entry.ban.token().empty() && entry.ban.token() == grant.key;
    if (!by_address && !by_token) continue;
    std::string message = "you are banned from this server", value = "banned";
    if (!entry.ban.until().empty()) {
      value += " until " + entry.ban.until();
      message += " until " + entry.ban.until();
    }
    if (!entry.ban.reason().empty()) message += ": " + entry.ban.reason();
    return api::make_error(Code::kForbidden, std::move(message), by_token ? "token" : "address",
                           std::move(value), kAllowed);
  }
  return std::nullopt;
}

}  // namespace promenade::service
