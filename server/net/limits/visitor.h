#pragma once

#include <array>
#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace promenade::net {

/// The other side of a connection, as logs show and limits count it.
struct Visitor {
  std::string address;  // "203.0.113.7"
  std::string key;      // limits count by it: the address, of IPv6 its first 64 bits
  bool exempt = false;  // from limits on connections: this machine itself, or a proxy that brings
                        // visitors of its own
};

/// An IPv6 subscriber has 2^64 addresses at least, so those that share 64 bits count as one. An
/// IPv4 address that arrives in IPv6 form (::ffff:192.0.2.1) counts as itself. Programs on this
/// machine are no strangers.
Visitor visitor_of(const boost::asio::ip::address& address);

/// Visitor::key of an address as text; any other text as it is.
std::string visitor_key(std::string_view address);

/// The networks that an address is in, the narrowest first, by which guesses are counted together:
/// the key that limits count by (an IPv4 address, of IPv6 64 bits), 24 or 48 bits, 16 or 32 bits,
/// all. Nobody gets another narrow network at each try without staying in a wide one, or leaving
/// traces all over the world. Any text that is no address stands for itself.
inline constexpr std::size_t kNetworkSizes = 4;
std::array<std::string, kNetworkSizes> networks_of(std::string_view address);

}  // namespace promenade::net
