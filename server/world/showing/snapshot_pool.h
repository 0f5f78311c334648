#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "world/showing/snapshot.h"

namespace promenade::world {

/// Snapshots whose memory is used again: that of a large crowd is several megabytes, which the
/// system would have to give, and clear, each time.
class SnapshotPool {
 public:
  SnapshotPool() : spares_(std::make_shared<Spares>()) {}
  /// A snapshot as new, but for the lists of characters, things and their coordinates: these have
  /// the size that they had last, and anything in them. It comes back from whichever thread is the
  /// last to hold it, also after the pool is gone.
  std::shared_ptr<Snapshot> take();

 private:
  struct Spares {
    std::mutex mutex;
    std::vector<std::unique_ptr<Snapshot>> list;
  };
  std::shared_ptr<Spares> spares_;
};

}  // namespace promenade::world
