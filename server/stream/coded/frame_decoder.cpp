#include "stream/coded/frame_decoder.h"

#include <utility>

#include "stream/coded/symbol_coder.h"

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
  SymbolDecoder coder(coded.substr(kHead));
  CrowdCode code(coder, models_, tracks_, tick, memory_);
  told_.clear();
  for (CharacterTrack& track : tracks_.characters()) {
    told_.push_back(code.told(track, false));
    if (told_.back()) code.character(track, {});
  }
  return code.check() && coder.at_end();
}

void CodedFrameDecoder::write(v1::Frame& frame) {
  tier_.clear();
  phase_.clear();
  const ChannelKernels& kernels = channel_kernels();
  for (const CharacterTrack& track : tracks_.characters()) {
    const Ahead ahead(track.root_times, frame.tick(), kRootAhead);
    RootLanes root;
    kernels.expect(tracks_.root_of(track), kLanes, ahead, root.data());
    for (std::size_t i = 0; i < kRotationLane; ++i) frame.add_root_position(root[i]);
    frame.add_root_rotation(packed_parts(root, track.omitted));
    const Ahead joints_ahead(track.joint_times, frame.tick(), kJointsAhead);
    const std::size_t lanes = lanes_of(track.dof);
    if (memory_.size() < lanes) memory_.resize(lanes);
    kernels.expect(tracks_.joints_of(track), lanes, joints_ahead, memory_.data());
    for (std::size_t i = 0; i < track.dof; ++i) frame.add_joint(memory_[i]);
    frame.add_flags(track.flags);
    frame.add_limb_contacts(track.limb_contacts);
    frame.add_presence(track.presence);
    tier_.push_back(track.tier);
    phase_.push_back(static_cast<std::uint8_t>(root[kPhaseLane] & (kPhasesOfStride - 1)));
  }
  frame.clear_coded();
}

}  // namespace promenade::stream
