#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "net/http/http_types.h"
#include "net/http/origin.h"
#include "net/http/proxies.h"
#include "net/metrics.h"
#include "net/socket/socket.h"
#include "net/types.h"

namespace promenade::net {

struct ServerSettings {
  std::string address = "localhost";  // "localhost": both loopback addresses; or an IP address
  std::uint16_t port = 8080;          // 0: any free one
  int threads = 1;                    // that serve connections
  std::string base_path;              // see HttpRequest; a trusted proxy's word comes before it
  std::string socket_path = "/ws";
  std::string subprotocol = "promenade.v1";
  HostPolicy hosts;
  OriginPolicy origins;
  TrustedProxies proxies;
  Limits limits;
  /// Requests for these are answered also when there is no place for the connection.
  std::vector<std::string> reserved_paths;
  /// How many requests a request counts as, against Limits::visitor_requests. Left empty: one.
  /// Called on a network thread.
  std::function<double(const HttpRequest& head)> cost;
  /// Greatest number of bytes in the body of a request, by its method, path and headers. Left
  /// empty: always Limits::max_body_bytes. Called on a network thread.
  std::function<std::size_t(const HttpRequest& head)> body_limit;
};

/// Thrown where the server cannot listen on the address. The text is one line for people.
struct ListenError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// HTTP and WebSockets on one port, with threads of its own.
class Server {
 public:
  /// @param metrics  outlives the server
  Server(const ServerSettings& settings, Metrics& metrics, HttpHandler http, SocketFactory sockets);
  ~Server();  // stop()  NOLINT(bugprone-exception-escape): see the definition

  /// Binds, listens and starts the threads. Throws ListenError.
  void start();
  /// The port listened on; 0 before start().
  std::uint16_t port() const;
  std::size_t connections() const;
  /// Runs work on one of the server's threads. Any thread, also before start() and after stop().
  void post(std::function<void()> work);
  /// Runs work after a while; the work is dropped where the server stops before.
  void after(Clock::duration wait, std::function<void()> work);
  /// Runs work on one of the server's threads every `period` until the server stops. @pre start()
  /// has not been called
  void every(std::chrono::milliseconds period, std::function<void()> work);

  /// Accepts no more connections, closes every WebSocket as going away, waits up to `grace` for the
  /// clients to answer and ends the threads. Idempotent.
  void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(800));

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace promenade::net
