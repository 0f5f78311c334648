#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/socket/pacer.h"
#include "net/types.h"

namespace promenade::net {

/// Why a WebSocket is closed, RFC 6455 §7.4.1.
enum class CloseCode : std::uint16_t {
  kGoingAway = 1001,
  kUnsupportedData = 1003,  // a text message
  kInvalidData = 1007,      // not the protocol
  kPolicy = 1008,           // not admitted in time, or its queue is full
  kTooBig = 1009,
  kTryAgainLater = 1013,
  kSentOut = 4003,     // by somebody who may: do not come back by yourself
  kRoomClosed = 4004,  // the room that was joined is no more
};

/// A handler's next bytes: a message that many sockets may share, and the bytes for this one.
struct Outgoing {
  Bytes shared;        // one message ...
  std::string tail;    // ... whose last bytes are this socket's own (may be empty)
  Bytes extra;         // a second message right after it; may be null
  bool state = false;  // whether it is one of a series in which a newer one makes it worthless
};

/// One WebSocket, as its handler sees it. Everything but post() is called on its strand only: from
/// the handler's functions, or from what was posted.
class Socket {
 public:
  virtual ~Socket() = default;

  /// Runs `work` on the strand; dropped if the socket is closed by then. Any thread.
  virtual void post(std::function<void()> work) = 0;

  /// Reads no further message until `wait` has passed and `work` been done; called for a message
  /// under way. Dropped if the socket is closed by then.
  virtual void hold(Clock::duration wait, std::function<void()> work) = 0;
  /// Ends the deadline by which a client must have said who it is.
  virtual void admit() = 0;
  /// Queues an answer to a message of the client. A full queue closes the socket: only the client
  /// itself can fill it.
  virtual void send(Bytes message) = 0;
  /// Says that the handler has something to say: whenever the socket is free, it asks
  /// SocketHandler::next() until it has nothing.
  virtual void wake() = 0;
  /// Says when states are due. Call its on_state() for each state, and its on_miss() where one that
  /// was due is overtaken before it was sent. Its not_due_until() may be asked on any thread.
  virtual Pacer& pacer() = 0;
  /// Number of states that this viewer did not get: overtaken, or withheld to lower its rate.
  virtual std::uint64_t dropped() const = 0;
  virtual void count_dropped() = 0;
  static constexpr std::size_t kMaxReason = 120;  // bytes; a close frame holds 123
  /// Sends what is queued, then closes with a reason, which is cut to kMaxReason.
  virtual void close(CloseCode code, std::string reason) = 0;
  /// Address of the other side, for the log.
  virtual const std::string& remote() const = 0;
  /// The key by which limits count the visitor, and whether the host that was asked for is known:
  /// as in HttpRequest.
  virtual const std::string& visitor() const = 0;
  virtual bool known_host() const = 0;
};

/// Handles the events of one WebSocket. All functions run on its strand, on_closed() last.
class SocketHandler {
 public:
  virtual ~SocketHandler() = default;
  /// A whole binary message within the size limit.
  virtual void on_message(std::string_view bytes) = 0;
  /// A message beyond the allowed rate, which is to be refused.
  /// @param allowed  for people: "at most 100 messages a second"
  virtual void on_excess(std::string_view bytes, const std::string& allowed) = 0;
  /// A message has begun that is larger than the limit; nothing but a frame's header needs to have
  /// come. The socket is closed with a reason right after this.
  virtual void on_oversized(std::size_t limit) = 0;
  /// Whether next() has a message: asked first, as looking whether the line is free costs more.
  virtual bool has_next() const = 0;
  /// The socket is free for a message: the next one, or nothing. Messages of send() and of this
  /// function take turns.
  virtual std::optional<Outgoing> next(Socket& socket) = 0;
  /// The pacer's level has changed.
  virtual void on_pace() = 0;
  virtual void on_closed() = 0;
};

/// Makes the handler of a new WebSocket, on its strand.
using SocketFactory = std::function<std::shared_ptr<SocketHandler>(std::shared_ptr<Socket>)>;

}  // namespace promenade::net
