#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace promenade::net {

/// Where a server is, as in http://HOST:PORT.
struct HttpPlace {
  std::string host;
  std::uint16_t port = 80;
};

/// @return nothing for what is not http://HOST[:PORT][/]
std::optional<HttpPlace> parse_place(std::string_view url);

struct HttpAnswer {
  int status = 0;
  std::string body;
};

/// Sends one request and waits for the answer: half a minute each to connect, to send and to read.
/// Throws std::runtime_error where there is no such server, or none any more.
/// @param token  for the header Authorization; empty: none is sent
HttpAnswer http_request(const HttpPlace& server, const std::string& method, const std::string& path,
                        const std::string& body, const std::string& token);

}  // namespace promenade::net
