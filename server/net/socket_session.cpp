#include "net/socket_session.h"

#include <netinet/tcp.h>
#include <spdlog/spdlog.h>

#include <array>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace promenade::net {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
namespace {

constexpr auto kCheckPeriod = std::chrono::milliseconds(500);
constexpr double kInitialRate = 30;  // Hz, until the client says

websocket::close_reason make_reason(CloseCode code, std::string text) {
  constexpr std::size_t kMaxReason = 120;  // a close frame holds 123
  if (text.size() > kMaxReason) text.resize(kMaxReason);
  return {static_cast<websocket::close_code>(code), text};
}

}  // namespace

SocketSession::SocketSession(beast::tcp_stream stream, std::shared_ptr<Context> context,
                             std::unique_ptr<ConnectionGate::Ticket> ticket, std::string remote)
    : context_(std::move(context)),
      ticket_(std::move(ticket)),
      remote_(std::move(remote)),
      socket_(std::move(stream)),
      check_timer_(socket_.get_executor()),
      read_delay_(socket_.get_executor()),
      bucket_(context_->settings.limits.messages_per_second,
              context_->settings.limits.message_burst, Clock::now()),
      pacer_(kInitialRate, Clock::now()),
      opened_(Clock::now()) {}

void SocketSession::run(UpgradeRequest request) {
  request_ = std::move(request);
  const Limits& limits = context_->settings.limits;
  // The WebSocket has timeouts of its own; the stream's would end it.
  beast::get_lowest_layer(socket_).expires_never();
  websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = limits.header_timeout;
  timeout.idle_timeout = limits.idle_timeout;
  timeout.keep_alive_pings = true;
  socket_.set_option(timeout);
  socket_.set_option(websocket::stream_base::decorator(
      [subprotocol = context_->settings.subprotocol](websocket::response_type& response) {
        response.set(http::field::server, "Promenade");
        response.set(http::field::sec_websocket_protocol, subprotocol);
      }));
  socket_.read_message_max(0);   // no limit here, as it closes without a reason: see on_read()
  socket_.auto_fragment(false);  // halves the cost of sending larger frames
  socket_.binary(true);
#ifdef TCP_NOTSENT_LOWAT
  // Keep the kernel from holding seconds of stale frames for a slow viewer.
  beast::error_code ignored;
  beast::get_lowest_layer(socket_).socket().set_option(
      asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>(limits.unsent_bytes),
      ignored);
#endif
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
  // One byte more than is allowed shows that a message is too large.
  const std::size_t most = context_->settings.limits.max_message_bytes + 1 - incoming_.size();
  socket_.async_read_some(
      incoming_, most,
      [self = shared_from_this()](error_code error, std::size_t) { self->on_read(error); });
}

void SocketSession::on_read(error_code error) {
  if (error) {
    if (error == beast::error::timeout) context_->timeouts.add();
    if (error != websocket::error::closed) {
      spdlog::debug("viewer {}: {}", remote_, error.message());
    }
    return finish();
  }
  if (finished_) return;
  const std::size_t limit = context_->settings.limits.max_message_bytes;
  if (!closing_ && incoming_.size() > limit) {
    handler_->on_oversized(limit);
    close(CloseCode::kTooBig, "a message of more than " + std::to_string(limit) + " bytes");
  }
  if (closing_) incoming_.consume(incoming_.size());
  if (!socket_.is_message_done()) return read();
  context_->messages_in.add();
  if (!closing_) {
    if (!socket_.got_binary()) {
      close(CloseCode::kUnsupportedData, "send binary messages only: one ClientMessage each");
    } else {
      const auto data = incoming_.cdata();
      const std::string_view bytes(static_cast<const char*>(data.data()), data.size());
      if (bucket_.take(Clock::now())) {
        handler_->on_message(bytes);
      } else {
        context_->messages_excess.add();
        handler_->on_excess(bytes);
        incoming_.consume(incoming_.size());
        // Reading pauses, so that messages beyond the allowed rate wait in the client's own
        // buffers.
        const double pause_s = 1 / context_->settings.limits.messages_per_second;
        read_delay_.expires_after(
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause_s)));
        read_delay_.async_wait([self = shared_from_this()](error_code cancelled) {
          if (!cancelled && !self->finished_) self->read();
        });
        return;
      }
    }
  }
  incoming_.consume(incoming_.size());
  read();
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
    spdlog::info("viewer {}: closed, it does not read its replies", remote_);
    queue_.clear();
    queued_bytes_ = 0;
    return close(CloseCode::kPolicy, "replies are not being read: the queue is full");
  }
  queued_bytes_ += message->size();
  queue_.push_back(std::move(message));
  write_next();
}

void SocketSession::offer(State state) {
  if (closing_ || finished_) return;
  if (waiting_) {
    pacer_.on_miss();
    count_dropped();
  }
  waiting_ = std::move(state);
  write_next();
}

void SocketSession::count_dropped() {
  ++dropped_;
  context_->states_dropped.add();
}

void SocketSession::write_next() {
  if (writing_ != Writing::kNothing || finished_ || close_begun_) return;
  const auto done = [self = shared_from_this()](error_code error, std::size_t size) {
    self->on_write(error, size);
  };
  if (under_way_.extra && !under_way_.shared) {
    // The second half of a state, which must follow the first.
    writing_ = Writing::kExtra;
    write_began_ = Clock::now();
    return socket_.async_write(asio::buffer(*under_way_.extra), done);
  }
  if (!queue_.empty()) {
    reply_under_way_ = std::move(queue_.front());
    queue_.pop_front();
    queued_bytes_ -= reply_under_way_->size();
    writing_ = Writing::kReply;
    write_began_ = Clock::now();
    return socket_.async_write(asio::buffer(*reply_under_way_), done);
  }
  if (closing_) return begin_close();
  if (waiting_) {
    under_way_ = std::move(*waiting_);
    waiting_.reset();
    writing_ = Writing::kState;
    write_began_ = Clock::now();
    const std::array<asio::const_buffer, 2> parts{asio::buffer(*under_way_.shared),
                                                  asio::buffer(under_way_.tail)};
    return socket_.async_write(parts, done);
  }
}

void SocketSession::on_write(error_code error, std::size_t size) {
  const Writing written = std::exchange(writing_, Writing::kNothing);
  if (error) return finish();
  context_->bytes_sent.add(size);
  if (written == Writing::kReply) {
    context_->replies_sent.add();
    reply_under_way_.reset();
  } else if (written == Writing::kState) {
    context_->states_sent.add();
    under_way_.shared.reset();
  } else {
    under_way_.extra.reset();
  }
  write_next();
}

void SocketSession::close(CloseCode code, std::string reason) {
  if (closing_ || finished_) return;
  closing_ = true;
  close_asked_ = Clock::now();
  reason_ = make_reason(code, std::move(reason));
  waiting_.reset();
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
    spdlog::info("viewer {}: closed, it has not read for {} s", remote_,
                 std::chrono::duration_cast<std::chrono::seconds>(limits.stall_timeout).count());
    return kill();
  }
  if (!admitted_ && !closing_ && now - opened_ > limits.admit_timeout) {
    context_->timeouts.add();
    close(CloseCode::kPolicy, "no join within the deadline");
  }
  if (pacer_.review(now) && !closing_) handler_->on_pace();
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
  beast::get_lowest_layer(socket_).close();
  queue_.clear();
  waiting_.reset();
  ticket_.reset();
  if (handler_) std::exchange(handler_, nullptr)->on_closed();
}

}  // namespace promenade::net
