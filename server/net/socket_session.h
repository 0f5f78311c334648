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

#include "net/connection_gate.h"
#include "net/context.h"
#include "net/socket.h"
#include "net/token_bucket.h"

namespace promenade::net {

/// One WebSocket: at most one read and one write under way, one place for a state, which the newest
/// takes, and one bounded queue for messages that must arrive.
class SocketSession : public Socket, public std::enable_shared_from_this<SocketSession> {
 public:
  using UpgradeRequest = boost::beast::http::request<boost::beast::http::string_body>;

  SocketSession(boost::beast::tcp_stream stream, std::shared_ptr<Context> context,
                std::unique_ptr<ConnectionGate::Ticket> ticket, std::string remote);

  /// Answers the upgrade and begins. @pre the request's origin, path and subprotocol are accepted
  void run(UpgradeRequest request);
  /// Closes as going away. Any thread.
  void stop();

  void post(std::function<void()> work) override;
  void admit() override { admitted_ = true; }
  void send(Bytes message) override;
  std::size_t queued() const override { return queue_.size(); }
  void offer(State state) override;
  Pacer& pacer() override { return pacer_; }
  std::uint64_t dropped() const override { return dropped_; }
  void count_dropped() override;
  void close(CloseCode code, std::string reason) override;
  const std::string& remote() const override { return remote_; }

 private:
  using error_code = boost::beast::error_code;
  enum class Writing { kNothing, kReply, kState, kExtra };

  void on_accept(error_code error);
  void read();
  void on_read(error_code error);
  void write_next();
  void on_write(error_code error, std::size_t size);
  void begin_close();
  void check_up();  // twice a second: deadlines, pace
  void kill();      // at once, without a close frame
  void finish();

  std::shared_ptr<Context> context_;
  std::unique_ptr<ConnectionGate::Ticket> ticket_;
  const std::string remote_;
  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  boost::beast::flat_buffer incoming_;
  UpgradeRequest request_;
  std::shared_ptr<SocketHandler> handler_;
  boost::asio::steady_timer check_timer_, read_delay_;
  TokenBucket bucket_;
  Pacer pacer_;

  std::deque<Bytes> queue_;
  std::size_t queued_bytes_ = 0;
  std::optional<State> waiting_;  // the newest state, not yet begun
  State under_way_;               // owns the bytes being written
  Bytes reply_under_way_;
  Writing writing_ = Writing::kNothing;
  Clock::time_point write_began_;

  std::uint64_t dropped_ = 0;
  const Clock::time_point opened_;
  bool admitted_ = false;
  bool closing_ = false;      // close() was called
  bool close_begun_ = false;  // the close frame is on its way
  bool finished_ = false;
  Clock::time_point close_asked_;
  boost::beast::websocket::close_reason reason_;
};

}  // namespace promenade::net
