#pragma once

#include <optional>
#include <string>
#include <string_view>

// Where a server is one of several below one name, as https://example.org/sim/a/: a proxy in front
// passes on what is asked for below /sim/a, with or without that part.
namespace promenade::net {

inline constexpr std::size_t kMaxBasePath = 200;  // bytes of a base path
inline constexpr const char* kBasePathAllowed =
    "a path such as /sim/a, of letters, digits and . _ ~ - between the slashes, at most 200 bytes";

/// A base path without the last slash: "" of "" and "/", "/sim/a" of "/sim/a/".
/// @return nothing for a text that is no base path; a client's text would stand in links and HTML
std::optional<std::string> parse_base_path(std::string_view text);

/// The part of a path below a base: "/ws" of "/sim/a/ws" below "/sim/a"; any other path as it is,
/// for the proxy may have taken that part off. Empty: the base path itself, without its last slash.
/// @param base  as of parse_base_path()
std::string_view below_base_path(std::string_view path, std::string_view base);

}  // namespace promenade::net
