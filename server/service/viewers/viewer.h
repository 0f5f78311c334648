#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "net/limits/token_bucket.h"
#include "net/socket/socket.h"
#include "promenade/v1/wire.pb.h"
#include "service/event_log.h"
#include "service/viewers/api_context.h"
#include "service/viewers/feed.h"

namespace promenade::service {

/// The objects that viewers share.
struct ViewerContext {
  const ApiContext* api;
  EventLog* log;
  EncodingBudget* encoding;
  std::uint32_t max_message_bytes;
};

/// The protocol on one WebSocket, docs/protocol.md: Join, then commands and settings inwards;
/// Hello and replies outwards, all else by its Feed. Runs on the socket's strand.
class Viewer : public net::SocketHandler,
               public Present,
               public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(std::weak_ptr<net::Socket> socket, const ViewerContext& context)
      : socket_(std::move(socket)), context_(context), feed_(context.api->saved) {}

  /// A new state of the room. Any thread.
  void publish(std::shared_ptr<const Publication> publication);
  /// An event of the room. Any thread.
  void tell(net::Bytes event);
  /// The catalogue has changed. Any thread.
  void catalogue_changed();
  /// The changes among the visitors, and the act of one of them. Any thread.
  void tell_company(const Company::News& news);
  void tell_act(net::Bytes act);
  /// An answer to a message of this viewer, or its new grant. Any thread.
  void send(net::Bytes bytes) override;
  void send_out(net::CloseCode code, const std::string& reason) override;
  void set_grant(const api::Grant& grant) override;

  /// The view of the viewer's camera; nothing: it has not told it. Any thread.
  std::optional<world::View> view() const;
  /// Adds its eye and the characters that it watches. Any thread.
  void add_to(world::Onlookers& onlookers) const;

  void on_message(std::string_view bytes) override;
  void on_excess(std::string_view bytes, const std::string& allowed) override;
  void on_oversized(std::size_t limit) override;
  bool has_next() const override { return room_ && feed_.has_next(); }
  std::optional<net::Outgoing> next(net::Socket& socket) override;
  void on_pace() override;
  void on_closed() override;

 private:
  void join(net::Socket& socket, std::uint64_t seq, const v1::Join& join);
  /// Its room is being made: tells how far it is, and joins once it is there.
  void wait_for_room(net::Socket& socket, const Making& making);
  /// Any thread. @return whether it waits for its room
  bool look_again();
  void join_if_made(net::Socket& socket);
  /// A message while it waits: it is acted on once the room is there.
  void take_early(net::Socket& socket, std::string_view bytes);
  void greet(net::Socket& socket, const Publication& publication, const std::string& visitor_key);
  void command(std::uint64_t seq, const v1::Command& message);
  void watch(net::Socket& socket, std::uint64_t seq, const v1::Watch& watch);
  void get_bodies(net::Socket& socket, std::uint64_t seq, const v1::GetBodies& wanted);
  void introduce(net::Socket& socket, std::uint64_t seq, const v1::Introduce& introduction);
  void attend(net::Socket& socket, std::uint64_t seq, const v1::Attend& attend);
  void look(net::Socket& socket, std::uint64_t seq, const v1::Viewpoint& viewpoint);
  void ping(net::Socket& socket, std::uint64_t seq, const v1::Ping& ping);
  void set_rate(net::Socket& socket, std::uint64_t seq, double rate_hz);
  void ack(net::Socket& socket, std::uint64_t seq);
  void refuse(net::Socket& socket, std::uint64_t seq, const world::CommandError& error);
  void on_publication(net::Socket& socket, std::shared_ptr<const Publication> publication);

  const std::weak_ptr<net::Socket> socket_;
  const ViewerContext context_;
  std::shared_ptr<RoomHost> room_;  // null until joined
  Asker asker_;
  std::uint64_t tokens_seen_ = 0;  // revision of those that its grant is of
  bool costly_ = false;            // its frames come seldom as they took more than their share
  /// A join while its room is being made, and the messages that came after it.
  struct EarlyJoin {
    std::uint64_t seq;
    v1::Join join;
    std::vector<std::string> behind;
  };
  std::optional<EarlyJoin> early_;
  std::atomic<bool> waits_{false};  // early_ is there
  std::optional<std::uint64_t> last_seq_;
  bool waited_ = false;  // the join has been put off
  Feed feed_;
  std::atomic<bool> introduced_{false};  // this viewer wants to be told of the others
  net::TokenBucket introductions_{0.5, 5, net::Clock::now()};
  net::TokenBucket attentions_{20, 40, net::Clock::now()};
  net::TokenBucket viewpoints_{30, 60, net::Clock::now()};
  mutable std::mutex view_mutex_;
  std::optional<world::View> view_;
  std::optional<world::Eye> eye_;            // of the same camera
  std::vector<world::CharacterId> watched_;  // as the feed's
};

}  // namespace promenade::service
