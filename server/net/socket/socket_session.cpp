#include "net/socket/socket_session.h"

#include <netinet/tcp.h>
#include <spdlog/spdlog.h>

#include <array>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <ctime>
#include <utility>

#include "net/socket/tcp_status.h"

namespace promenade::net {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
namespace {

constexpr auto kCheckPeriod = std::chrono::milliseconds(500);
constexpr double kInitialRate = 30;      // Hz, until the client says
constexpr std::size_t kFrameHeader = 4;  // bytes before the payload of most messages
constexpr int kMostAtOnce = 4;           // messages, before others have a turn on the thread

/// Before the payload of a binary message in one frame from a server, RFC 6455 §5.2.
struct FrameHeader {
  explicit FrameHeader(std::size_t payload) {
    bytes[0] = 0x82;  // the last frame of a binary message
    const int length = payload < 126 ? 0 : payload < 65536 ? 2 : 8;
    bytes[1] = length == 0 ? static_cast<unsigned char>(payload) : length == 2 ? 126 : 127;
    for (int i = 0; i < length; ++i) {
      bytes[2 + i] = static_cast<unsigned char>(payload >> (8 * (length - 1 - i)));
    }
    size = static_cast<std::size_t>(2 + length);
  }
  unsigned char bytes[10];
  std::size_t size;
};

std::string most_messages(double per_second, const char* where) {
  return "at most " + std::to_string(static_cast<int>(per_second)) + " messages a second" + where;
}

websocket::close_reason make_reason(CloseCode code, std::string text) {
  if (text.size() > Socket::kMaxReason) text.resize(Socket::kMaxReason);
  return {static_cast<websocket::close_code>(code), text};
}

}  // namespace

SocketSession::SocketSession(beast::tcp_stream stream, std::shared_ptr<Context> context,
                             std::unique_ptr<ConnectionGate::Ticket> ticket, Peer peer)
    : context_(std::move(context)),
      ticket_(std::move(ticket)),
      peer_(std::move(peer)),
      socket_(std::move(stream), context_->settings.limits.max_message_bytes),
      check_timer_(socket_.get_executor()),
      read_delay_(socket_.get_executor()),
      bucket_(context_->settings.limits.messages_per_second,
              context_->settings.limits.message_burst, Clock::now()),
      control_bucket_(context_->settings.limits.control_frames.per_second,
                      context_->settings.limits.control_frames.burst, Clock::now()),
      pacer_(kInitialRate, Clock::now()),
      opened_(Clock::now()) {}

void SocketSession::run(UpgradeRequest request) {
  request_ = std::move(request);
  const Limits& limits = context_->settings.limits;
  // The WebSocket has timeouts of its own; the stream's would end it.
  beast::get_lowest_layer(socket_).expires_never();
  beast::error_code ignored;
  beast::get_lowest_layer(socket_).socket().non_blocking(true, ignored);  // for send_now()
  websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = limits.header_timeout;
  timeout.idle_timeout = limits.idle_timeout;
  timeout.keep_alive_pings = true;
  socket_.set_option(timeout);
  socket_.set_option(websocket::stream_base::decorator(
      [subprotocol = context_->settings.subprotocol](websocket::response_type& response) {
        response.set(http::field::server, "Promenade");
        response.set(http::field::date, http_date(std::time(nullptr)));
        response.set(http::field::sec_websocket_protocol, subprotocol);
      }));
  socket_.read_message_max(0);   // no limit here, as it closes without a reason: see on_arrival()
  socket_.auto_fragment(false);  // halves the cost of sending larger frames
  socket_.binary(true);
#ifdef TCP_NOTSENT_LOWAT
  // Keep the kernel from holding seconds of stale frames for a slow viewer.
  beast::get_lowest_layer(socket_).socket().set_option(
      asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>(limits.unsent_bytes),
      ignored);
#endif
  socket_.next_layer().on_arrival([this] { on_arrival(); });
  socket_.async_accept(request_,
                       [self = shared_from_this()](error_code error) { self->on_accept(error); });
}

void SocketSession::on_accept(error_code error) {
  request_ = {};
  if (error) return;
  handler_ = context_->sockets(shared_from_this());
  context_->add(shared_from_this());
  check_up();
  read();
}

void SocketSession::read() {
  socket_.async_read_some(
      incoming_, context_->settings.limits.max_message_bytes,
      [self = shared_from_this()](error_code error, std::size_t) { self->on_read(error); });
}

void SocketSession::on_arrival() {
  if (closing_ || finished_ || !handler_) return;
  const FrameWatch& watch = socket_.next_layer().watch();
  const Limits& limits = context_->settings.limits;
  if (watch.oversized()) {
    context_->messages_oversized.add();
    handler_->on_oversized(limits.max_message_bytes);
    return close(CloseCode::kTooBig,
                 "a message of more than " + std::to_string(limits.max_message_bytes) + " bytes");
  }
  for (; controls_ < watch.controls(); ++controls_) {
    if (control_bucket_.take(Clock::now())) continue;
    context_->control_excess.add();
    const auto most = std::to_string(static_cast<int>(limits.control_frames.per_second));
    return close(CloseCode::kPolicy, "more than " + most + " pings and pongs a second");
  }
}

void SocketSession::on_read(error_code error) {
  if (error) {
    if (error == beast::error::timeout) context_->timeouts.add();
    if (error != websocket::error::closed) {
      spdlog::debug("viewer {}: {}", remote(), error.message());
    }
    return finish();
  }
  if (finished_) return;
  if (closing_) incoming_.consume(incoming_.size());
  if (!socket_.is_message_done()) return read();
  context_->messages_in.add();
  if (!closing_) {
    if (!socket_.got_binary()) {
      close(CloseCode::kUnsupportedData, "send binary messages only: one ClientMessage each");
    } else {
      const auto data = incoming_.cdata();
      const std::string_view bytes(static_cast<const char*>(data.data()), data.size());
      const Limits& limits = context_->settings.limits;
      const auto now = Clock::now();
      if (!bucket_.take(now)) {
        return on_excess(bytes, most_messages(limits.messages_per_second, ""));
      }
      if (!context_->visitors.take(visitor(), AddressLimits::Kind::kMessage, 1, now)) {
        return on_excess(bytes,
                         most_messages(limits.visitor_messages.per_second, " from one address"));
      }
      handler_->on_message(bytes);
    }
  }
  incoming_.consume(incoming_.size());
  if (held_) return read_after(held_for_);
  read();
}

void SocketSession::hold(Clock::duration wait, std::function<void()> work) {
  held_for_ = wait;
  held_ = std::move(work);
  opened_ += wait;  // time that the server makes the client wait is not its delay
}

void SocketSession::read_after(Clock::duration wait) {
  read_delay_.expires_after(wait);
  read_delay_.async_wait([self = shared_from_this()](error_code cancelled) {
    const auto work = std::exchange(self->held_, nullptr);
    if (cancelled || self->finished_) return;
    if (work) work();
    self->read();
  });
}

void SocketSession::on_excess(std::string_view bytes, const std::string& allowed) {
  context_->messages_excess.add();
  handler_->on_excess(bytes, allowed);
  incoming_.consume(incoming_.size());
  // Reading pauses, so that messages beyond the allowed rate wait in the client's own buffers. The
  // pause is that of five allowed ones, or refusing would be most of the work.
  constexpr double kPause = 5;
  const double pause_s = kPause / context_->settings.limits.messages_per_second;
  read_after(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause_s)));
}

void SocketSession::post(std::function<void()> work) {
  asio::post(socket_.get_executor(), [self = shared_from_this(), work = std::move(work)] {
    if (!self->finished_) work();
  });
}

void SocketSession::send(Bytes message) {
  if (closing_ || finished_) return;
  const Limits& limits = context_->settings.limits;
  if (queue_.size() >= limits.max_queued_messages ||
      queued_bytes_ + message->size() > limits.max_queued_bytes) {
    context_->queue_overflows.add();
    context_->log.info("unread", "viewer " + remote() + ": closed, it does not read its replies");
    queue_.clear();
    queued_bytes_ = 0;
    return close(CloseCode::kPolicy, "replies are not being read: the queue is full");
  }
  queued_bytes_ += message->size();
  queue_.push_back(std::move(message));
  write_next();
}

void SocketSession::count_dropped() {
  ++dropped_;
  context_->states_dropped.add();
}

// Takes the next message: answers and what the handler has to say take turns, so that neither keeps
// the other waiting. @return whether there is one
bool SocketSession::take_next() {
  if (closing_ || queue_.empty() || reply_last_) {
    // A message that would arrive late waits for the handler's next wake(): a newer one may take
    // its place by then.
    const bool may = !closing_ && handler_->has_next() && !is_late();
    auto next = may ? handler_->next(*this) : std::nullopt;
    if (next) {
      reply_last_ = false;
      under_way_ = *std::move(next);
      return true;
    }
    if (queue_.empty()) return false;
  }
  reply_last_ = true;
  under_way_ = {};
  under_way_.shared = std::move(queue_.front());
  queue_.pop_front();
  queued_bytes_ -= under_way_.shared->size();
  return true;
}

void SocketSession::write_next() {
  for (int at_once = 0; writing_ == Writing::kNothing && !finished_ && !close_begun_; ++at_once) {
    // The second half of a message must follow the first.
    const bool extra = under_way_.extra && !under_way_.shared;
    if (!extra && !take_next()) {
      if (closing_) begin_close();
      return;
    }
    writing_ = extra ? Writing::kExtra : under_way_.state ? Writing::kState : Writing::kMessage;
    write(extra ? asio::buffer(*under_way_.extra) : asio::buffer(*under_way_.shared),
          extra ? asio::const_buffer() : asio::buffer(under_way_.tail), at_once < kMostAtOnce);
  }
}

// Writes a message that ends with `tail`; on_written() follows, at once where the kernel takes it.
void SocketSession::write(asio::const_buffer head, asio::const_buffer tail, bool may_now) {
  write_began_ = Clock::now();
  const std::size_t size = head.size() + tail.size();
  if (may_now && socket_.is_open()) {
    const FrameHeader header(size);
    const std::array<asio::const_buffer, 3> frame{asio::buffer(header.bytes, header.size), head,
                                                  tail};
    const std::size_t taken = socket_.next_layer().send_now(frame);
    if (taken == header.size + size) return on_written(size);
    if (taken > 0) {
      rest_.resize(header.size + size);
      asio::buffer_copy(asio::buffer(rest_), frame);
      return socket_.next_layer().send_rest(
          asio::buffer(rest_) + taken,
          [self = shared_from_this(), size](error_code error) { self->on_write(error, size); });
    }
  }
  const std::array<asio::const_buffer, 2> parts{head, tail};
  socket_.async_write(parts, [self = shared_from_this()](error_code error, std::size_t sent) {
    self->on_write(error, sent);
  });
}

bool SocketSession::is_late() {
  const auto status = tcp_status(beast::get_lowest_layer(socket_).socket().native_handle());
  return status &&
         backlog_.late(written_, status->unacknowledged, status->round_trip, Clock::now());
}

void SocketSession::on_write(error_code error, std::size_t size) {
  if (error) {
    writing_ = Writing::kNothing;
    return finish();
  }
  on_written(size);
  write_next();
}

void SocketSession::on_written(std::size_t size) {
  const Writing written = std::exchange(writing_, Writing::kNothing);
  context_->bytes_sent.add(size);
  written_ += size + kFrameHeader;
  if (written == Writing::kExtra) {
    under_way_.extra.reset();
  } else {
    (written == Writing::kState ? context_->states_sent : context_->replies_sent).add();
    under_way_.shared.reset();
  }
}

void SocketSession::close(CloseCode code, std::string reason) {
  if (closing_ || finished_) return;
  closing_ = true;
  close_asked_ = Clock::now();
  reason_ = make_reason(code, std::move(reason));
  write_next();
}

void SocketSession::begin_close() {
  close_begun_ = true;
  // The read under way completes once the other side has answered.
  socket_.async_close(reason_, [self = shared_from_this()](error_code) {});
}

void SocketSession::stop() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->queue_.clear();
    self->queued_bytes_ = 0;
    self->close(CloseCode::kGoingAway, "the server is stopping");
  });
}

void SocketSession::check_up() {
  if (finished_) return;
  const auto now = Clock::now();
  const Limits& limits = context_->settings.limits;
  if (closing_ && now - close_asked_ > limits.close_timeout) return kill();
  if (writing_ != Writing::kNothing && now - write_began_ > limits.stall_timeout) {
    context_->timeouts.add();
    const auto stalled = std::chrono::duration_cast<std::chrono::seconds>(limits.stall_timeout);
    context_->log.info("stalled", "viewer " + remote() + ": closed, it has not read for " +
                                      std::to_string(stalled.count()) + " s");
    return kill();
  }
  if (!admitted_ && !closing_ && now - opened_ > limits.admit_timeout) {
    context_->timeouts.add();
    close(CloseCode::kPolicy, "no join came in time");
  }
  if (!closing_ && socket_.next_layer().waited(now) > limits.message_timeout) {
    context_->timeouts.add();
    context_->messages_unfinished.add();
    const auto most = std::chrono::duration_cast<std::chrono::seconds>(limits.message_timeout);
    close(CloseCode::kPolicy,
          "a message must be complete within " + std::to_string(most.count()) + " s");
  }
  if (pacer_.review(now) && !closing_) handler_->on_pace();
  write_next();  // messages that the handler put off
  check_timer_.expires_after(kCheckPeriod);
  check_timer_.async_wait([self = shared_from_this()](error_code cancelled) {
    if (!cancelled) self->check_up();
  });
}

void SocketSession::kill() {
  beast::get_lowest_layer(socket_).close();
  finish();
}

void SocketSession::finish() {
  if (finished_) return;
  finished_ = true;
  check_timer_.cancel();
  read_delay_.cancel();
  held_ = nullptr;
  beast::get_lowest_layer(socket_).close();
  queue_.clear();
  ticket_.reset();
  if (handler_) std::exchange(handler_, nullptr)->on_closed();
}

}  // namespace promenade::net
