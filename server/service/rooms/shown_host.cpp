#include "service/rooms/shown_host.h"

#include <boost/asio/ip/address.hpp>

namespace promenade::service {

std::string shown_host(const std::string& address) {
  boost::system::error_code unknown;
  const auto ip = boost::asio::ip::make_address(address, unknown);
  if (unknown) return address;
  if (ip.is_v4()) return ip.is_unspecified() ? "127.0.0.1" : address;
  const auto v6 = ip.to_v6();
  if (v6.is_v4_mapped()) {
    return shown_host(boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, v6).to_string());
  }
  return ip.is_unspecified() ? "[::1]" : "[" + address + "]";
}

}  // namespace promenade::service
