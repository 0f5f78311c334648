#pragma once

#include "api/roles.h"
#include "net/http_types.h"
#include "net/metrics.h"
#include "net/static_files.h"
#include "service/checkpoint_api.h"
#include "service/definitions_api.h"
#include "service/rooms.h"
#include "service/saved.h"

namespace promenade::service {

/// Everything served over HTTP: the page's files, health, metrics and the JSON API. What the
/// constructor is given must outlive the object. Any thread may call handle().
class HttpApi {
 public:
  HttpApi(const Rooms& rooms, SavedDefinitions& saved, const api::Tokens& tokens,
          net::Metrics& metrics, const net::StaticFiles& files)
      : rooms_(rooms),
        saved_(saved),
        tokens_(tokens),
        metrics_(metrics),
        files_(files),
        definitions_(saved, tokens, metrics),
        checkpoints_(rooms, tokens) {}

  void handle(const net::HttpRequest& request, net::HttpReply reply) const;
  /// Greatest number of bytes in the body of a request. @param otherwise  that of most requests
  std::size_t body_limit(const net::HttpRequest& head, std::size_t otherwise) const {
    return checkpoints_.body_limit(head, otherwise);
  }

 private:
  net::HttpResponse get(const net::HttpRequest& request) const;
  net::HttpResponse ready() const;
  net::HttpResponse rooms() const;
  net::HttpResponse state(const RoomHost& room) const;
  void command(RoomHost& room, const net::HttpRequest& request, net::HttpReply reply) const;

  const Rooms& rooms_;
  const SavedDefinitions& saved_;
  const api::Tokens& tokens_;
  net::Metrics& metrics_;
  const net::StaticFiles& files_;
  const DefinitionsApi definitions_;
  const CheckpointApi checkpoints_;
};

}  // namespace promenade::service
