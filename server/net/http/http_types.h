#pragma once

#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "net/types.h"

namespace promenade::net {

/// A request, whole and within the limits.
struct HttpRequest {
  std::string method;  // "GET"
  std::string path;    // decoded, without the query: "/api/v1/rooms/main/state"
  std::string query;   // as sent, without '?'
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string remote;   // address of the visitor, for the log
  std::string visitor;  // limits count visitors by it: the address, of IPv6 its first 64 bits
  /// Whether the host asked for is an IP address, loopback, or a name the server was told to be its
  /// own. Where it is not, a page elsewhere may have named itself so.
  bool known_host = true;
  /// The path below which the visitor sees this server: "/sim/a"; empty: at the top of the site.
  std::string base_path;
  /// The visitor's name for this server, base path and all: "https://example.org/sim/a"; empty: not
  /// known.
  std::string site;

  std::string_view header(const std::string& lower_case_name) const;
};

/// An answer: its body is a text or a file.
struct HttpResponse {
  struct File {
    std::filesystem::path path;
    std::uint64_t size = 0;
  };
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers;
  std::variant<std::string, File> body;
};

/// Takes the answer; may be called from any thread, once.
using HttpReply = std::function<void(HttpResponse)>;

/// Answers requests. Called on a network thread: must not wait; may reply later. The request stays
/// as it is as long as there is a copy of the HttpReply that has not been called.
using HttpHandler = std::function<void(const HttpRequest&, HttpReply)>;

/// The fault of a request that is refused.
struct Refusal {
  std::string_view code;  // a name of ErrorCode in wire.proto
  std::string field;      // the faulty part: a header, "path", "method"
  std::string value;      // as it was sent
  std::string allowed;
  std::string message{};  // for people; empty: field, value and what is allowed
};

/// `{"error": {...}}`, the answer of the API to a request that it refuses, in the JSON mapping of
/// CommandReply. Characters that are not printable ASCII are replaced, and a long value is cut.
HttpResponse error_response(int status, const Refusal& refusal);

/// A string as JSON, in quotes.
std::string json_quote(std::string_view text);

/// A time in the form of HTTP's headers: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(std::time_t time);

/// Decodes percent codes such as %41. @return nothing for malformed codes and control characters
std::optional<std::string> decode_path(std::string_view target);

}  // namespace promenade::net
