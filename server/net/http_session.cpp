#include "net/http_session.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <optional>
#include <string>
#include <utility>

#include "net/socket_session.h"
#include "net/token_bucket.h"

namespace promenade::net {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
namespace {

std::string to_string(beast::string_view text) { return {text.data(), text.size()}; }

std::string address_of(const tcp::socket& socket) {
  beast::error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  return error ? "?" : endpoint.address().to_string();
}

// Whether a header that lists tokens ("a, b") has this one.
bool lists(beast::string_view header, const std::string& token) {
  for (const auto& one : http::token_list(header)) {
    if (one == token) return true;
  }
  return false;
}

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(tcp::socket socket, std::shared_ptr<Context> context,
              std::unique_ptr<ConnectionGate::Ticket> ticket)
      : context_(std::move(context)),
        ticket_(std::move(ticket)),
        remote_(address_of(socket)),
        stream_(std::move(socket)),
        bucket_(limits().messages_per_second, limits().message_burst, Clock::now()) {}

  void run() { read_header(limits().header_timeout); }

 private:
  using error_code = beast::error_code;
  const Limits& limits() const { return context_->settings.limits; }

  void read_header(std::chrono::milliseconds timeout) {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(limits().max_header_bytes));
    parser_->body_limit(boost::none);  // on_header() sets it, when the path is known
    stream_.expires_after(timeout);
    http::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->on_header(error); });
  }

  void on_header(error_code error) {
    if (error == http::error::end_of_stream) return shut_down();
    if (error == beast::error::timeout) return context_->timeouts.add();
    if (error) return answer_wrong(error);
    const auto& request = parser_->get();
    const std::string host = to_string(request[http::field::host]);
    if (!context_->settings.origins.allows_host(host)) {
      context_->refused_origin.add();
      return answer_last(error_response(
          403, {"FORBIDDEN", "Host", host,
                "localhost, 127.0.0.1 or [::1]: this server listens on loopback only"}));
    }
    if (beast::websocket::is_upgrade(request)) return upgrade();
    most_body_ = limits().max_body_bytes;
    if (context_->settings.body_limit) most_body_ = context_->settings.body_limit(head_of(request));
    if (parser_->content_length().value_or(0) > most_body_) return answer_too_large();
    parser_->body_limit(most_body_);

    if (beast::iequals(request[http::field::expect], "100-continue")) return send_continue();
    read_body();
  }

  void upgrade() {
    const auto& request = parser_->get();
    const auto path = decode_path(to_string(request.target()));
    if (path != context_->settings.socket_path) {
      return answer_last(
          error_response(404, {"NOT_FOUND", "path", to_string(request.target()),
                               context_->settings.socket_path + ", where the WebSocket is"}));
    }
    const std::string origin = to_string(request[http::field::origin]);
    if (!context_->settings.origins.allows(origin, to_string(request[http::field::host]))) {
      context_->refused_origin.add();
      return answer_last(refused_origin(origin));
    }
    if (!lists(request[http::field::sec_websocket_protocol], context_->settings.subprotocol)) {
      context_->refused_protocol.add();
      return answer_last(
          error_response(400, {"INVALID", "Sec-WebSocket-Protocol",
                               to_string(request[http::field::sec_websocket_protocol]),
                               context_->settings.subprotocol}));
    }
    stream_.expires_never();
    std::make_shared<SocketSession>(std::move(stream_), context_, std::move(ticket_), remote_)
        ->run(parser_->release());
  }

  void send_continue() {
    auto message = std::make_shared<http::response<http::empty_body>>(http::status::continue_, 11);
    stream_.expires_after(limits().answer_timeout);
    http::async_write(stream_, *message,
                      [self = shared_from_this(), message](error_code error, std::size_t) {
                        if (!error) self->read_body();
                      });
  }

  void read_body() {
    stream_.expires_after(limits().body_timeout);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->on_request(error); });
  }

  void on_request(error_code error) {
    if (error == beast::error::timeout) return context_->timeouts.add();
    if (error == http::error::body_limit) return answer_too_large();
    if (error) return answer_wrong(error);
    const auto message = parser_->release();
    keep_alive_ = message.keep_alive();
    head_ = message.method() == http::verb::head;

    HttpRequest request = head_of(message);
    if (request.path.empty()) {
      return answer(error_response(
          400, {"INVALID", "path", to_string(message.target()),
                "a path from /, with %XX for what is no printable character but a blank"}));
    }
    request.body = message.body();
    request.remote = remote_;

    if (request.method != "GET" && request.method != "HEAD") {
      if (!context_->settings.origins.allows(request.header("origin"), request.header("host"))) {
        context_->refused_origin.add();
        return answer(refused_origin(std::string(request.header("origin"))));
      }
      if (!bucket_.take(Clock::now())) {
        const auto most = std::to_string(static_cast<int>(limits().messages_per_second));
        HttpResponse response =
            error_response(429, {"RATE_LIMITED", "requests", "too many on this connection",
                                 "at most " + most + " a second"});
        response.headers.emplace_back("Retry-After", "1");
        return answer(std::move(response));
      }
    }
    // No timeout while the answer is being made: only the answer ends this wait.
    stream_.expires_never();
    context_->http(request, [self = shared_from_this()](HttpResponse response) {
      asio::dispatch(
          self->stream_.get_executor(),
          [self, response = std::move(response)]() mutable { self->answer(std::move(response)); });
    });
  }

  void answer_wrong(error_code error) {
    // The client has closed the connection or does not speak HTTP.
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      const auto most = std::to_string(limits().max_header_bytes);
      return answer_last(error_response(
          431, {"INVALID", "request header", "larger", "at most " + most + " bytes"}));
    }
    if (error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::partial_message) {
      return answer_last(
          error_response(400, {"INVALID", "request", error.message(), "one of HTTP/1.1"}));
    }
  }

  /// All of a request but its body; an empty path: it cannot be decoded.
  static HttpRequest head_of(const http::request<http::string_body>& message) {
    HttpRequest request;
    request.method = to_string(message.method_string());
    const std::string target = to_string(message.target());
    request.path = decode_path(target).value_or("");
    const auto question = target.find('?');
    if (question != target.npos) request.query = target.substr(question + 1);
    for (const auto& field : message) {
      std::string name = to_string(field.name_string());
      for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      request.headers.emplace(std::move(name), to_string(field.value()));
    }
    return request;
  }

  void answer_too_large() {
    // Empty where the body comes in chunks. The parser does not yet know the length itself.
    const std::string length = to_string(parser_->get()[http::field::content_length]);
    const auto most = std::to_string(most_body_);
    answer_last(error_response(
        413, {"INVALID", "request body", length.empty() ? "larger" : length + " bytes",
              "at most " + most + " bytes"}));
  }

  static HttpResponse refused_origin(const std::string& origin) {
    return error_response(403, {"FORBIDDEN", "Origin", origin,
                                "a page of this server, or of an origin that --origin names"});
  }

  void answer_last(HttpResponse response) {
    keep_alive_ = false;
    answer(std::move(response));
  }

  void answer(HttpResponse response) {
    if (const auto* text = std::get_if<std::string>(&response.body)) {
      if (head_ || response.status == 304) {
        http::response<http::empty_body> message;
        if (response.status != 304) message.content_length(text->size());
        return write(std::move(message), response);
      }
      http::response<http::string_body> message;
      message.body() = std::move(std::get<std::string>(response.body));
      message.prepare_payload();
      return write(std::move(message), response);
    }
    const auto& file = std::get<HttpResponse::File>(response.body);
    if (head_) {
      http::response<http::empty_body> message;
      message.content_length(file.size);
      return write(std::move(message), response);
    }
    http::response<http::file_body> message;
    error_code error;
    message.body().open(file.path.c_str(), beast::file_mode::scan, error);
    if (error) {
      return answer(error_response(
          404, {"NOT_FOUND", "path", file.path.filename().string(), "a file that is not gone"}));
    }
    message.prepare_payload();
    write(std::move(message), response);
  }

  template <typename Creature>
  void write(http::response<Creature> message, const HttpResponse& response) {
    message.result(static_cast<unsigned>(response.status));
    message.version(11);
    message.set(http::field::server, "Promenade");
    message.set(http::field::content_type, response.content_type);
    message.set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : response.headers) message.set(name, value);
    if (message.find(http::field::cache_control) == message.end()) {
      message.set(http::field::cache_control, "no-store");
    }
    message.keep_alive(keep_alive_);
    stream_.expires_after(limits().answer_timeout);
    auto held = std::make_shared<http::response<Creature>>(std::move(message));
    http::async_write(stream_, *held,
                      [self = shared_from_this(), held](error_code error, std::size_t) {
                        self->on_answered(error);
                      });
  }

  void on_answered(error_code error) {
    if (error) return;
    if (!keep_alive_) return shut_down();
    read_header(limits().keep_alive_timeout);
  }

  // Ends our side, then reads what is still coming for a moment: closing at once with unread bytes
  // would reset the connection, and the other side might never see the answer.
  void shut_down() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(std::chrono::seconds(1));
    drain();
  }

  void drain() {
    buffer_.consume(buffer_.size());
    constexpr std::size_t kMaxDrained = 256 * 1024;
    if (drained_ > kMaxDrained) return;
    stream_.async_read_some(buffer_.prepare(4096),
                            [self = shared_from_this()](error_code error, std::size_t size) {
                              self->drained_ += size;
                              if (!error) self->drain();
                            });
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<ConnectionGate::Ticket> ticket_;
  const std::string remote_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  TokenBucket bucket_;
  std::size_t most_body_ = 0;  // bytes, of the request under way
  bool keep_alive_ = true;
  bool head_ = false;
  std::size_t drained_ = 0;
};

}  // namespace

void serve_http(tcp::socket socket, std::shared_ptr<Context> context,
                std::unique_ptr<ConnectionGate::Ticket> ticket) {
  std::make_shared<HttpSession>(std::move(socket), std::move(context), std::move(ticket))->run();
}

void refuse_full(tcp::socket socket) {
  static const std::string kAnswer = [] {
    const std::string body = std::get<std::string>(
        error_response(503, {"BUSY", "connections", "as many as may be", "fewer; try again later"})
            .body);
    return "HTTP/1.1 503 Service Unavailable\r\nServer: Promenade\r\nRetry-After: 5\r\n"
           "Content-Type: application/json\r\nConnection: close\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
  }();
  struct Refusal : std::enable_shared_from_this<Refusal> {
    explicit Refusal(tcp::socket s) : stream(std::move(s)) {}
    beast::tcp_stream stream;
    std::array<char, 2048> scratch{};
    int reads = 0;
    void drain() {
      if (++reads > 16) return;
      stream.async_read_some(asio::buffer(scratch),
                             [self = shared_from_this()](beast::error_code error, std::size_t) {
                               if (!error) self->drain();
                             });
    }
  };
  auto refusal = std::make_shared<Refusal>(std::move(socket));
  refusal->stream.expires_after(std::chrono::seconds(1));
  asio::async_write(refusal->stream, asio::buffer(kAnswer),
                    [refusal](beast::error_code error, std::size_t) {
                      if (error) return;
                      beast::error_code ignored;
                      refusal->stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      refusal->drain();
                    });
}

}  // namespace promenade::net
