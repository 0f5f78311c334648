#include "net/visitor.h"

#include <algorithm>

namespace promenade::net {
namespace asio = boost::asio;

Visitor visitor_of(const asio::ip::address& address) {
  if (address.is_v4()) return {address.to_string(), address.to_string(), address.is_loopback()};
  const asio::ip::address_v6 v6 = address.to_v6();
  if (v6.is_v4_mapped()) return visitor_of(asio::ip::make_address_v4(asio::ip::v4_mapped, v6));
  if (v6.is_loopback()) return {v6.to_string(), v6.to_string(), true};
  auto network = v6.to_bytes();
  std::fill(network.begin() + 8, network.end(), 0);
  return {v6.to_string(), asio::ip::address_v6(network).to_string() + "/64", false};
}

std::string visitor_key(std::string_view address) {
  boost::system::error_code wrong;
  const auto parsed = asio::ip::make_address(address, wrong);
  return wrong ? std::string(address) : visitor_of(parsed).key;
}

}  // namespace promenade::net
