#include "stream/coded/frame_decoder.h"

#include <utility>

namespace promenade::stream {

void CodedFrameDecoder::follow(std::vector<TrackedMember> members) {
  members_ = std::move(members);
  followed_ = false;
}

bool CodedFrameDecoder::decode(v1::Frame& frame) {
  if (!read(frame.coded(), frame.tick())) {
    lost_ = true;
    return false;
  }
  write(frame);
  return true;
}

bool CodedFrameDecoder::read(std::string_view coded, std::uint64_t tick) {
  constexpr std::size_t kHead = 2;
  if (coded.size() < kHead) return false;
  const bool key = static_cast<std::uint8_t>(coded[0]) & kCodedKey;
  const auto sequence = static_cast<std::uint8_t>(coded[1]);
  if (!key && (lost_ || sequence != static_cast<std::uint8_t>(sequence_ + 1))) return false;
  sequence_ = sequence;
  if (key) {
    models_ = {};
    tracks_.clear();
    followed_ = false;
    lost_ = false;
  }
  if (!std::exchange(followed_, true)) tracks_.follow(members_);
  RangeDecoder coder(coded.substr(kHead));
  CrowdCode code(coder, models_, tracks_, tick);
  told_.clear();
  for (CharacterTrack& track : tracks_.characters()) {
    told_.push_back(code.told(track, false));
    if (told_.back()) code.character(track, {});
  }
  return code.check();
}

void CodedFrameDecoder::write(v1::Frame& frame) {
  tier_.clear();
  phase_.clear();
  for (const CharacterTrack& track : tracks_.characters()) {
    const Ahead ahead(track.root_times, frame.tick(), kRootAhead);
    for (const std::int32_t part : track.expected_position(ahead)) frame.add_root_position(part);
    frame.add_root_rotation(track.expected_rotation(ahead));
    const Ahead joints_ahead(track.joint_times, frame.tick(), kJointsAhead);
    for (const Channel& channel : tracks_.joints_of(track)) {
      frame.add_joint(channel.expected(joints_ahead));
    }
    frame.add_flags(track.flags);
    frame.add_limb_contacts(track.limb_contacts);
    frame.add_presence(track.presence);
    tier_.push_back(track.tier);
    phase_.push_back(static_cast<std::uint8_t>(track.expected_phase(ahead)));
  }
  frame.clear_coded();
}

}  // namespace promenade::stream
