#pragma once

#include "net/http/http_types.h"
#include "service/searches/gait_searches.h"
#include "service/viewers/api_context.h"

namespace promenade::service {

/// The part of the HTTP API for searches of gaits: /api/v1/rooms/{id}/search, and the gaits that
/// one has found: .../search/gait?cell=N. Operators of the room begin and stop them. The
/// constructor's arguments must outlive the object. Any thread may call it.
class SearchApi {
 public:
  SearchApi(const ApiContext& context, GaitSearches& searches)
      : context_(context), searches_(searches) {}

  /// @return false if the path is not one of these; then nothing is answered
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;

 private:
  net::HttpResponse report(const RoomHost& room) const;
  net::HttpResponse gait(const RoomHost& room, const net::HttpRequest& request) const;
  /// Begins or stops one.
  net::HttpResponse change(const RoomHost& room, const net::HttpRequest& request) const;

  const ApiContext& context_;
  GaitSearches& searches_;
};

}  // namespace promenade::service
