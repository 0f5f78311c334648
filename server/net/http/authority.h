#pragma once

#include <optional>
#include <string_view>

namespace promenade::net {

/// The parts of "example.org:8080" or "[::1]:80", as they stand in the text.
struct Authority {
  std::string_view host;  // with its brackets, without a dot at the end
  std::string_view port;  // empty where none is given
};

/// @return nothing for what is no HOST or HOST:PORT
std::optional<Authority> parse_authority(std::string_view text);

/// The parts of a request's target in absolute form: http://AUTHORITY/PATH?QUERY.
struct AbsoluteForm {
  std::string_view authority;
  std::string_view path;  // with the query; "/" where there is none
};

/// @return nothing for a target that does not begin with http:// or https://
std::optional<AbsoluteForm> parse_absolute_form(std::string_view target);

/// Whether a host is an IP address: "192.0.2.7", "[2001:db8::7]".
bool is_ip_literal(std::string_view host);

/// Whether a host is this machine whatever the name servers say: localhost, names below it,
/// 127.0.0.0/8, [::1].
bool is_loopback_host(std::string_view host);

bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace promenade::net
