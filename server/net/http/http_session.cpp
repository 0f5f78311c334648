#include "net/http/http_session.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <ctime>
#include <optional>
#include <string>
#include <utility>

#include "net/http/base_path.h"
#include "net/http/request_parser.h"
#include "net/limits/token_bucket.h"
#include "net/socket/socket_session.h"

namespace promenade::net {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
namespace {

std::string to_string(beast::string_view text) { return {text.data(), text.size()}; }

asio::ip::address address_of(const tcp::socket& socket) {
  beast::error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  return error ? asio::ip::address() : endpoint.address();
}

// A whole last answer, where there is no session to write it.
std::string plain_text(const HttpResponse& response) {
  const auto& body = std::get<std::string>(response.body);
  const auto status = static_cast<http::status>(response.status);
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " " +
                     to_string(http::obsolete_reason(status)) +
                     "\r\nServer: Promenade\r\nDate: " + http_date(std::time(nullptr)) +
                     "\r\nContent-Type: " + response.content_type +
                     "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
                     "\r\n";
  for (const auto& [name, value] : response.headers) {
    text.append(name).append(": ").append(value).append("\r\n");
  }
  return text + "\r\n" + body;
}

// Whether a header that lists tokens ("a, b") has this one.
bool lists(beast::string_view header, const std::string& token) {
  for (const auto& one : http::token_list(header)) {
    if (one == token) return true;
  }
  return false;
}

// RFC 6455 §4.2.1: Beast answers whatever is there.
bool is_socket_key(beast::string_view key) {
  constexpr std::size_t kLength = 24;
  constexpr beast::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return key.size() == kLength && key.substr(kLength - 2) == "==" &&
         key.substr(0, kLength - 2).find_first_not_of(kDigits) == key.npos;
}

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(tcp::socket socket, std::shared_ptr<Context> context,
              std::unique_ptr<ConnectionGate::Ticket> ticket)
      : context_(std::move(context)),
        ticket_(std::move(ticket)),
        peer_(address_of(socket)),
        by_proxy_(context_->settings.proxies.contains(peer_)),
        stream_(std::move(socket)),
        buffer_(limits().max_header_bytes + std::size_t{64} * 1024),
        delay_(stream_.get_executor()),
        bucket_(limits().messages_per_second, limits().message_burst, Clock::now()) {}

  void run() {
    const bool open = ticket_->place() == ConnectionGate::Place::kOpen;
    read_header(open ? limits().header_timeout : limits().reserved_timeout);
  }

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
    const auto& message = parser_->get();
    request_ = head_of(message);
    head_ = request_.method == "HEAD";
    if (!know_visitor()) return;
    if (at_base_path_) return answer_last(to_base_path());
    if (ticket_->place() != ConnectionGate::Place::kOpen &&
        (!is_reserved_for() || (passed_on_ && !ticket_->pass_to(stranger())))) {
      return answer_last(no_place(ticket_->place()));
    }
    if (beast::websocket::is_upgrade(message)) return upgrade();
    most_body_ = limits().max_body_bytes;
    if (context_->settings.body_limit) most_body_ = context_->settings.body_limit(request_);
    if (parser_->content_length().value_or(0) > most_body_) return answer_too_large();
    parser_->body_limit(most_body_);

    if (beast::iequals(message[http::field::expect], "100-continue")) return send_continue();
    read_body();
  }

  /// Finds out who asks, by which name of this server, and whether that is one of its names.
  /// @return false where the request has been refused
  bool know_visitor() {
    Forwarded forwarded;
    if (by_proxy_) {
      forwarded = context_->settings.proxies.read(
          {request_.header("x-forwarded-for"), request_.header("x-forwarded-host"),
           request_.header("x-forwarded-proto"), request_.header("forwarded"),
           request_.header("x-forwarded-prefix")});
    }
    // True also where a proxy passed it on that is not believed.
    passed_on_ =
        !request_.header("x-forwarded-for").empty() || !request_.header("forwarded").empty();
    visitor_ = visitor_of(forwarded.visitor.value_or(peer_));
    request_.remote = visitor_.address;
    request_.visitor = visitor_.key;
    host_ = forwarded.host.empty() ? std::string(request_.header("host")) : forwarded.host;
    scheme_ = forwarded.scheme;
    const HostPolicy& hosts = context_->settings.hosts;
    const HostPolicy::Verdict verdict = hosts.judge(host_);
    request_.known_host = verdict == HostPolicy::Verdict::kKnown;
    request_.base_path = forwarded.base_path.value_or(context_->settings.base_path);
    at_base_path_ = !request_.path.empty() && request_.path == request_.base_path;
    request_.path = std::string(below_base_path(request_.path, request_.base_path));
    request_.site = (scheme_.empty() ? "http" : scheme_) + "://" + host_ + request_.base_path;
    if (verdict != HostPolicy::Verdict::kRefused) return true;
    context_->refused_host.add();
    note("host", "Host " + json_quote(host_.substr(0, 80)) + " is not a name of this server");
    answer_last(error_response(421, {"FORBIDDEN", "Host", host_, hosts.allowed()}));
    return false;
  }

  /// The page's own addresses are relative to where it was loaded, which so has to end in a slash.
  HttpResponse to_base_path() const {
    HttpResponse response;
    response.status = 308;
    response.headers.emplace_back(
        "Location",
        request_.base_path + "/" + (request_.query.empty() ? "" : "?" + request_.query));
    return response;
  }

  /// Whether a reserved connection may ask for this.
  bool is_reserved_for() const {
    const auto& paths = context_->settings.reserved_paths;
    return (request_.method == "GET" || head_) &&
           std::find(paths.begin(), paths.end(), request_.path) != paths.end();
  }

  /// The visitor as one who is not at this machine, whatever a proxy says or does not say.
  Visitor stranger() const {
    Visitor other = visitor_;
    other.exempt = false;
    return other;
  }

  void upgrade() {
    const auto& message = parser_->get();
    if (request_.path != context_->settings.socket_path) {
      return answer_last(
          error_response(404, {"NOT_FOUND", "path", to_string(message.target()),
                               context_->settings.socket_path + ", where the WebSocket is"}));
    }
    if (!allows_origin()) return answer_last(refused_origin());
    const auto key = message[http::field::sec_websocket_key];
    if (!is_socket_key(key)) {
      context_->refused_request.add();
      return answer_last(error_response(
          400, {"INVALID", "Sec-WebSocket-Key", key.empty() ? "missing" : to_string(key),
                "16 bytes in base64: 22 characters and =="}));
    }
    const auto offered = message[http::field::sec_websocket_protocol];
    if (!lists(offered, context_->settings.subprotocol)) {
      context_->refused_protocol.add();
      return answer_last(error_response(
          400, {"INVALID", "Sec-WebSocket-Protocol",
                offered.empty() ? "missing" : to_string(offered), context_->settings.subprotocol}));
    }
    if (by_proxy_ && !ticket_->pass_to(visitor_)) {
      return answer_last(no_place(ConnectionGate::Place::kVisitorFull));
    }
    if (!visitor_.exempt &&
        !context_->visitors.take(visitor_.key, AddressLimits::Kind::kConnection, 1, Clock::now())) {
      context_->refused_connections.add();
      return answer_last(too_often("connections", limits().visitor_connections));
    }
    stream_.expires_never();
    std::make_shared<SocketSession>(std::move(stream_), context_, std::move(ticket_),
                                    SocketSession::Peer{visitor_, request_.known_host})
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
    const bool open = ticket_->place() == ConnectionGate::Place::kOpen;
    stream_.expires_after(open ? limits().body_timeout : limits().reserved_timeout);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->on_request(error); });
  }

  void on_request(error_code error) {
    if (error == beast::error::timeout) return context_->timeouts.add();
    if (error == http::error::body_limit) return answer_too_large();
    if (error) return answer_wrong(error);
    auto message = parser_->release();
    keep_alive_ = message.keep_alive() && ticket_->place() == ConnectionGate::Place::kOpen;
    if (request_.path.empty()) {
      return answer(error_response(
          400, {"INVALID", "path", to_string(message.target()),
                "a path that begins with /, with %XX for anything but printable characters"}));
    }
    request_.body = std::move(message.body());
    const double cost = context_->settings.cost ? context_->settings.cost(request_) : 1;
    if (!context_->visitors.take(visitor_.key, AddressLimits::Kind::kRequest, cost, Clock::now())) {
      context_->refused_requests.add();
      note("request_rate", "more requests than it may");
      return answer_slowly(too_often("requests", limits().visitor_requests));
    }
    if (request_.method != "GET" && request_.method != "HEAD") {
      if (!allows_origin()) return answer(refused_origin());
      if (!bucket_.take(Clock::now())) {
        const auto most = std::to_string(static_cast<int>(limits().messages_per_second));
        HttpResponse response =
            error_response(429, {"RATE_LIMITED", "requests", "too many on this connection",
                                 "at most " + most + " a second"});
        response.headers.emplace_back("Retry-After", "1");
        context_->refused_requests.add();
        return answer(std::move(response));
      }
    }
    // No timeout while the answer is being made: only the answer ends this wait.
    stream_.expires_never();
    context_->http(request_, [self = shared_from_this()](HttpResponse response) {
      asio::dispatch(
          self->stream_.get_executor(),
          [self, response = std::move(response)]() mutable { self->answer(std::move(response)); });
    });
  }

  void answer_wrong(error_code error) {
    if (const auto& fault = parser_->fault()) {
      context_->refused_request.add();
      note("malformed",
           "a request with a doubtful " + json_quote(fault->refusal.field.substr(0, 80)));
      return answer_last(error_response(fault->status, fault->refusal));
    }
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      const auto most = std::to_string(limits().max_header_bytes);
      return answer_last(error_response(
          431, {"INVALID", "request header", "larger", "at most " + most + " bytes"}));
    }
    // Otherwise the client has closed the connection or does not speak HTTP.
    if (error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::partial_message) {
      context_->refused_request.add();
      answer_last(error_response(400, {"INVALID", "request", error.message(), "one of HTTP/1.1"}));
    }
  }

  /// All of a request but its body; an empty path: it cannot be decoded. Fields of one name are
  /// joined by commas.
  static HttpRequest head_of(const RequestParser::Request& message) {
    HttpRequest request;
    request.method = to_string(message.method_string());
    const std::string target = to_string(message.target());
    request.path = decode_path(target).value_or("");
    const auto question = target.find('?');
    if (question != target.npos) request.query = target.substr(question + 1);
    for (const auto& field : message) {
      std::string name = to_string(field.name_string());
      for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      const auto [there, is_new] = request.headers.emplace(name, to_string(field.value()));
      if (!is_new) there->second += ", " + to_string(field.value());
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

  /// A line of the log about a refusal; a few of each kind are written.
  void note(std::string_view kind, const std::string& what) {
    const std::string who = visitor_.address.empty() ? peer_.to_string() : visitor_.address;
    context_->log.info(kind, "refused " + who + ": " + what);
  }

  bool allows_origin() const {
    return context_->settings.origins.allows(request_.header("origin"), host_, scheme_);
  }

  HttpResponse refused_origin() {
    context_->refused_origin.add();
    return error_response(403, {"FORBIDDEN", "Origin", std::string(request_.header("origin")),
                                "a page of this server, or of an origin that --origin names"});
  }

  void answer_last(HttpResponse response) {
    keep_alive_ = false;
    answer(std::move(response));
  }

  /// Answers a visitor who asks too much after a while: quick refusals would be as much work.
  void answer_slowly(HttpResponse response) {
    stream_.expires_never();
    delay_.expires_after(limits().slow_answer);
    delay_.async_wait(
        [self = shared_from_this(), response = std::move(response)](error_code cancelled) mutable {
          if (!cancelled) self->answer(std::move(response));
        });
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
      return answer(error_response(404, {"NOT_FOUND", "path", file.path.filename().string(),
                                         "a file that exists; reload the page"}));
    }
    message.prepare_payload();
    write(std::move(message), response);
  }

  template <typename Creature>
  void write(http::response<Creature> message, const HttpResponse& response) {
    message.result(static_cast<unsigned>(response.status));
    message.version(11);
    message.set(http::field::server, "Promenade");
    message.set(http::field::date, http_date(std::time(nullptr)));
    message.set(http::field::content_type, response.content_type);
    message.set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : response.headers) message.set(name, value);
    if (message.find(http::field::cache_control) == message.end()) {
      message.set(http::field::cache_control, "no-store");
    }
    // An answer that is no file of the page must not act as a page in any browser.
    if (message.find("Content-Security-Policy") == message.end()) {
      message.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
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
    // A probe that asks again at once finds its reserved place free.
    if (ticket_->place() != ConnectionGate::Place::kOpen) ticket_.reset();
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
  const asio::ip::address peer_;
  const bool by_proxy_;  // the peer is a proxy that is believed
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<RequestParser> parser_;
  asio::steady_timer delay_;
  TokenBucket bucket_;
  // These belong to the request under way:
  HttpRequest request_;
  Visitor visitor_;
  std::string host_, scheme_;  // by which the visitor asks; the scheme may be empty
  std::size_t most_body_ = 0;  // bytes
  bool passed_on_ = false;     // a proxy has made the request for somebody
  bool at_base_path_ = false;  // the request is for the base path without its slash
  bool keep_alive_ = true;
  bool head_ = false;
  std::size_t drained_ = 0;
};

}  // namespace

void serve_http(tcp::socket socket, std::shared_ptr<Context> context,
                std::unique_ptr<ConnectionGate::Ticket> ticket) {
  std::make_shared<HttpSession>(std::move(socket), std::move(context), std::move(ticket))->run();
}

HttpResponse no_place(ConnectionGate::Place place) {
  const bool visitor = place == ConnectionGate::Place::kVisitorFull;
  HttpResponse response =
      visitor
          ? error_response(429, {"RATE_LIMITED", "connections", "as many as one address may have",
                                 "fewer from one address (--max-per-ip)"})
          : error_response(503, {"BUSY", "connections", "as many as the server may have",
                                 "fewer; try again later"});
  response.headers.emplace_back("Retry-After", "5");
  return response;
}

HttpResponse too_often(const char* what, const Rate& rate) {
  const auto most = std::to_string(static_cast<int>(rate.per_second));
  HttpResponse response = error_response(
      429, {"RATE_LIMITED", what, "too many from this address", "at most " + most + " a second"});
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

void refuse(tcp::socket socket, const HttpResponse& response) {
  auto answer = std::make_shared<std::string>(plain_text(response));
  struct LastAnswer : std::enable_shared_from_this<LastAnswer> {
    explicit LastAnswer(tcp::socket s) : stream(std::move(s)) {}
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
  auto last = std::make_shared<LastAnswer>(std::move(socket));
  last->stream.expires_after(std::chrono::seconds(1));
  asio::async_write(last->stream, asio::buffer(*answer),
                    [last, answer](beast::error_code error, std::size_t) {
                      if (error) return;
                      beast::error_code ignored;
                      last->stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      last->drain();
                    });
}

}  // namespace promenade::net
