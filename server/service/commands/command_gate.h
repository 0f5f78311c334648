#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "net/metrics.h"
#include "service/people/audit.h"
#include "service/people/people.h"
#include "service/rooms/room_host.h"
#include "world/library/definitions.h"

namespace promenade::service {

/// The way of a command from its asker to the room, the same for socket and HTTP: rights and
/// limits, names of definitions, the room's queue, the counts and the trail. Any thread.
class CommandGate {
 public:
  using Decoded = std::variant<world::Command, world::CommandError>;
  using Reply = std::function<void(const world::CommandResult&)>;

  /// @param definitions  where commands' names are looked up
  /// @param post  runs work on a network thread
  CommandGate(People& people, const world::Definitions& definitions, Audit& audit,
              net::Metrics& metrics, RoomHost::Post post)
      : people_(people),
        definitions_(definitions),
        audit_(audit),
        metrics_(metrics),
        post_(std::move(post)) {}

  /// @param reply  called once, at once or later on the room's thread
  void give(const Asker& asker, const std::shared_ptr<RoomHost>& room, Decoded decoded,
            const Reply& reply) const;

 private:
  People& people_;
  const world::Definitions& definitions_;
  Audit& audit_;
  net::Metrics& metrics_;
  const RoomHost::Post post_;
};

}  // namespace promenade::service
