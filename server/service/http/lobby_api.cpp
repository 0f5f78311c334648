#include "service/http/lobby_api.h"

#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "math/hash.h"
#include "schema/refusal.h"
#include "service/http/http_answers.h"

namespace promenade::service {
namespace {

using world::CommandError;

constexpr std::chrono::seconds kPatience{4};  // without a question a picture is forgotten

/// "a" and "b" of rooms=a,b; nothing of a query that is none of that kind.
std::optional<std::vector<std::string_view>> rooms_in(std::string_view query) {
  constexpr std::string_view kName = "rooms=";
  if (query.substr(0, kName.size()) != kName) return std::nullopt;
  query.remove_prefix(kName.size());
  std::vector<std::string_view> ids;
  while (true) {
    const auto comma = query.find(',');
    const std::string_view id = query.substr(0, comma);
    if (id.empty() || id.find_first_of("&=%") != id.npos) return std::nullopt;
    ids.push_back(id);
    if (ids.size() > LobbyApi::kMostRooms) return std::nullopt;
    if (comma == query.npos) return ids;
    query.remove_prefix(comma + 1);
  }
}

}  // namespace

bool LobbyApi::handle(const net::HttpRequest& request, const net::HttpReply& reply) const {
  if (request.path != "/api/v1/lobby") return false;
  reply(request.method == "GET" || request.method == "HEAD"
            ? answer(request)
            : method_not_allowed(request, "GET, HEAD"));
  return true;
}

net::HttpResponse LobbyApi::answer(const net::HttpRequest& request) const {
  const auto ids = rooms_in(request.query);
  if (!ids) {
    return refusal(world::refuse(
        CommandError::Code::kInvalid, "rooms", schema::in_quotes(request.query),
        "rooms=ID,ID: 1 to " + std::to_string(kMostRooms) + " ids of rooms, joined by commas"));
  }
  const auto asker = context_.door.admit(request);
  if (const auto* error = std::get_if<CommandError>(&asker)) return refusal(*error);
  const api::Role role = context_.people.role_anywhere(std::get<Asker>(asker).grant);
  const bool all = role == api::Role::kAdmin;
  v1::LobbyPictures own;
  own.set_role(api::role_name(role));
  net::HttpResponse response;
  response.content_type = "application/x-protobuf";
  std::string body = own.SerializeAsString();
  Hash tag;
  tag.add(own.role());
  const auto now = net::Clock::now();
  for (const std::string_view id : *ids) {
    const auto room = context_.rooms.find(id);
    // A visitor who may not see a room is not told whether there is one.
    if (!room || (room->spec()->by_link() && !all)) continue;
    const std::lock_guard lock(mutex_);
    auto found = entries_.find(id);
    if (found == entries_.end() || found->second.room.lock() != room) {
      if (found != entries_.end()) entries_.erase(found);  // another room of that id
      found = entries_.emplace(room->id(), Entry(*room)).first;
      found->second.room = room;
    }
    Entry& entry = found->second;
    entry.asked = now;
    if (entry.picture.empty()) update(*room, entry);
    if (entry.bytes.empty()) {
      entry.bytes = entry.picture.encode(entry.asleep);
      entry.tag = ++encoded_;
    }
    tag.add(id);
    tag.add(entry.tag);
    body += entry.bytes;
  }
  char text[32];
  std::snprintf(text, sizeof text, "\"%016llx\"", static_cast<unsigned long long>(tag.value()));
  response.headers.emplace_back("ETag", text);
  response.headers.emplace_back("Cache-Control", "no-cache");
  if (request.header("if-none-match") == text) {
    response.status = 304;
    return response;
  }
  response.body = std::move(body);
  return response;
}

void LobbyApi::update(const RoomHost& room, Entry& entry) const {
  const auto publication = room.current();
  const bool asleep = room.stats().asleep;
  if (asleep != entry.asleep) entry.bytes.clear();
  entry.asleep = asleep;
  if (entry.last.lock() == publication) return;
  entry.last = publication;
  const world::Snapshot& snapshot = publication->snapshot();
  // A paused room says the same again, with another time of the clock.
  if (!entry.picture.empty() && snapshot.tick == entry.picture.tick() && snapshot.paused) return;
  const auto scene = context_.rooms.library()->find_scene(snapshot.roster->scene);
  entry.picture.add(snapshot, scene ? &scene->message : nullptr);
  entry.bytes.clear();
}

void LobbyApi::sample() {
  const std::lock_guard lock(mutex_);
  const auto now = net::Clock::now();
  std::erase_if(entries_, [now](const auto& one) {
    return one.second.room.expired() || now - one.second.asked > kPatience;
  });
  for (auto& [id, entry] : entries_) {
    if (const auto room = entry.room.lock()) update(*room, entry);
  }
}

std::uint64_t LobbyApi::encoded() const {
  const std::lock_guard lock(mutex_);
  return encoded_;
}

}  // namespace promenade::service
