#include "net/http/request_parser.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <cstdint>
#include <utility>

#include "net/http/authority.h"

namespace promenade::net {
namespace http = boost::beast::http;
namespace {

std::string text_of(boost::beast::string_view view) { return {view.data(), view.size()}; }

RequestFault bad(std::string field, std::string value, std::string allowed) {
  return {400, {"INVALID", std::move(field), std::move(value), std::move(allowed)}};
}

// Beast joins the lines of a folded value in a buffer of its own. A value that was not folded
// stands behind its name in the input, with nothing but a colon, blanks and tabs between.
bool is_folded(boost::beast::string_view name, boost::beast::string_view value) {
  constexpr std::uintptr_t kMostBetween = std::uintptr_t{64} * 1024;  // bytes: no header has more
  const char* const name_end = name.data() + name.size();
  const auto between =
      reinterpret_cast<std::uintptr_t>(value.data()) - reinterpret_cast<std::uintptr_t>(name_end);
  if (between > kMostBetween) return true;
  for (std::uintptr_t i = 0; i < between; ++i) {
    if (name_end[i] == '\r') return true;
  }
  return false;
}

// Fields that may come once only: of two, it would be open which counts.
bool is_single(http::field id) {
  switch (id) {
    case http::field::host:
    case http::field::content_length:
    case http::field::transfer_encoding:
    case http::field::authorization:
    case http::field::origin:
    case http::field::sec_websocket_key:
    case http::field::sec_websocket_version:
      return true;
    default:
      return false;
  }
}

}  // namespace

void RequestParser::fail(RequestFault fault, error_code& error) {
  fault_ = std::move(fault);
  error = http::error::bad_field;
}

void RequestParser::on_request_impl(http::verb method, string_view name, string_view target,
                                    int version, error_code&) {
  request_.version(static_cast<unsigned>(version));
  request_.target(target);
  if (method == http::verb::unknown) {
    request_.method_string(name);
  } else {
    request_.method(method);
  }
}

void RequestParser::on_field_impl(field id, string_view name, string_view value,
                                  error_code& error) {
  if (header_done_) return;  // fields after a chunked body change nothing about the request
  if (is_folded(name, value)) {
    return fail(bad(text_of(name), text_of(value), "a value on one line"), error);
  }
  if (is_single(id) && request_.find(id) != request_.end()) {
    return fail(bad(text_of(name), text_of(request_[id]) + " and " + text_of(value), "one of them"),
                error);
  }
  request_.insert(id, name, value);
}

void RequestParser::on_header_impl(error_code& error) {
  header_done_ = true;
  if (auto fault = header_fault()) return fail(*std::move(fault), error);
  if (auto fault = host_fault()) return fail(*std::move(fault), error);
}

std::optional<RequestFault> RequestParser::header_fault() {
  const auto length = request_.find(http::field::content_length);
  const auto coding = request_.find(http::field::transfer_encoding);
  if (coding == request_.end()) {
    // Beast also reads "5, 5".
    if (length != request_.end() && length->value().find(',') != string_view::npos) {
      return bad("Content-Length", text_of(length->value()), "one number");
    }
    return std::nullopt;
  }
  const std::string value = text_of(coding->value());
  if (length != request_.end()) {
    return bad("Transfer-Encoding",
               value + " together with Content-Length " + text_of(length->value()),
               "one of the two");
  }
  if (request_.version() < 11) return bad("Transfer-Encoding", value, "only in HTTP/1.1");
  if (!boost::beast::iequals(coding->value(), "chunked")) {
    return RequestFault{501, {"UNSUPPORTED", "Transfer-Encoding", value, "chunked"}};
  }
  return std::nullopt;
}

std::optional<RequestFault> RequestParser::host_fault() {
  const auto host = request_.find(http::field::host);
  const std::string value = host == request_.end() ? "" : text_of(host->value());
  if (value.empty() && request_.version() >= 11) {
    return bad("Host", host == request_.end() ? "missing" : "empty",
               "the host that the request is for");
  }
  if (!value.empty() && !parse_authority(value)) {
    return bad("Host", value, "a name or address, with or without a port");
  }
  const std::string target = text_of(request_.target());
  if (target.empty() || target.front() == '/') return std::nullopt;
  const auto absolute = parse_absolute_form(target);
  if (!absolute) return std::nullopt;  // told as a path that is none
  if (!parse_authority(absolute->authority)) {
    return bad("path", target, "a path from /, or http://HOST/PATH");
  }
  request_.set(http::field::host, std::string(absolute->authority));
  request_.target(std::string(absolute->path));
  return std::nullopt;
}

std::size_t RequestParser::on_body_impl(string_view body, error_code&) {
  request_.body().append(body.data(), body.size());
  return body.size();
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, string_view body, error_code& error) {
  return on_body_impl(body, error);
}

}  // namespace promenade::net
