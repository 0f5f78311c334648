#pragma once

#include <string>
#include <string_view>

#include "api/roles.h"
#include "net/http_types.h"
#include "net/metrics.h"
#include "service/rooms.h"
#include "service/saved.h"

namespace promenade::service {

/// The part of the HTTP API for styles and bodies: which there are, which a character has, saving
/// and deleting. What the constructor is given must outlive the object. Any thread may call it.
class DefinitionsApi {
 public:
  DefinitionsApi(SavedDefinitions& saved, const api::Tokens& tokens, net::Metrics& metrics)
      : saved_(saved), tokens_(tokens), metrics_(metrics) {}

  /// Answers requests below /api/v1/styles and /api/v1/bodies.
  /// @return false if the path is not below these; then nothing is answered
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;

  /// The answer for the rest of a room's path, as in "characters/3/style".
  net::HttpResponse of_character(const RoomHost& room, const net::HttpRequest& request,
                                 std::string_view path) const;

 private:
  struct Target;
  void get(const Target& target, const net::HttpReply& reply) const;
  void put(const Target& target, const net::HttpRequest& request,
           const net::HttpReply& reply) const;
  void remove(const Target& target, const net::HttpReply& reply) const;
  SavedDefinitions::Reply<v1::CatalogueEntry> answer_to_save(const char* what,
                                                             const net::HttpReply& reply) const;

  SavedDefinitions& saved_;
  const api::Tokens& tokens_;
  net::Metrics& metrics_;
};

}  // namespace promenade::service
