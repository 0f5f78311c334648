#pragma once

#include <functional>
#include <utility>

#include "net/http/http_types.h"
#include "net/http/static_files.h"
#include "service/http/checkpoint_api.h"
#include "service/http/definitions_api.h"
#include "service/http/invitations_api.h"
#include "service/http/lobby_api.h"
#include "service/http/people_api.h"
#include "service/http/rooms_api.h"
#include "service/http/search_api.h"
#include "service/http/state_api.h"
#include "service/viewers/api_context.h"

namespace promenade::service {

/// Everything served over HTTP: the page's files, health, metrics and the JSON API. The
/// constructor's arguments must outlive the object. Any thread may call handle().
class HttpApi {
 public:
  /// Runs work after a while on a network thread.
  using Later = std::function<void(net::Clock::duration, std::function<void()>)>;
  HttpApi(const ApiContext& context, RoomKeeper& keeper, Invitations& invitations,
          GaitSearches& searches, GaitStudies& studies, const LobbyApi& lobby,
          const net::StaticFiles& files, Later later)
      : context_(context),
        later_(std::move(later)),
        rooms_(context.rooms),
        lobby_(lobby),
        files_(files),
        definitions_(context),
        checkpoints_(context),
        rooms_api_(context, keeper),
        people_(context),
        invitations_(context, invitations),
        searches_(context, searches, studies) {}

  void handle(const net::HttpRequest& request, const net::HttpReply& reply) const;
  /// How many requests a request counts as against the limit of a visitor.
  double cost(const net::HttpRequest& head) const;
  /// Greatest number of bytes in the body of a request. @param otherwise  that of most requests
  std::size_t body_limit(const net::HttpRequest& head, std::size_t otherwise) const {
    return checkpoints_.body_limit(head, otherwise);
  }

 private:
  void answer(const net::HttpRequest& request, const net::HttpReply& reply) const;
  net::HttpResponse get(const net::HttpRequest& request) const;
  bool is_admin(const net::HttpRequest& request) const;
  net::HttpResponse metrics(const net::HttpRequest& request) const;
  net::HttpResponse ready(bool admin) const;
  void command(const std::shared_ptr<RoomHost>& room, const net::HttpRequest& request,
               const net::HttpReply& reply) const;
  std::optional<world::CommandError> check_read(const net::HttpRequest& request) const;

  const ApiContext& context_;
  const Later later_;
  const Rooms& rooms_;
  const LobbyApi& lobby_;
  const net::StaticFiles& files_;
  const DefinitionsApi definitions_;
  const CheckpointApi checkpoints_;
  const RoomsApi rooms_api_;
  const PeopleApi people_;
  const InvitationsApi invitations_;
  const SearchApi searches_;
  const StateApi states_;
};

}  // namespace promenade::service
