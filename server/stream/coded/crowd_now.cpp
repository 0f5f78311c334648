#include "stream/coded/crowd_now.h"

#include <algorithm>
#include <cmath>

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
      made_(std::make_unique<Made[]>(snapshot.characters.size())),
      roots_(std::make_unique_for_overwrite<RootNow[]>(snapshot.characters.size())),
      joints_(std::make_unique_for_overwrite<std::int32_t[]>(snapshot.coordinates.size() +
                                                             kLanes * snapshot.characters.size())) {
  const std::size_t count = snapshot.characters.size();
  for (std::vector<float>* axis : {&places_.x, &places_.y, &places_.z}) axis->resize(count);
  states_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const world::CharacterSnapshot& character = snapshot.characters[i];
    places_.x[i] = static_cast<float>(character.root.position.x());
    places_.y[i] = static_cast<float>(character.root.position.y());
    places_.z[i] = static_cast<float>(character.root.position.z());
    states_[i] = {character.id, character.flags, character.presence};
  }
}

std::span<const TrackedMember> CrowdNow::members() const {
  std::call_once(listed_, [this] {
    members_.reserve(snapshot_.roster->entries.size());
    for (const world::RosterEntry& entry : snapshot_.roster->entries) {
      members_.push_back({entry.id, entry.coordinates});
    }
  });
  return members_;
}

// A thread that finds it busy makes its own: that takes less than waiting.
const RootNow& CrowdNow::root(std::size_t index, RootNow& own) const {
  std::atomic<std::uint8_t>& made = made_[index].root;
  std::uint8_t now = made.load(std::memory_order_acquire);
  if (now == kThere) return roots_[index];
  if (now != kNone || !made.compare_exchange_strong(now, kBusy)) {
    make_root(index, own);
    return own;
  }
  make_root(index, roots_[index]);
  made.store(kThere, std::memory_order_release);
  return roots_[index];
}

const std::int32_t* CrowdNow::joints(std::size_t index, std::vector<std::int32_t>& own) const {
  const std::size_t count = snapshot_.roster->entries[index].coordinates;
  std::int32_t* const shared =
      joints_.get() + snapshot_.characters[index].first_coordinate + kLanes * index;
  std::atomic<std::uint8_t>& made = made_[index].joints;
  std::uint8_t now = made.load(std::memory_order_acquire);
  if (now == kThere) return shared;
  if (now != kNone || !made.compare_exchange_strong(now, kBusy)) {
    own.resize(std::max(own.size(), lanes_of(count)));
    make_joints(index, count, own.data());
    return own.data();
  }
  make_joints(index, count, shared);
  made.store(kThere, std::memory_order_release);
  return shared;
}

void CrowdNow::make_root(std::size_t index, RootNow& out) const {
  const world::CharacterSnapshot& character = snapshot_.characters[index];
  for (int axis = 0; axis < 3; ++axis) {
    out.lanes[std::size_t(axis)] = quantize(character.root.position[axis], kPositionUnit);
  }
  const std::uint32_t rotation = pack_rotation(character.root.rotation);
  unpack_parts(rotation, out.lanes);
  out.omitted = static_cast<std::uint8_t>(rotation >> 30);
  out.lanes[kPhaseLane] = phase_of(character);
}

void CrowdNow::make_joints(std::size_t index, std::size_t count, std::int32_t* out) const {
  const float* coordinates =
      snapshot_.coordinates.data() + snapshot_.characters[index].first_coordinate;
  const auto& lengths = lengths_of(*snapshot_.roster, snapshot_.roster->entries[index].body);
  for (std::size_t i = 0; i < count; ++i) {
    const bool length = i < lengths.size() && lengths[i];
    out[i] = quantize(coordinates[i], length ? kPositionUnit : kAngleUnit);
  }
  std::fill(out + count, out + lanes_of(count), 0);
}

}  // namespace promenade::stream
