#pragma once

#include <cstddef>

#include "net/http/http_types.h"
#include "service/viewers/api_context.h"

namespace promenade::service {

/// GET and PUT of /api/v1/rooms/ID/checkpoint, for admins: a room's state in protobuf's binary
/// form. The constructor's arguments must outlive the object. Any thread may call it.
class CheckpointApi {
 public:
  explicit CheckpointApi(const ApiContext& context) : context_(context) {}

  /// @return false where the path is another one; then `reply` is left alone
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;
  /// Greatest number of bytes in the body of a request.
  /// @param otherwise  the answer unless the request is an admin's PUT of a checkpoint
  std::size_t body_limit(const net::HttpRequest& head, std::size_t otherwise) const;

 private:
  const ApiContext& context_;
};

}  // namespace promenade::service
