#pragma once

#include <cstddef>

#include "api/roles.h"
#include "net/http_types.h"
#include "service/rooms.h"

namespace promenade::service {

/// GET and PUT /api/v1/rooms/ID/checkpoint, an admin's: a room's state, in protobuf's binary form.
/// All it is given outlives it. Functions may be called from several threads at once.
class CheckpointApi {
 public:
  CheckpointApi(const Rooms& rooms, const api::Tokens& tokens) : rooms_(rooms), tokens_(tokens) {}

  /// @return false where the path is another one; then `reply` is left alone
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;
  /// Bytes of body that a request may have.
  /// @param otherwise  where it is not an admin's PUT of a checkpoint
  std::size_t body_limit(const net::HttpRequest& head, std::size_t otherwise) const;

 private:
  const Rooms& rooms_;
  const api::Tokens& tokens_;
};

}  // namespace promenade::service
