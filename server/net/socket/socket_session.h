#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "net/context.h"
#include "net/limits/connection_gate.h"
#include "net/limits/token_bucket.h"
#include "net/socket/send_backlog.h"
#include "net/socket/socket.h"
#include "net/socket/watched_stream.h"

namespace promenade::net {

/// One WebSocket: at most one read and one write under way, and one bounded queue for answers. All
/// other messages stay with the handler until they can be written.
class SocketSession : public Socket, public std::enable_shared_from_this<SocketSession> {
 public:
  using UpgradeRequest = boost::beast::http::request<boost::beast::http::string_body>;

  struct Peer {
    Visitor visitor;
    bool known_host = true;
  };

  SocketSession(boost::beast::tcp_stream stream, std::shared_ptr<Context> context,
                std::unique_ptr<ConnectionGate::Ticket> ticket, Peer peer);

  /// Answers the upgrade and begins. @pre the request's origin, path and subprotocol are accepted
  void run(UpgradeRequest request);
  /// Closes as going away. Any thread.
  void stop();

  void post(std::function<void()> work) override;
  void hold(Clock::duration wait, std::function<void()> work) override;
  void admit() override { admitted_ = true; }
  void send(Bytes message) override;
  void wake() override { write_next(); }
  Pacer& pacer() override { return pacer_; }
  std::uint64_t dropped() const override { return dropped_; }
  void count_dropped() override;
  void close(CloseCode code, std::string reason) override;
  const std::string& remote() const override { return peer_.visitor.address; }
  const std::string& visitor() const override { return peer_.visitor.key; }
  bool known_host() const override { return peer_.known_host; }

 private:
  using error_code = boost::beast::error_code;
  enum class Writing { kNothing, kMessage, kState, kExtra };

  void on_accept(error_code error);
  void read();
  void on_arrival();  // of bytes, before a message shows
  void on_read(error_code error);
  void on_excess(std::string_view bytes, const std::string& allowed);
  void read_after(Clock::duration wait);
  bool is_late();  // bytes written now would arrive late
  void write_next();
  void write(boost::asio::const_buffer head, boost::asio::const_buffer tail, bool may_now);
  bool take_next();
  void on_write(error_code error, std::size_t size);
  void on_written(std::size_t size);
  void begin_close();
  void check_up();  // twice a second: deadlines, pace
  void kill();      // at once, without a close frame
  void finish();

  std::shared_ptr<Context> context_;
  std::unique_ptr<ConnectionGate::Ticket> ticket_;
  const Peer peer_;
  boost::beast::websocket::stream<WatchedStream, false> socket_;  // false: no compression
  boost::beast::flat_buffer incoming_;
  UpgradeRequest request_;
  std::shared_ptr<SocketHandler> handler_;
  boost::asio::steady_timer check_timer_, read_delay_;
  TokenBucket bucket_, control_bucket_;
  std::uint64_t controls_ = 0;  // control frames that the bucket has counted
  Pacer pacer_;
  SendBacklog backlog_;
  std::uint64_t written_ = 0;  // bytes, with the headers of frames

  std::deque<Bytes> queue_;
  std::size_t queued_bytes_ = 0;
  bool reply_last_ = false;  // whether the last message was one of the queue
  Outgoing under_way_;       // owns the bytes being written
  std::string rest_;         // the same, of a frame that the kernel took a part of
  Writing writing_ = Writing::kNothing;
  Clock::time_point write_began_;

  std::uint64_t dropped_ = 0;
  Clock::time_point opened_;
  Clock::duration held_for_{};
  std::function<void()> held_;  // to be called before the next message is read
  bool admitted_ = false;
  bool closing_ = false;      // close() was called
  bool close_begun_ = false;  // the close frame is on its way
  bool finished_ = false;
  Clock::time_point close_asked_;
  boost::beast::websocket::close_reason reason_;
};

}  // namespace promenade::net
