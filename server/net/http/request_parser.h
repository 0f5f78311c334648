#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>

#include "net/http/http_types.h"

namespace promenade::net {

/// A request that is refused, with the status of the answer.
struct RequestFault {
  int status = 400;
  Refusal refusal;
};

/// Reads one HTTP/1.x request, and takes nothing that two servers could read in two ways. A proxy
/// and this server that do not agree where a body ends, or which host is meant, let a visitor hide
/// one request inside another. Beast's own parser takes unknown transfer codings as if there were
/// no body, a length that is said twice, folded lines, and any number of hosts. Source: RFC 9112
/// §3.2 (Host, absolute form), §5.2 (folding), §6.1 and §6.3 (length of the body).
class RequestParser : public boost::beast::http::basic_parser<true> {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  /// The request as far as it was read. A target in absolute form has become the path, and its host
  /// the value of Host, which it overrides.
  const Request& get() const { return request_; }
  Request release() { return std::move(request_); }
  /// The fault of the request, where it says more than the error of the read.
  const std::optional<RequestFault>& fault() const { return fault_; }

 private:
  using error_code = boost::beast::error_code;
  using string_view = boost::beast::string_view;
  using field = boost::beast::http::field;

  void on_request_impl(boost::beast::http::verb method, string_view name, string_view target,
                       int version, error_code& error) override;
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_field_impl(field id, string_view name, string_view value, error_code& error) override;
  void on_header_impl(error_code& error) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view body, error_code& error) override;
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code& error) override;
  void on_finish_impl(error_code&) override {}

  /// The fault of the header as a whole.
  std::optional<RequestFault> header_fault();
  std::optional<RequestFault> host_fault();
  void fail(RequestFault fault, error_code& error);

  Request request_;
  std::optional<RequestFault> fault_;
  bool header_done_ = false;
};

}  // namespace promenade::net
