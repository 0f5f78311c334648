#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace promenade::net {

/// The facts that a proxy states of a request that it passes on; empty where it states none.
struct Forwarded {
  std::optional<boost::asio::ip::address> visitor;
  std::string host, scheme;
  std::optional<std::string> base_path;  // as of parse_base_path(); nothing also where it is none
};

/// The headers in which proxies say it. Several of one name are joined by commas.
struct ForwardedHeaders {
  std::string_view x_for, x_host, x_proto;  // X-Forwarded-For, -Host, -Proto
  std::string_view forwarded;               // RFC 7239; read where there is no X-Forwarded-For, for
                                            // a proxy that sets one may pass on a visitor's other
  std::string_view x_prefix = {};           // X-Forwarded-Prefix
};

/// The proxies that are believed. Anybody can send these headers, so all others are not.
class TrustedProxies {
 public:
  /// @param text  an address or a network: "192.0.2.1", "10.0.0.0/8", "fd00::/8"
  /// @return false, and nothing changes, for anything else
  bool add(const std::string& text);
  bool contains(const boost::asio::ip::address& address) const;

  /// The visitor is the last hop that is no trusted proxy itself: those before it are whatever that
  /// one said. Host, scheme and base path are those that the nearest proxy gives.
  /// @pre the request comes from a trusted proxy
  Forwarded read(const ForwardedHeaders& headers) const;

 private:
  struct Network {
    boost::asio::ip::address_v6 first;  // IPv4 as ::ffff:0:0/96
    int bits = 128;
  };
  std::optional<boost::asio::ip::address> last_stranger(const std::vector<std::string>& hops) const;

  std::vector<Network> networks_;
};

}  // namespace promenade::net
