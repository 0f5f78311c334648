#include "net/http/origin.h"

#include "net/http/authority.h"

namespace promenade::net {

HostPolicy::Verdict HostPolicy::judge(std::string_view host) const {
  if (host.empty()) return Verdict::kKnown;  // no browser sends such a request
  const auto parts = parse_authority(host);
  if (!parts) return Verdict::kRefused;
  if (is_loopback_host(parts->host)) return Verdict::kKnown;
  if (!loopback_only && is_ip_literal(parts->host)) return Verdict::kKnown;
  for (const std::string& name : names) {
    if (equal_ignoring_case(name, parts->host)) return Verdict::kKnown;
  }
  return loopback_only || !names.empty() ? Verdict::kRefused : Verdict::kUnknown;
}

std::string HostPolicy::allowed() const {
  std::string text = "localhost, 127.0.0.1 or [::1]";
  if (!loopback_only) text = "an IP address or localhost";
  for (const std::string& name : names) text += ", " + name;
  return text + "; --host names others";
}

bool is_origin(std::string_view text) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view rest = text.substr(scheme.size());
    return parse_authority(rest).has_value() && rest.back() != ':';
  }
  return false;
}

bool OriginPolicy::allows(std::string_view origin, std::string_view host,
                          std::string_view scheme) const {
  if (origin.empty()) return true;
  for (const std::string& one : allowed) {
    if (one == "*" || equal_ignoring_case(one, origin)) return true;
  }
  if (!same_host || host.empty()) return false;
  const std::size_t colon = origin.find("://");
  if (colon == origin.npos || !equal_ignoring_case(origin.substr(colon + 3), host)) return false;
  const std::string_view its = origin.substr(0, colon);
  if (!scheme.empty()) return equal_ignoring_case(its, scheme);
  return equal_ignoring_case(its, "http") || equal_ignoring_case(its, "https");
}

}  // namespace promenade::net
