#include "service/rooms/publication.h"

#include <algorithm>
#include <utility>

#include "stream/frame.h"
#include "stream/roster.h"

namespace promenade::service {

Description::Description(std::uint64_t epoch, Parts scene,
                         const std::shared_ptr<const world::Roster>& roster)
    : epoch_(epoch),
      scene_(std::move(scene)),
      roster_(roster->version, roster, stream::encode_roster, stream::encode_roster_change) {}

std::shared_ptr<const world::CreatureDefinition> Description::find_body(std::uint64_t id) const {
  std::call_once(collected_, [this] {
    const auto collect = [this](const auto& entries) {
      for (const auto& entry : entries) {
        if (entry.body_definition)
          bodies_.emplace(entry.body_definition->id, entry.body_definition);
      }
    };
    collect(roster_.value().entries);
    collect(roster_.value().things);
  });
  const auto found = bodies_.find(id);
  return found == bodies_.end() ? nullptr : found->second;
}

Publication::Publication(std::shared_ptr<const world::Snapshot> snapshot,
                         std::shared_ptr<const Description> description, std::uint32_t viewers)
    : snapshot_(std::move(snapshot)), description_(std::move(description)), viewers_(viewers) {
  for (const world::ThingSnapshot& thing : snapshot_->things) {
    if (thing.asleep) last_slept_at_ = std::max(last_slept_at_, thing.slept_at);
  }
}

net::Bytes Publication::frame() const {
  std::call_once(encoded_, [this] {
    thread_local stream::FrameEncoder encoder;
    frame_ = net::make_bytes(encoder.encode(*snapshot_, viewers_));
  });
  return frame_;
}

const stream::CrowdNow& Publication::crowd() const {
  std::call_once(looked_at_, [this] { crowd_.emplace(*snapshot_); });
  return *crowd_;
}

Parts Publication::rest(std::uint64_t since) const {
  if (last_slept_at_ <= since) return nullptr;
  return make_parts(stream::encode_rest(*snapshot_, since));
}

}  // namespace promenade::service
