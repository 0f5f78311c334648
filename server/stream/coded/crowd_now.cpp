#include "stream/coded/crowd_now.h"

#include <algorithm>
#include <cmath>

#include "stream/coded/crowd_tracks.h"
#include "stream/frame.h"
#include "stream/quantize.h"

namespace promenade::stream {
namespace {

std::int32_t phase_of(const world::CharacterSnapshot& character) {
  const double phase = character.report.phase;
  if (!std::isfinite(phase)) return 0;
  const bool left = character.flags & world::kFlagLeftStance;
  const double stride = (std::clamp(phase, 0.0, 1.0) + (left ? 0 : 1)) / 2;
  return static_cast<std::int32_t>(stride * kPhasesOfStride) & (kPhasesOfStride - 1);
}

}  // namespace

CrowdNow::CrowdNow(const world::Snapshot& snapshot)
    : snapshot_(snapshot),
      states_(std::make_unique<States[]>(snapshot.characters.size())),
      roots_(std::make_unique_for_overwrite<RootNow[]>(snapshot.characters.size())),
      joints_(std::make_unique_for_overwrite<std::int32_t[]>(snapshot.coordinates.size())) {}

// Whoever finds it busy makes its own: that takes less than waiting.
RootNow CrowdNow::root(std::size_t index) const {
  std::atomic<std::uint8_t>& state = states_[index].root;
  std::uint8_t now = state.load(std::memory_order_acquire);
  if (now == kThere) return roots_[index];
  if (now != kNone || !state.compare_exchange_strong(now, kBusy)) return make_root(index);
  roots_[index] = make_root(index);
  state.store(kThere, std::memory_order_release);
  return roots_[index];
}

std::span<const std::int32_t> CrowdNow::joints(std::size_t index,
                                               std::vector<std::int32_t>& own) const {
  const std::size_t count = snapshot_.roster->entries[index].coordinates;
  const std::span shared(joints_.get() + snapshot_.characters[index].first_coordinate, count);
  std::atomic<std::uint8_t>& state = states_[index].joints;
  std::uint8_t now = state.load(std::memory_order_acquire);
  if (now == kThere) return shared;
  if (now != kNone || !state.compare_exchange_strong(now, kBusy)) {
    own.resize(std::max(own.size(), count));
    make_joints(index, std::span(own).first(count));
    return std::span(own).first(count);
  }
  make_joints(index, shared);
  state.store(kThere, std::memory_order_release);
  return shared;
}

RootNow CrowdNow::make_root(std::size_t index) const {
  const world::CharacterSnapshot& character = snapshot_.characters[index];
  const Vec3& position = character.root.position;
  return {{quantize(position.x(), kPositionUnit), quantize(position.y(), kPositionUnit),
           quantize(position.z(), kPositionUnit)},
          pack_rotation(character.root.rotation),
          phase_of(character)};
}

void CrowdNow::make_joints(std::size_t index, std::span<std::int32_t> out) const {
  const float* coordinates =
      snapshot_.coordinates.data() + snapshot_.characters[index].first_coordinate;
  const auto& lengths = lengths_of(*snapshot_.roster, snapshot_.roster->entries[index].body);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool length = i < lengths.size() && lengths[i];
    out[i] = quantize(coordinates[i], length ? kPositionUnit : kAngleUnit);
  }
}

}  // namespace promenade::stream
