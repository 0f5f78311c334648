#include "stream/coded/crowd_tracks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace promenade::stream {
namespace {

// The sum of the four squares, in the units of packed rotations: (sqrt(2) 511)^2.
constexpr std::int32_t kWhole = 2 * kHalfRotation * kHalfRotation;

}  // namespace

void unpack_parts(std::uint32_t packed, RootLanes& lanes) {
  const std::uint32_t omitted = packed >> 30;
  int shift = 20;
  for (std::uint32_t i = 0; i < 4; ++i) {
    std::int32_t& part = lanes[kRotationLane + i];
    part = 0;
    if (i == omitted) continue;
    part = std::min(static_cast<std::int32_t>(packed >> shift & 1023), 1022) - kHalfRotation;
    shift -= 10;
  }
}

std::uint32_t packed_parts(const RootLanes& lanes, std::uint32_t omitted) {
  std::uint32_t bits = omitted;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (i == omitted) continue;
    const std::int32_t part = std::clamp(lanes[kRotationLane + i], -kHalfRotation, kHalfRotation);
    bits = bits << 10 | static_cast<std::uint32_t>(part + kHalfRotation);
  }
  return bits;
}

void CrowdTracks::clear() {
  characters_.clear();
  channels_.clear();
  free_.clear();
}

CharacterTrack CrowdTracks::made(const TrackedMember& member) {
  CharacterTrack track;
  track.id = member.id;
  track.dof = member.dof;
  const std::size_t groups = lanes_of(member.dof) / kLanes, size = size_of(member.dof);
  if (groups < free_.size() && !free_[groups].empty()) {
    track.first = free_[groups].back();
    free_[groups].pop_back();
    std::fill_n(channels_.begin() + std::ptrdiff_t(track.first), size, 0);
  } else {
    track.first = channels_.size();
    channels_.resize(channels_.size() + size);
  }
  begin_means(root_of(track), kLanes);
  begin_means(joints_of(track), lanes_of(track.dof));
  return track;
}

void CrowdTracks::forget(const CharacterTrack& track) {
  const std::size_t groups = lanes_of(track.dof) / kLanes;
  if (free_.size() <= groups) free_.resize(groups + 1);
  free_[groups].push_back(track.first);
}

void CrowdTracks::follow(std::span<const TrackedMember> members) {
  const auto is_of = [](const CharacterTrack& track, const TrackedMember& member) {
    return track.id == member.id && track.dof == member.dof;
  };
  // Most changes of a roster are of things that are not told here.
  const auto [track, member] =
      std::mismatch(characters_.begin(), characters_.end(), members.begin(), members.end(), is_of);
  if (track == characters_.end() && member == members.end()) return;
  new_characters_.clear();
  if (characters_.empty()) {
    std::size_t channels = 0;
    for (const TrackedMember& one : members) channels += size_of(one.dof);
    channels_.reserve(channels + channels / 8);  // some will come before others have gone
    new_characters_.reserve(members.size());
  }
  auto old = track;
  for (auto one = member; one != members.end(); ++one) {
    while (old != characters_.end() && old->id < one->id) forget(*old++);
    if (old != characters_.end() && is_of(*old, *one)) {
      new_characters_.push_back(*old++);
    } else {
      new_characters_.push_back(made(*one));
    }
  }
  for (; old != characters_.end(); ++old) forget(*old);
  characters_.erase(track, characters_.end());
  if (characters_.empty()) {
    std::swap(characters_, new_characters_);
  } else {
    characters_.insert(characters_.end(), new_characters_.begin(), new_characters_.end());
  }
}

void CrowdTracks::omit(CharacterTrack& track, std::uint32_t other) {
  track.omitted = static_cast<std::uint8_t>(other);
  for (const ValueRow row : {kLast, kBefore, kFirst}) {
    std::int32_t* const parts = root_of(track) + row * kLanes + kRotationLane;
    if (parts[other] >= 0) continue;
    for (std::size_t i = 0; i < 4; ++i) {
      parts[i] = static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(parts[i]));
    }
  }
}

void CrowdTracks::complete(const CharacterTrack& track) {
  std::int32_t* const parts = root_of(track) + kLast * kLanes + kRotationLane;
  std::int32_t rest = kWhole;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::int32_t part = std::clamp(parts[i], -kWhole / kHalfRotation, kWhole / kHalfRotation);
    if (i != track.omitted) rest -= part * part;
  }
  const double root = std::sqrt(static_cast<double>(std::max(rest, 0)));
  parts[track.omitted] = static_cast<std::int32_t>(std::floor(root + 0.5));
}

void CrowdTracks::rescale(const CharacterTrack& track, int change) {
  const auto scale = [change](std::int32_t* block, std::size_t lanes, std::size_t count) {
    std::int16_t* const means = means_of(block, lanes, kCoded);
    for (std::size_t i = 0; i < count; ++i) {
      const int now = change > 0 ? means[i] >> change : means[i] << -change;
      means[i] = static_cast<std::int16_t>(std::clamp(now, 1, 1 << 14));
    }
  };
  scale(root_of(track), kLanes, kPhaseLane);
  const std::size_t lanes = lanes_of(track.dof);
  scale(joints_of(track), lanes, lanes);
}

void CrowdTracks::begin_means(std::int32_t* block, std::size_t lanes, std::int16_t mean) {
  std::fill_n(means_of(block, lanes, kCoded), lanes, mean);
}

}  // namespace promenade::stream
