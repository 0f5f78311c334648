#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace promenade::net {

/// A WebSocket to a server on this machine, with blocking calls: through it measurements look at a
/// server from outside.
class SocketClient {
 public:
  /// Throws std::runtime_error where there is no such server, as all below once it has gone.
  SocketClient(std::uint16_t port, const std::string& path, const std::string& subprotocol);
  ~SocketClient();

  void send(std::string_view bytes);
  /// Waits for the next message.
  std::string receive();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace promenade::net
