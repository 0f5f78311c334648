#include "world/showing/snapshot_pool.h"

#include <utility>

namespace promenade::world {
namespace {

constexpr std::size_t kMostSpares = 3;

void clear(Snapshot& s) {
  Snapshot fresh;
  fresh.characters = std::move(s.characters);
  fresh.coordinates = std::move(s.coordinates);
  fresh.things = std::move(s.things);
  fresh.thing_coordinates = std::move(s.thing_coordinates);
  fresh.contacts = std::move(s.contacts);
  fresh.contacts.clear();
  fresh.way_points = std::move(s.way_points);
  fresh.way_points.clear();
  s = std::move(fresh);
}

}  // namespace

std::shared_ptr<Snapshot> SnapshotPool::take() {
  std::unique_ptr<Snapshot> found;
  {
    const std::lock_guard lock(spares_->mutex);
    if (!spares_->list.empty()) {
      found = std::move(spares_->list.back());
      spares_->list.pop_back();
    }
  }
  if (!found) found = std::make_unique<Snapshot>();
  return {found.release(), [spares = spares_](Snapshot* done) {
            std::unique_ptr<Snapshot> back(done);
            clear(*back);
            const std::lock_guard lock(spares->mutex);
            if (spares->list.size() < kMostSpares) spares->list.push_back(std::move(back));
          }};
}

}  // namespace promenade::world
