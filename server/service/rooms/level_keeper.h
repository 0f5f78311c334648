#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "world/command/command.h"

namespace promenade::service {

/// Tells a room with levels of detail what its viewers look at, and has as many of its characters
/// in full physics as there is time for.
///
/// Law: n becomes 0.8 n where the ticks take more than 0.75 of their time, and 1.1 n + 1, up to the
///   number that was asked for, where they take less than 0.5 of it.
class LevelKeeper {
 public:
  struct Seen {
    std::uint64_t epoch = 0;
    std::uint32_t in_physics = 0;  // 0: the room has no levels
    double load = 0;               // share of a tick's time
    std::vector<world::View> views;
  };
  /// To be called about twice a second. @return the command for the room; nothing: no change
  std::optional<world::SetDetail> look(const Seen& now);

 private:
  bool moved(const std::vector<world::View>& views) const;

  std::uint64_t epoch_ = 0;
  std::uint32_t asked_ = 0;   // by the scene, or by somebody's command
  std::uint32_t told_ = 0;    // by this
  std::uint32_t before_ = 0;  // the room's number then, which it may still have
  std::vector<world::View> views_;
};

}  // namespace promenade::service
