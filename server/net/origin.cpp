#include "net/origin.h"

#include <algorithm>
#include <cctype>

namespace promenade::net {
namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::string_view host_without_port(std::string_view host) {
  if (!host.empty() && host.front() == '[') {
    const auto end = host.find(']');
    return end == host.npos ? host : host.substr(0, end + 1);
  }
  return host.substr(0, host.find(':'));
}

}  // namespace

bool OriginPolicy::allows_host(std::string_view host) const {
  if (!loopback_only || host.empty()) return true;
  const std::string_view name = host_without_port(host);
  for (const char* loopback : {"localhost", "127.0.0.1", "[::1]"}) {
    if (equal_ignoring_case(name, loopback)) return true;
  }
  return name.size() > 10 && equal_ignoring_case(name.substr(name.size() - 10), ".localhost");
}

bool OriginPolicy::allows(std::string_view origin, std::string_view host) const {
  if (!allows_host(host)) return false;
  if (origin.empty()) return true;
  for (const std::string& one : allowed) {
    if (one == "*" || equal_ignoring_case(one, origin)) return true;
  }
  if (!same_host || host.empty()) return false;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.size() == scheme.size() + host.size() &&
        equal_ignoring_case(origin.substr(0, scheme.size()), scheme) &&
        equal_ignoring_case(origin.substr(scheme.size()), host)) {
      return true;
    }
  }
  return false;
}

}  // namespace promenade::net
