#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace promenade::net {

/// Which pages may use the server. A browser sends the page's origin with every WebSocket and with
/// every POST to another site, and the page cannot forge it. Programs send none and are let in.
struct OriginPolicy {
  std::vector<std::string> allowed;  // exact, "https://example.org"; "*" allows every origin
  bool same_host = true;             // also pages from the host and port the request names
  /// Also require the Host header to be a loopback name. Set when listening on loopback only: a
  /// page elsewhere could otherwise name itself in DNS as 127.0.0.1 and become the same host.
  bool loopback_only = false;

  /// @param origin, host  the request's headers, empty if absent
  bool allows(std::string_view origin, std::string_view host) const;
  /// False for a Host that cannot be meant for this server, whatever the origin.
  bool allows_host(std::string_view host) const;
};

}  // namespace promenade::net
