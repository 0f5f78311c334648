#include "net/http/proxies.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "net/http/authority.h"
#include "net/http/base_path.h"

namespace promenade::net {
namespace asio = boost::asio;
namespace {

asio::ip::address_v6 as_v6(const asio::ip::address& address) {
  return address.is_v6() ? address.to_v6()
                         : asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4());
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Splits at a character, but not inside quotes.
std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '"') quoted = !quoted;
    if (i < text.size() && (text[i] != at || quoted)) continue;
    parts.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

// "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80".
std::optional<asio::ip::address> address_of(std::string_view hop) {
  if (!hop.empty() && hop.front() == '[') {
    hop = hop.substr(1, hop.find(']') - 1);
  } else if (std::count(hop.begin(), hop.end(), ':') == 1) {
    hop = hop.substr(0, hop.find(':'));
  }
  boost::system::error_code wrong;
  auto address = asio::ip::make_address(std::string(hop), wrong);
  if (wrong) return std::nullopt;
  return address;
}

// The value of a pair in an element of Forwarded: for, host, proto.
std::string value_of(std::string_view element, std::string_view name) {
  for (const std::string_view pair : split(element, ';')) {
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos || !equal_ignoring_case(trimmed(pair.substr(0, equals)), name)) {
      continue;
    }
    std::string_view value = trimmed(pair.substr(equals + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    return std::string(value);
  }
  return "";
}

}  // namespace

bool TrustedProxies::add(const std::string& text) {
  const std::size_t slash = text.find('/');
  boost::system::error_code wrong;
  const auto address = asio::ip::make_address(text.substr(0, slash), wrong);
  if (wrong) return false;
  const int most = address.is_v4() ? 32 : 128;
  int bits = most;
  if (slash != text.npos) {
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + slash + 1, end, bits);
    if (error != std::errc() || last != end || bits < 0 || bits > most) return false;
  }
  networks_.push_back({as_v6(address), bits + 128 - most});
  return true;
}

bool TrustedProxies::contains(const asio::ip::address& address) const {
  const auto there = as_v6(address).to_bytes();
  return std::any_of(networks_.begin(), networks_.end(), [&there](const Network& network) {
    const auto first = network.first.to_bytes();
    for (int bit = 0; bit < network.bits; ++bit) {
      const auto byte = static_cast<std::size_t>(bit / 8);
      const int mask = 0x80 >> (bit % 8);
      if ((there[byte] & mask) != (first[byte] & mask)) return false;
    }
    return true;
  });
}

std::optional<asio::ip::address> TrustedProxies::last_stranger(
    const std::vector<std::string>& hops) const {
  std::optional<asio::ip::address> found;
  for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
    const auto address = address_of(*hop);
    if (!address) break;  // "unknown", or a name that hides it: what is further away is not known
    found = address;
    if (!contains(*address)) break;
  }
  return found;
}

Forwarded TrustedProxies::read(const ForwardedHeaders& headers) const {
  Forwarded result;
  std::vector<std::string> hops;
  if (headers.x_for.empty() && !headers.forwarded.empty()) {
    const auto elements = split(headers.forwarded, ',');
    for (const std::string_view element : elements) hops.push_back(value_of(element, "for"));
    result.host = value_of(elements.back(), "host");
    result.scheme = value_of(elements.back(), "proto");
  } else {
    for (const std::string_view hop : split(headers.x_for, ',')) hops.emplace_back(hop);
    result.host = split(headers.x_host, ',').back();
    result.scheme = split(headers.x_proto, ',').back();
  }
  const std::string_view prefix = split(headers.x_prefix, ',').back();
  if (!prefix.empty()) result.base_path = parse_base_path(prefix);
  result.visitor = last_stranger(hops);
  return result;
}

}  // namespace promenade::net
