#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffers_iterator.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "net/socket/frame_watch.h"
#include "net/types.h"

namespace promenade::net {

/// The bytes below a WebSocket, with an eye on what comes in. Beast shows a message when its
/// payload arrives; headers that say too much, and bytes that come one by one, show here. Whole
/// frames can go out beside Beast's, between its own: see send_now().
class WatchedStream {
 public:
  using next_layer_type = boost::beast::tcp_stream;
  using executor_type = next_layer_type::executor_type;

  WatchedStream(next_layer_type stream, std::size_t max_message_bytes)
      : stream_(std::move(stream)), watch_(max_message_bytes) {}

  executor_type get_executor() noexcept { return stream_.get_executor(); }
  next_layer_type& next_layer() noexcept { return stream_; }
  const next_layer_type& next_layer() const noexcept { return stream_; }

  const FrameWatch& watch() const { return watch_; }
  /// Called on the strand after each arrival of bytes.
  void on_arrival(std::function<void()> call) { on_arrival_ = std::move(call); }
  /// How long the server has waited for the rest of what has begun; zero where all is whole. Time
  /// in which the server did not read does not count.
  Clock::duration waited(Clock::time_point now) const {
    if (!watch_.unfinished()) return {};
    return reading_ ? waited_ + (now - read_began_) : waited_;
  }

  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    read_began_ = Clock::now();
    reading_ = true;
    auto executor = boost::asio::get_associated_executor(handler, get_executor());
    stream_.async_read_some(
        buffers,
        boost::asio::bind_executor(std::move(executor),
                                   [this, buffers, handler = std::forward<Handler>(handler)](
                                       boost::beast::error_code error, std::size_t size) mutable {
                                     on_read(buffers, size);
                                     handler(error, size);
                                   }));
  }

  /// Hands a whole frame to the kernel at once, which costs a fraction of a write that waits. Bytes
  /// that the kernel does not take have to follow by send_rest() before anything else is sent. @pre
  /// the socket does not block
  /// @return bytes taken: none where the kernel has no room, or where Beast is writing
  template <typename Buffers>
  std::size_t send_now(const Buffers& frame) {
    if (writing_ || resting_) return 0;
    boost::beast::error_code error;
    const std::size_t taken = stream_.socket().send(frame, 0, error);
    return error ? 0 : taken;  // the next write meets with the error
  }
  /// Sends the rest of a frame of which send_now() sent a part; Beast's writes wait for it.
  /// @param rest  its bytes stay valid until `done` is called, with the error or none
  template <typename Done>
  void send_rest(boost::asio::const_buffer rest, Done done) {
    resting_ = true;
    boost::asio::async_write(
        stream_, rest,
        [this, done = std::move(done)](boost::beast::error_code error, std::size_t) mutable {
          resting_ = false;
          if (auto next = std::exchange(deferred_, nullptr)) next();
          done(error);
        });
  }

  /// Beast has one write at a time under way. It begins those that follow when one ends, so that
  /// between two calls of this a frame of Beast's is whole.
  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    writing_ = true;
    if (!resting_) return begin_write(buffers, std::forward<Handler>(handler));
    // A function can be copied, a handler cannot.
    auto waiting = std::make_shared<std::decay_t<Handler>>(std::forward<Handler>(handler));
    deferred_ = [this, buffers, waiting] { begin_write(buffers, std::move(*waiting)); };
  }

 private:
  template <typename Buffers, typename Handler>
  void begin_write(const Buffers& buffers, Handler&& handler) {
    auto executor = boost::asio::get_associated_executor(handler, get_executor());
    stream_.async_write_some(
        buffers,
        boost::asio::bind_executor(std::move(executor),
                                   [this, handler = std::forward<Handler>(handler)](
                                       boost::beast::error_code error, std::size_t size) mutable {
                                     writing_ = false;
                                     handler(error, size);
                                   }));
  }

  template <typename Buffers>
  void on_read(const Buffers& buffers, std::size_t size) {
    reading_ = false;
    const bool waiting = watch_.unfinished();
    const std::uint64_t finished = watch_.finished();
    for (auto part = boost::asio::buffer_sequence_begin(buffers);
         part != boost::asio::buffer_sequence_end(buffers) && size > 0; ++part) {
      const boost::asio::mutable_buffer bytes(*part);
      const std::size_t here = std::min(size, bytes.size());
      watch_.feed({static_cast<char*>(bytes.data()), here});
      size -= here;
    }
    if (watch_.finished() != finished || !waiting) {
      waited_ = {};
    } else {
      waited_ += Clock::now() - read_began_;
    }
    if (on_arrival_) on_arrival_();
  }

  next_layer_type stream_;
  FrameWatch watch_;
  std::function<void()> on_arrival_;
  Clock::time_point read_began_;
  Clock::duration waited_{};
  bool reading_ = false;
  bool writing_ = false;            // for Beast
  bool resting_ = false;            // send_rest() is under way
  std::function<void()> deferred_;  // begins a write of Beast's after that
};

/// Beast ends a WebSocket's connection through this.
template <typename Handler>
void async_teardown(boost::beast::role_type role, WatchedStream& stream, Handler&& handler) {
  using boost::beast::websocket::async_teardown;
  async_teardown(role, stream.next_layer(), std::forward<Handler>(handler));
}

}  // namespace promenade::net
