#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "api/roles.h"
#include "net/metrics.h"
#include "net/socket.h"
#include "promenade/v1/wire.pb.h"
#include "service/rooms.h"
#include "service/saved.h"

namespace promenade::service {

/// What viewers share.
struct ViewerContext {
  const Rooms* rooms;
  const SavedDefinitions* saved;
  const api::Tokens* tokens;
  net::Metrics* metrics;
  double messages_per_second;
  std::uint32_t max_message_bytes;
};

/// The protocol on one WebSocket, docs/protocol.md: Join, then commands and settings inwards;
/// Hello, SceneInfo, Roster, then frames, replies and events outwards. Runs on the socket's strand.
class Viewer : public net::SocketHandler, public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(std::weak_ptr<net::Socket> socket, const ViewerContext& context)
      : socket_(std::move(socket)), context_(context) {}

  /// A new state of the room. Any thread.
  void publish(std::shared_ptr<const Publication> publication);
  /// A message that must arrive. Any thread.
  void send(net::Bytes bytes);

  void on_message(std::string_view bytes) override;
  void on_excess(std::string_view bytes) override;
  void on_oversized(std::size_t limit) override;
  void on_pace() override;
  void on_closed() override;

 private:
  void join(net::Socket& socket, std::uint64_t seq, const v1::Join& join);
  void command(net::Socket& socket, std::uint64_t seq, const v1::Command& message);
  void watch(net::Socket& socket, std::uint64_t seq, const v1::Watch& watch);
  void ping(net::Socket& socket, std::uint64_t seq, const v1::Ping& ping);
  void set_rate(net::Socket& socket, std::uint64_t seq, double rate_hz);
  void ack(net::Socket& socket, std::uint64_t seq);
  void refuse(net::Socket& socket, std::uint64_t seq, const world::CommandError& error);
  void on_publication(net::Socket& socket, const Publication& publication);
  void describe(net::Socket& socket, const RosterBytes& roster);

  const std::weak_ptr<net::Socket> socket_;
  const ViewerContext context_;
  RoomHost* room_ = nullptr;  // null until joined
  api::Role role_ = api::Role::kViewer;
  std::optional<std::uint64_t> last_seq_;
  std::optional<std::uint64_t> sent_epoch_, sent_roster_;
  std::uint64_t sent_rest_ = 0;  // tick up to which the viewer knows which things fell asleep
  std::vector<world::CharacterId> watched_;
};

}  // namespace promenade::service
