#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "net/types.h"
#include "service/version.h"
#include "stream/coded/crowd_now.h"
#include "world/library/definitions.h"
#include "world/showing/snapshot.h"

namespace promenade::service {

/// The messages that viewers need before they can read frames: the scene of an epoch and a version
/// of its roster.
class Description {
 public:
  /// @param epoch  of the viewers' side: not that of any other process
  Description(std::uint64_t epoch, Parts scene, const std::shared_ptr<const world::Roster>& roster);

  std::uint64_t epoch() const { return epoch_; }
  std::uint64_t version() const { return roster_.number(); }
  const Parts& scene() const { return scene_; }
  const Version<world::Roster>& roster() const { return roster_; }
  /// A body in this roster; null if it has none of that id.
  std::shared_ptr<const world::CreatureDefinition> find_body(std::uint64_t id) const;

 private:
  const std::uint64_t epoch_;
  const Parts scene_;
  const Version<world::Roster> roster_;
  mutable std::once_flag collected_;
  mutable std::unordered_map<std::uint64_t, std::shared_ptr<const world::CreatureDefinition>>
      bodies_;
};

/// A snapshot on its way to all viewers of a room. Its frame is encoded once, when the first viewer
/// needs it, on that viewer's thread.
class Publication {
 public:
  Publication(std::shared_ptr<const world::Snapshot> snapshot,
              std::shared_ptr<const Description> description, std::uint32_t viewers);

  const world::Snapshot& snapshot() const { return *snapshot_; }
  const std::shared_ptr<const Description>& description() const { return description_; }
  std::uint32_t viewers() const { return viewers_; }
  net::Bytes frame() const;
  /// The crowd for encoders of coded frames. It is made once, too.
  const stream::CrowdNow& crowd() const;
  /// The Rest of things that fell asleep after the tick `since` and still sleep; null if none did.
  Parts rest(std::uint64_t since) const;

 private:
  std::shared_ptr<const world::Snapshot> snapshot_;
  std::shared_ptr<const Description> description_;
  std::uint32_t viewers_;
  std::uint64_t last_slept_at_ = 0;  // of those that sleep
  mutable std::once_flag encoded_, looked_at_;
  mutable net::Bytes frame_;
  mutable std::optional<stream::CrowdNow> crowd_;
};

}  // namespace promenade::service
