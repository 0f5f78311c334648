#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "load/figures.h"
#include "load/plan.h"
#include "promenade/v1/wire.pb.h"

namespace promenade::load {

/// The state that all clients of a run share. They all live on one thread.
struct Shared {
  const Plan& plan;
  boost::asio::io_context& io;
  boost::asio::ip::tcp::endpoint server;
  bool measuring = false;
  bool ending = false;
};

/// A viewer on a WebSocket: honest, slow or dead by how it reads. It comes back a second after it
/// was cut off.
class Viewer : public std::enable_shared_from_this<Viewer> {
 public:
  enum class Reads { kAll, kSlowly, kNothing };

  /// @param number  of the client, which decides the address it comes from
  Viewer(Shared& shared, int number, Reads reads, KindFigures& figures);

  /// Connects and goes on until Shared::ending.
  void start();
  /// Closes the connection and adds the viewer's rate to the figures.
  /// @param measured_s  seconds for which Shared::measuring was true
  void stop(double measured_s);

 private:
  using Stream = boost::beast::websocket::stream<boost::beast::tcp_stream, false>;
  using Clock = std::chrono::steady_clock;

  void joined(boost::beast::error_code error);
  void read();
  void on_read(boost::beast::error_code error, std::size_t size);
  void take(std::string_view message);
  void take_frame(std::uint64_t server_time_us, std::uint64_t dropped);
  void ping();
  void send(const v1::ClientMessage& message);
  void ended(const std::string& why);

  Shared& shared_;
  const int number_;
  const Reads reads_;
  KindFigures& figures_;
  std::unique_ptr<Stream> stream_;
  boost::beast::websocket::response_type response_;
  boost::beast::flat_buffer incoming_;
  boost::asio::steady_timer pause_, ping_, stay_;
  std::string outgoing_;
  std::uint64_t seq_ = 0;
  bool connected_ = false;
  bool writing_ = false;
  Clock::time_point frame_at_{}, pinged_at_{}, read_due_{};
  std::uint64_t frames_ = 0, dropped_ = 0;
  double fastest_ping_s_ = 1e9;
  double offset_s_ = 0;  // the server's clock minus ours
};

/// Lets a client's socket come from one of Plan::sources addresses. @return what went wrong
boost::beast::error_code bind_source(boost::asio::ip::tcp::socket& socket, const Shared& shared,
                                     int number);

}  // namespace promenade::load
