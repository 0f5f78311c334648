#pragma once

#include <string>
#include <string_view>

#include "net/http/http_types.h"
#include "service/viewers/api_context.h"

namespace promenade::service {

/// /api/v1/rooms/ID/people and /api/v1/bans: the visitors here, for operators; and what admins do
/// about them. The constructor's arguments must outlive the object. Any thread may call it.
class PeopleApi {
 public:
  explicit PeopleApi(const ApiContext& context) : context_(context) {}

  /// @return false where the path is another one; then `reply` is left alone
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;

 private:
  net::HttpResponse list(const net::HttpRequest& request, const RoomHost& room) const;
  void act(const net::HttpRequest& request, RoomHost& room, const std::string& visitor,
           const net::HttpReply& reply) const;
  void ban(const Asker& admin, RoomHost& room, const std::string& visitor,
           const v1::PersonAction& action, const net::HttpReply& reply) const;
  void bans(const net::HttpRequest& request, const std::string& id,
            const net::HttpReply& reply) const;

  const ApiContext& context_;
};

}  // namespace promenade::service
