#include "net/http/http_client.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace promenade::net {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

std::optional<HttpPlace> parse_place(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  if (url.substr(0, kScheme.size()) != kScheme) return std::nullopt;
  url.remove_prefix(kScheme.size());
  if (!url.empty() && url.back() == '/') url.remove_suffix(1);
  const auto colon = url.rfind(':');
  HttpPlace place;
  place.host = std::string(url.substr(0, colon));
  if (place.host.empty() || place.host.find('/') != std::string::npos) return std::nullopt;
  if (colon == url.npos) return place;
  const std::string_view digits = url.substr(colon + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), place.port);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return place;
}

HttpAnswer http_request(const HttpPlace& server, const std::string& method, const std::string& path,
                        const std::string& body, const std::string& token) {
  constexpr std::uint64_t kMaxAnswer = std::uint64_t{64} << 20;
  constexpr std::chrono::seconds kPatience{30};
  asio::io_context io;
  boost::beast::tcp_stream stream(io);
  boost::system::error_code error;
  // Blocking calls have no time limit.
  const auto wait = [&] {
    io.restart();
    io.run();
  };
  const auto note = [&error](boost::system::error_code what, auto&&...) { error = what; };
  // The texts alone: a system_error's own names the line of the library that it was thrown in.
  const auto require = [&error] {
    if (error) throw std::runtime_error(error.message());
  };
  const auto places = tcp::resolver(io).resolve(server.host, std::to_string(server.port), error);
  require();
  stream.expires_after(kPatience);
  stream.async_connect(places, note);
  wait();
  require();

  http::request<http::string_body> request;
  request.method_string(method);
  request.target(path);
  request.version(11);
  request.set(http::field::host, server.host + ":" + std::to_string(server.port));
  request.set(http::field::connection, "close");
  request.set(http::field::content_type, "application/octet-stream");
  if (!token.empty()) request.set(http::field::authorization, "Bearer " + token);
  request.body() = body;
  request.prepare_payload();
  stream.expires_after(kPatience);
  http::async_write(stream, request, note);
  wait();  // an error here is passed over: a server may answer before it has all, and say why

  boost::beast::flat_buffer buffer;
  http::response_parser<http::string_body> answer;
  answer.body_limit(kMaxAnswer);
  stream.expires_after(kPatience);
  http::async_read(stream, buffer, answer, note);
  wait();
  require();
  return {static_cast<int>(answer.get().result_int()), std::move(answer.get().body())};
}

}  // namespace promenade::net
