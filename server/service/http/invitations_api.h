#pragma once

#include "net/http/http_types.h"
#include "service/people/invitations.h"
#include "service/viewers/api_context.h"

namespace promenade::service {

/// /api/v1/invitations, for admins: making, listing and revoking links that give a role. The
/// constructor's arguments must outlive the object. Any thread may call it.
class InvitationsApi {
 public:
  InvitationsApi(const ApiContext& context, Invitations& invitations)
      : context_(context), invitations_(invitations) {}

  /// @return false where the path is another one; then `reply` is left alone
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;

 private:
  void make(const net::HttpRequest& request, const Asker& admin, const net::HttpReply& reply) const;
  void revoke(const std::string& id, const Asker& admin, const net::HttpReply& reply) const;

  const ApiContext& context_;
  Invitations& invitations_;
};

}  // namespace promenade::service
