#pragma once

#include <string_view>

#include "net/http/http_types.h"
#include "service/rooms/room_keeper.h"
#include "service/viewers/api_context.h"

namespace promenade::service {

/// /api/v1/rooms and /api/v1/rooms/ID: which rooms there are; for admins making, configuring and
/// closing them. The constructor's arguments must outlive the object. Any thread may call it.
class RoomsApi {
 public:
  RoomsApi(const ApiContext& context, RoomKeeper& keeper) : context_(context), keeper_(keeper) {}

  /// @return false where the path is another one; then `reply` is left alone
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;

 private:
  net::HttpResponse list(const net::HttpRequest& request) const;
  void change(const net::HttpRequest& request, std::string_view id,
              const net::HttpReply& reply) const;

  const ApiContext& context_;
  RoomKeeper& keeper_;
};

}  // namespace promenade::service
