#include "service/people/visitor_limits.h"

#include "schema/refusal.h"
#include "service/utc.h"

namespace promenade::service {
namespace {

using Code = world::CommandError::Code;
using world::CommandError;

CommandError too_often(const char* what, const std::string& allowed) {
  CommandError error = world::refuse(Code::kRateLimited, what, "more from one visitor", allowed);
  error.message = std::string("too many ") + what + " from your address and token: " + allowed +
                  "; this one was not acted on";
  return error;
}

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

}  // namespace

VisitorLimits::Visitor& VisitorLimits::visitor(const std::string& payer) {
  return visitors_.use(payer, [&a = allowance_] {
    const auto now = net::Clock::now();
    return Visitor{{a.commands_hz, 2 * a.commands_hz, now},
                   {a.flows_hz, 2 * a.flows_hz, now},
                   {a.reads_hz, 2 * a.reads_hz, now},
                   {a.saves_a_minute / 60.0, double(a.saves_a_minute), now},
                   {},
                   {}};
  });
}

std::optional<CommandError> VisitorLimits::take_command(const std::string& payer, api::Role role) {
  if (role == api::Role::kAdmin) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (visitor(payer).commands.take(net::Clock::now())) return std::nullopt;
  return too_often("commands", "at most " + schema::number(allowance_.commands_hz) +
                                   " a second over all connections");
}

std::optional<CommandError> VisitorLimits::take_flow(const std::string& payer, api::Role role) {
  if (role == api::Role::kAdmin) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (visitor(payer).flows.take(net::Clock::now())) return std::nullopt;
  return too_often("changes of the flow",
                   "at most " + schema::number(allowance_.flows_hz) + " a second");
}

std::optional<CommandError> VisitorLimits::take_read(const std::string& payer, api::Role role) {
  if (role == api::Role::kAdmin) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (visitor(payer).reads.take(net::Clock::now())) return std::nullopt;
  return too_often("requests", "at most " + schema::number(allowance_.reads_hz) +
                                   " a second for states and definitions");
}

std::optional<CommandError> VisitorLimits::take_save(const std::vector<std::string>& savers,
                                                     api::Role role, std::size_t bytes,
                                                     bool fresh) {
  if (role == api::Role::kAdmin) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const std::int64_t now = utc_now_ms();
  for (const std::string& saver : savers) {
    if (!visitor(saver).saves.take(net::Clock::now())) {
      return too_often("saves",
                       "at most " + std::to_string(allowance_.saves_a_minute) + " a minute");
    }
    if (auto error = check_saved(saver, bytes, fresh, now)) return error;
  }
  for (const std::string& saver : savers) saved_.add(saver, bytes, fresh, now);
  return std::nullopt;
}

std::optional<CommandError> VisitorLimits::check_saved(const std::string& saver, std::size_t bytes,
                                                       bool fresh, std::int64_t now_ms) const {
  const SavedCounts::Count saved = saved_.of(saver, now_ms);
  if (fresh && saved.names >= allowance_.saved_names) {
    return world::refuse(
        Code::kRateLimited, "name", "one more than " + std::to_string(saved.names) + " new ones",
        std::to_string(allowance_.saved_names) +
            " new names from one visitor in 30 days; use one of your names, or ask an admin");
  }
  if (saved.bytes + bytes <= allowance_.saved_bytes) return std::nullopt;
  return world::refuse(
      Code::kRateLimited, "request body",
      std::to_string(bytes) + " bytes, with " + bytes_text(saved.bytes) + " saved already",
      bytes_text(allowance_.saved_bytes) + " saved by one visitor in 30 days");
}

std::optional<CommandError> VisitorLimits::take_body(const std::string& payer, api::Role role,
                                                     const std::string& room, bool thing,
                                                     const world::Snapshot& now) {
  if (role == api::Role::kAdmin) return std::nullopt;
  const std::size_t most = thing ? allowance_.things : allowance_.characters;
  const std::lock_guard lock(mutex_);
  Visitor& one = visitor(payer);
  Bodies& bodies = thing ? one.things : one.characters;
  if (bodies.there.size() + bodies.reserved >= most) {
    const auto is_there = [&](world::CharacterId id) {
      return thing ? world::has_id(now.things, id) : world::has_id(now.characters, id);
    };
    // Bodies made after the snapshot cannot be in it yet.
    std::erase_if(bodies.there, [&](const auto& body) {
      const auto& [place, made] = body;
      return place.first == room && (made.epoch != now.roster->epoch || made.tick < now.tick) &&
             !is_there(place.second);
    });
  }
  if (bodies.there.size() + bodies.reserved >= most) {
    const std::string what = thing ? "things" : "characters";
    CommandError error = world::refuse(
        Code::kBusy, thing ? "spawn_thing" : "spawn",
        "more than the " + std::to_string(most) + " " + what + " that you have spawned",
        std::to_string(most) + " " + what + " of one visitor at once");
    error.message = "you have added " + std::to_string(most) + " " + what +
                    " that are still here, the most for one visitor; remove some first";
    return error;
  }
  ++bodies.reserved;
  return std::nullopt;
}

void VisitorLimits::made_body(const std::string& payer, const std::string& room, bool thing,
                              world::CharacterId id, std::uint64_t tick, std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  Visitor* one = visitors_.find(payer);
  if (!one) return;
  Bodies& bodies = thing ? one->things : one->characters;
  if (bodies.reserved > 0) --bodies.reserved;
  if (id != 0) bodies.there[{room, id}] = {tick, epoch};
}

void VisitorLimits::forget_room(const std::string& room) {
  const std::lock_guard lock(mutex_);
  for (auto& [payer, one] : visitors_) {
    for (Bodies* bodies : {&one.characters, &one.things}) {
      std::erase_if(bodies->there, [&room](const auto& body) { return body.first.first == room; });
    }
  }
}

bool VisitorLimits::take_kept_count(const std::string& key, const std::string& content) {
  const std::lock_guard lock(mutex_);
  return saved_.take_kept(key, content, utc_now_ms());
}

std::vector<std::pair<std::string, std::string>> VisitorLimits::changed_counts() {
  const std::lock_guard lock(mutex_);
  return saved_.changes(utc_now_ms());
}

std::size_t VisitorLimits::size() const {
  const std::lock_guard lock(mutex_);
  return visitors_.size();
}

}  // namespace promenade::service
