#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace promenade::net {

/// The names that the server answers to. A page elsewhere can give its own name the address of this
/// server (DNS rebinding); the browser then takes the two for one site. Neither an IP address nor a
/// name of loopback can be changed that way.
struct HostPolicy {
  std::vector<std::string> names;  // without a port; empty: not said
  bool loopback_only = false;      // listens on loopback: answers to no other address

  enum class Verdict { kKnown, kUnknown, kRefused };
  /// @param host  of the request, with or without a port; empty where HTTP/1.0 gives none
  /// @return kUnknown where nothing is said about a name that may be anybody's
  Verdict judge(std::string_view host) const;
  /// For people: the hosts that judge() does not refuse.
  std::string allowed() const;
};

/// Pages that may use the server. A browser sends the page's origin with every WebSocket and with
/// every POST to another site, and the page cannot forge it. Programs send none and are let in.
struct OriginPolicy {
  std::vector<std::string> allowed;  // exact, "https://example.org"; "*" allows every origin
  bool same_host = true;             // also pages from the host and port the request names

  /// @param origin, host  the request's headers, empty if absent
  /// @param scheme        "http" or "https", as the page has it; empty where that is not known
  bool allows(std::string_view origin, std::string_view host, std::string_view scheme = {}) const;
};

/// Whether a text is an origin as browsers write it: http:// or https://, a host, perhaps a port,
/// and nothing behind.
bool is_origin(std::string_view text);

}  // namespace promenade::net
