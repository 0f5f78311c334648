#include "net/http/authority.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cctype>
#include <string>

namespace promenade::net {
namespace asio = boost::asio;
namespace {

bool all_of(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == text.npos;
}

std::optional<asio::ip::address> ip_of(std::string_view host) {
  const bool v6 = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (v6) host = host.substr(1, host.size() - 2);
  boost::system::error_code wrong;
  const auto address = asio::ip::make_address(std::string(host), wrong);
  if (wrong || address.is_v6() != v6) return std::nullopt;
  return address;
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::optional<Authority> parse_authority(std::string_view text) {
  Authority parts;
  std::size_t end = 0;
  if (!text.empty() && text.front() == '[') {
    end = text.find(']');
    if (end == text.npos) return std::nullopt;
    parts.host = text.substr(0, ++end);
    if (!ip_of(parts.host)) return std::nullopt;
  } else {
    end = std::min(text.find(':'), text.size());
    parts.host = text.substr(0, end);
    if (!all_of(parts.host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_")) {
      return std::nullopt;
    }
    if (!parts.host.empty() && parts.host.back() == '.') parts.host.remove_suffix(1);
  }
  if (parts.host.empty() || parts.host.size() > 255) return std::nullopt;
  if (end == text.size()) return parts;
  parts.port = text.substr(end + 1);
  if (text[end] != ':' || parts.port.size() > 5 || !all_of(parts.port, "0123456789")) {
    return std::nullopt;
  }
  return parts;
}

std::optional<AbsoluteForm> parse_absolute_form(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!equal_ignoring_case(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::size_t end = std::min(target.find_first_of("/?#"), target.size());
    AbsoluteForm parts{target.substr(0, end), target.substr(end)};
    if (parts.path.empty()) parts.path = "/";
    return parts;
  }
  return std::nullopt;
}

bool is_ip_literal(std::string_view host) { return ip_of(host).has_value(); }

bool is_loopback_host(std::string_view host) {
  if (const auto address = ip_of(host)) return address->is_loopback();
  constexpr std::string_view kName = "localhost", kBelow = ".localhost";
  return equal_ignoring_case(host, kName) ||
         (host.size() > kBelow.size() &&
          equal_ignoring_case(host.substr(host.size() - kBelow.size()), kBelow));
}

}  // namespace promenade::net
