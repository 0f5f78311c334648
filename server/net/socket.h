#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/pacer.h"
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
};

/// A state for one viewer: a message that all viewers share, and the bytes for this viewer alone.
struct State {
  Bytes shared;      // one message ...
  std::string tail;  // ... whose last bytes are this viewer's own (may be empty)
  Bytes extra;       // a second message right after it; may be null
};

/// One WebSocket, as its handler sees it. Everything but post() is called on its strand only: from
/// the handler's functions, or from what was posted.
class Socket {
 public:
  virtual ~Socket() = default;

  /// Runs `work` on the strand; dropped if the socket is closed by then. Any thread.
  virtual void post(std::function<void()> work) = 0;

  /// Ends the deadline by which a client must have said who it is.
  virtual void admit() = 0;
  /// Queues a message that must arrive. A full queue closes the socket.
  virtual void send(Bytes message) = 0;
  /// How many messages of send() are not being written yet.
  virtual std::size_t queued() const = 0;
  /// Makes this the state to be sent next; it replaces one that still waits.
  virtual void offer(State state) = 0;
  /// Says when to offer. Call its on_state() for each state, and offer() only on kSend.
  virtual Pacer& pacer() = 0;
  /// Number of states that this viewer did not get: overtaken, or withheld to lower its rate.
  virtual std::uint64_t dropped() const = 0;
  virtual void count_dropped() = 0;
  /// Sends what is queued, then closes with a reason (at most 120 bytes).
  virtual void close(CloseCode code, std::string reason) = 0;
  virtual const std::string& remote() const = 0;
};

/// What happens on one WebSocket. All functions run on its strand, on_closed() last.
class SocketHandler {
 public:
  virtual ~SocketHandler() = default;
  /// A whole binary message within the size limit.
  virtual void on_message(std::string_view bytes) = 0;
  /// The same for a message beyond the allowed rate, which is to be refused.
  virtual void on_excess(std::string_view bytes) = 0;
  /// A message larger than the limit has begun to come. The socket is closed with a reason right
  /// after this.
  virtual void on_oversized(std::size_t limit) = 0;
  /// The pacer's level has changed.
  virtual void on_pace() = 0;
  virtual void on_closed() = 0;
};

/// Makes the handler of a new WebSocket, on its strand.
using SocketFactory = std::function<std::shared_ptr<SocketHandler>(std::shared_ptr<Socket>)>;

}  // namespace promenade::net
