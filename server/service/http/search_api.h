#pragma once

#include "net/http/http_types.h"
#include "service/searches/gait_searches.h"
#include "service/searches/gait_studies.h"
#include "service/viewers/api_context.h"

namespace promenade::service {

/// The part of the HTTP API for searches of gaits: /api/v1/rooms/{id}/search, the gaits that
/// one has found: .../search/gait?cell=N, and .../gait-study, the look about in the neighbourhood
/// of a gait. Operators of the room begin and stop them. The constructor's arguments must outlive
/// the object. Any thread may call it.
class SearchApi {
 public:
  SearchApi(const ApiContext& context, GaitSearches& searches, GaitStudies& studies)
      : context_(context), searches_(searches), studies_(studies) {}

  /// @return false if the path is not one of these; then nothing is answered
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;

 private:
  net::HttpResponse gait(const RoomHost& room, const net::HttpRequest& request) const;
  /// Begins or stops a search or a study.
  net::HttpResponse change(const RoomHost& room, const net::HttpRequest& request, bool study) const;
  GaitStudies::Report changed(const RoomHost& room, const net::HttpRequest& request,
                              bool study) const;

  const ApiContext& context_;
  GaitSearches& searches_;
  GaitStudies& studies_;
};

}  // namespace promenade::service
