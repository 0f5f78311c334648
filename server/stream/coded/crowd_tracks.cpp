#include "stream/coded/crowd_tracks.h"

#include <algorithm>

namespace promenade::stream {

std::uint32_t CharacterTrack::expected_rotation(const Ahead& ahead) const {
  std::array<std::int32_t, 3> parts{};
  std::size_t k = 0;
  for (const std::size_t i : rotation.others()) {
    parts[k++] = rotation.channel[i].expected(ahead);
  }
  return rotation.packed(parts);
}

void CrowdTracks::clear() {
  characters_.clear();
  joints_.clear();
}

void CrowdTracks::follow(std::span<const TrackedMember> members) {
  // Most changes of a roster are of what is not told here.
  const auto is_of = [](const CharacterTrack& track, const TrackedMember& member) {
    return track.id == member.id && track.dof == member.dof;
  };
  if (std::equal(characters_.begin(), characters_.end(), members.begin(), members.end(), is_of)) {
    return;
  }
  std::swap(characters_, old_characters_);
  std::swap(joints_, old_joints_);
  clear();
  std::size_t joints = 0;
  for (const TrackedMember& member : members) joints += member.dof;
  characters_.reserve(members.size());
  joints_.reserve(joints);
  auto old = old_characters_.begin();
  for (const TrackedMember& member : members) {
    while (old != old_characters_.end() && old->id < member.id) ++old;
    const bool known = old != old_characters_.end() && old->id == member.id;
    const bool same = known && old->dof == member.dof;
    CharacterTrack track;
    if (same) track = *old;
    track.id = member.id;
    track.dof = member.dof;
    track.first = static_cast<std::uint32_t>(joints_.size());
    if (same) {
      const auto begin = old_joints_.begin() + old->first;
      joints_.insert(joints_.end(), begin, begin + old->dof);
    } else {
      joints_.resize(joints_.size() + member.dof);
    }
    characters_.push_back(track);
  }
  old_characters_ = {};
  old_joints_ = {};
}

}  // namespace promenade::stream
