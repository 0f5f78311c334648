#include "net/limits/visitor.h"

#include <algorithm>

namespace promenade::net {
namespace asio = boost::asio;
namespace {

/// The first bytes of an address, and how many these are: "2001:db8::/32".
template <typename Address>
std::string network_text(const Address& address, int bytes) {
  auto network = address.to_bytes();
  std::fill(network.begin() + bytes, network.end(), 0);
  return Address(network).to_string() + "/" + std::to_string(8 * bytes);
}

}  // namespace

Visitor visitor_of(const asio::ip::address& address) {
  if (address.is_v4()) return {address.to_string(), address.to_string(), address.is_loopback()};
  const asio::ip::address_v6 v6 = address.to_v6();
  if (v6.is_v4_mapped()) return visitor_of(asio::ip::make_address_v4(asio::ip::v4_mapped, v6));
  if (v6.is_loopback()) return {v6.to_string(), v6.to_string(), true};
  return {v6.to_string(), network_text(v6, 8), false};
}

std::string visitor_key(std::string_view address) {
  boost::system::error_code wrong;
  const auto parsed = asio::ip::make_address(address, wrong);
  return wrong ? std::string(address) : visitor_of(parsed).key;
}

std::array<std::string, kNetworkSizes> networks_of(std::string_view address) {
  boost::system::error_code wrong;
  const auto parsed = asio::ip::make_address(address, wrong);
  const std::string text(address);
  if (wrong) return {text, text, text, ""};
  const std::string key = visitor_of(parsed).key;
  if (parsed.is_v4() || parsed.to_v6().is_v4_mapped()) {
    const auto v4 = parsed.is_v4() ? parsed.to_v4()
                                   : asio::ip::make_address_v4(asio::ip::v4_mapped, parsed.to_v6());
    return {key, network_text(v4, 3), network_text(v4, 2), ""};
  }
  return {key, network_text(parsed.to_v6(), 6), network_text(parsed.to_v6(), 4), ""};
}

}  // namespace promenade::net
