#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/tokens.h"
#include "net/limits/token_bucket.h"
#include "net/limits/visitor.h"
#include "net/socket/socket.h"
#include "promenade/v1/people.pb.h"
#include "service/people/access.h"
#include "service/people/audit.h"
#include "service/people/visitor_limits.h"
#include "service/rooms/room_host.h"

namespace promenade::service {

/// The visitor who asks for something, over the socket or over HTTP.
struct Asker {
  std::string visitor;  // id
  std::string name;     // by which they call themselves; may be empty
  std::string address;
  std::string client;  // the name that their program gives itself
  api::Grant grant;

  /// The payer whose limits count: the address together with the token.
  std::string payer() const { return net::visitor_key(address) + " " + grant.key; }
  /// The payers of saves, which stay for good: a token, from whatever address; for an invitation
  /// each of its visitors and each address; for a guest the address.
  std::vector<std::string> savers() const;
};

/// The entry of the trail for an asker. @param error  null: it was done
Deed deed_of(const Asker& asker, const char* action, api::Role role, std::string room,
             std::string object, const world::CommandError* error);

/// The id by which others see the visitor with that key.
std::string visitor_id(std::string_view visitor_key);

/// A connection of a visitor. Its functions may be called from any thread.
class Present {
 public:
  virtual ~Present() = default;
  /// Sends a message that must arrive.
  virtual void send(net::Bytes message) = 0;
  /// Closes the connection with a reason.
  virtual void send_out(net::CloseCode code, const std::string& reason) = 0;
  /// The visitor's token gives something else from now on.
  virtual void set_grant(const api::Grant& grant) = 0;
};

/// The rights of players.
struct PlayerAllowance {
  double push_force_n = 400;
  double push_duration_s = 0.3;
  double pushes_hz = 4;  // in the long run; twice as many at once
  double grace_s = 60;   // from a player's leaving until their character is removed
};

/// The visitors of all rooms: those who are here, their characters, and those whom admins have
/// muted, frozen or sent out. Visitors who leave are remembered while that matters. Any thread.
class People {
 public:
  static constexpr std::size_t kMaxVisitors = 20'000;  // remembered ones included

  People(const Access& access, VisitorLimits& limits, const PlayerAllowance& allowance)
      : access_(access), limits_(limits), allowance_(allowance) {}

  /// The role that a grant gives in a room: a token for another room is as good as none.
  api::Role role_in(const api::Grant& grant, const RoomHost& room) const;
  /// The same where no room is meant.
  api::Role role_anywhere(const api::Grant& grant) const;

  /// A connection comes in, or is refused: the visitor was sent out a moment ago, the room is full.
  std::optional<world::CommandError> enter(const Asker& asker, RoomHost& room,
                                           const std::shared_ptr<Present>& connection);
  void leave(const Asker& asker, const RoomHost& room, const Present* connection);

  /// The asker is known by the name in it from now on.
  void rename(const Asker& asker, const RoomHost& room);

  /// The rights of the asker in the room now.
  v1::Rights rights(const Asker& asker, const RoomHost& room);

  /// Takes a command from its asker's allowances, or says why the asker may not send it. Each one
  /// that is taken has to be ended by done().
  std::optional<world::CommandError> check(const Asker& asker, const RoomHost& room,
                                           const world::Command& command);
  /// @param made  null: the command was refused
  void done(const Asker& asker, const RoomHost& room, const world::Command& command,
            const world::CommandResult* made);
  /// Whether the asker may save and delete: not while frozen, in whatever room.
  std::optional<world::CommandError> check_save(const Asker& asker) const;

  /// @param all  with facts that only admins are told
  v1::PersonList list(const RoomHost& room, bool all) const;
  /// The number of visitors of each role with a connection to the room, by api::Role.
  std::map<api::Role, std::size_t> count_by_role(const RoomHost& room) const;
  /// Nothing if no visitor of that id is in the room, or was lately.
  std::optional<Asker> find(const RoomHost& room, const std::string& visitor) const;
  /// An admin's action on a visitor, but for bans. @return the visitor afterwards
  std::variant<v1::Person, world::CommandError> act(RoomHost& room, const std::string& visitor,
                                                    const v1::PersonAction& action);
  /// Tells everybody in a room what they may do now, and why that changed.
  void tell_rights(const RoomHost& room, const std::string& text);
  /// Sends out all visitors for whom `banned` says so, in all rooms.
  void send_out(const std::function<bool(const Asker&)>& banned, const std::string& reason);

  /// Takes the characters of players who have left, ends acts whose time is over, and tells
  /// visitors whose token gives other rights than before. Call it about twice a second.
  /// @param find_room  null for a room that is gone
  void look_after(const std::function<std::shared_ptr<RoomHost>(const std::string&)>& find_room);
  /// Forgets everything about a room that is gone.
  void forget_room(const std::string& room);

 private:
  struct Own {
    world::CharacterId id = 0;
    std::uint64_t tick = 0, epoch = 0;  // of the room when it became the visitor's
    bool made = false;                  // by the visitor: goes with the visitor
  };
  struct Restraint {
    bool on = false;
    net::Clock::time_point until = net::Clock::time_point::max();
    std::string reason;
    bool holds(net::Clock::time_point now) const { return on && now < until; }
  };
  struct Connection {
    const Present* id;
    std::weak_ptr<Present> present;
    api::Grant grant;  // tabs of one visitor may have joined with different tokens
  };
  struct Visitor {
    Asker asker;  // as of the last connection or request
    std::int64_t since_ms = 0;
    std::vector<Connection> connections;
    net::Clock::time_point last_seen;
    Own own;
    bool spawning = false;
    net::TokenBucket pushes;
    Restraint muted, frozen, out;
    std::uint64_t commands = 0, commands_before = 0;  // in this span of ten seconds and the last
    net::Clock::time_point span;
  };
  using Key = std::pair<std::string, std::string>;  // room and visitor

  api::Role guest_role(const api::Grant& grant, const std::string& of_room) const;
  // With mutex_ held, as all below.
  Visitor& visitor(const Asker& asker, const RoomHost& room);
  world::CharacterId own_of(Visitor& visitor, const RoomHost& room) const;
  v1::Rights rights_of(Visitor& visitor, const api::Grant& grant, const RoomHost& room) const;
  v1::Person person_of(const Visitor& visitor, const RoomHost& room, bool all) const;
  std::optional<world::CommandError> restrained(const Visitor& visitor, bool save) const;
  std::optional<world::CommandError> restrain(RoomHost& room, Visitor& visitor,
                                              const v1::PersonAction& action);
  std::optional<world::CommandError> hand_over(RoomHost& room, Visitor& visitor,
                                               const std::string& to);
  void tell(Visitor& visitor, const RoomHost& room, const std::string& text) const;
  void review_tokens(const std::function<std::shared_ptr<RoomHost>(const std::string&)>& find_room);
  void make_room();
  /// @return whether nothing about the visitor has to be remembered
  bool look_after(Visitor& visitor, RoomHost& room);

  const Access& access_;
  VisitorLimits& limits_;
  const PlayerAllowance allowance_;
  mutable std::mutex mutex_;
  std::map<Key, Visitor> visitors_;
  std::uint64_t reviewed_ = 0;  // revision of access_
};

}  // namespace promenade::service
