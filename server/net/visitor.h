#pragma once

#include <boost/asio/ip/address.hpp>
#include <string>
#include <string_view>

namespace promenade::net {

/// Who is at the other side, as logs show and limits count it.
struct Visitor {
  std::string address;  // "203.0.113.7"
  std::string key;      // what limits go by: the address, of IPv6 its first 64 bits
  bool exempt = false;  // from limits on connections: this machine itself, or a proxy that brings
                        // visitors of its own
};

/// An IPv6 subscriber has 2^64 addresses at least, so those that share 64 bits count as one. An
/// IPv4 address that arrives in IPv6 form (::ffff:192.0.2.1) counts as itself. What runs on this
/// machine is no stranger.
Visitor visitor_of(const boost::asio::ip::address& address);

/// Visitor::key of an address as text; any other text as it is.
std::string visitor_key(std::string_view address);

}  // namespace promenade::net
