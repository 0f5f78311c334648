#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

// The types that pass between net and the code that uses it. net carries bytes and does not know
// what they mean.
namespace promenade::net {

using Clock = std::chrono::steady_clock;
using Bytes = std::shared_ptr<const std::string>;  // immutable, shared by all who send it

inline Bytes make_bytes(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

/// So many a second in the long run, and so many at once.
struct Rate {
  double per_second = 1;
  double burst = 1;
};

/// Bounds on the work, memory and time that a client can cost the server.
struct Limits {
  std::size_t max_message_bytes =
      std::size_t{64} * 1024;  // of a WebSocket message, before it is parsed
  std::size_t max_header_bytes = std::size_t{16} * 1024;  // of an HTTP request
  std::size_t max_body_bytes = std::size_t{64} * 1024;    // of an HTTP request
  std::size_t max_connections = 512;                      // of both kinds; 503 beyond
  std::size_t max_connections_per_ip = 128;               // 0: no such limit
  std::chrono::milliseconds header_timeout{
      5'000};  // from accept (or last answer's start) to header
  std::chrono::milliseconds reserved_timeout{2'000};     // the same of a connection beyond the most
  std::chrono::milliseconds keep_alive_timeout{15'000};  // for the next request on a connection
  std::chrono::milliseconds body_timeout{10'000};
  std::chrono::milliseconds answer_timeout{30'000};  // to write an HTTP answer
  std::chrono::milliseconds idle_timeout{50'000};    // of a WebSocket; a ping is sent at half of it
  std::chrono::milliseconds admit_timeout{5'000};    // for the first message that admits a viewer
  std::chrono::milliseconds message_timeout{10'000};  // for a WebSocket message that has begun
  std::chrono::milliseconds stall_timeout{20'000};    // for one WebSocket write to make it out
  std::chrono::milliseconds close_timeout{3'000};     // for the other side to answer a close
  double messages_per_second = 100;                   // token bucket of each connection: WebSocket
                                                      // messages, HTTP requests other than GET
  double message_burst = 200;
  Rate control_frames{10, 100};  // pings and pongs of a WebSocket; more close it
  // Limits of one visitor, over all connections. A hall behind one address counts as one visitor.
  Rate visitor_requests{200, 800};      // 429 and a slow answer beyond; see ServerSettings::cost
  Rate visitor_connections{50, 512};    // new connections, and upgrades once more; 429 beyond
  Rate visitor_messages{3'000, 6'000};  // WebSocket messages; excess beyond
  std::chrono::milliseconds slow_answer{500};  // after which a visitor beyond the rate is refused
  std::size_t max_queued_messages = 512;       // lossless messages waiting for one viewer
  std::size_t max_queued_bytes = std::size_t{4} * 1024 * 1024;
  int send_buffer_bytes = 64 * 1024;  // SO_SNDBUF (the kernel doubles it)
  int unsent_bytes = 16 * 1024;       // TCP_NOTSENT_LOWAT
};

}  // namespace promenade::net
