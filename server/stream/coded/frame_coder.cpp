#include "stream/coded/frame_coder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "stream/frame.h"
#include "stream/quantize.h"

namespace promenade::stream {
namespace {

// One of so many frames may tell of a character again; its id decides which one, so that all frames
// are about the same size.
constexpr std::uint32_t kMiddleTurns = 2, kFarTurns = 3, kUnseenTurns = 16;
constexpr std::uint64_t kUsualTicks = 2;  // ticks from one frame to the next

// m that a unit of a Frame moves: of an angle, at the end of an arm or leg; of a rotation.
constexpr double kJointMoves = kAngleUnit * 0.5;
constexpr double kRotationMoves = 2 / (1.41421356 * kSmallestThreeScale) * 0.9;
constexpr double kPhaseMoves = 1.3 / kPhasesOfStride;  // of a stride's length

// Pixels that a character may be off the expected place or turn until it is told of again.
constexpr double kMostOff = 1, kMostTurned = 2;
constexpr double kMostOffUnseen = 0.25;  // m, the same of unseen characters
// Far characters whose joints were never told get them once, so many in a frame.
constexpr int kFirstJoints = 32;
// Flags that change with every step tell nothing that can be seen from afar.
constexpr std::uint32_t kStepFlags =
    world::kFlagLeftStance | world::kFlagLeftContact | world::kFlagRightContact;

std::int32_t apart(std::int32_t a, std::int32_t b) {
  return std::abs(
      static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b)));
}
// The greatest distance of some lanes.
std::int32_t apart(const RootLanes& a, const RootLanes& b, std::size_t first, std::size_t end) {
  std::int32_t most = 0;
  for (std::size_t i = first; i < end; ++i) most = std::max(most, apart(a[i], b[i]));
  return most;
}

}  // namespace

const std::string& CodedFrameEncoder::encode(const CrowdNow& crowd,
                                             std::span<const world::CharacterId> chosen) {
  const world::Snapshot& snapshot = crowd.snapshot();
  begin(crowd);
  ++frames_;
  take_turn(snapshot.tick);
  coded_.clear();
  const bool key = std::exchange(key_, false);
  coded_.push_back(static_cast<char>(key ? kCodedKey : 0));
  coded_.push_back(static_cast<char>(frames_));
  coder_.clear();
  CrowdCode code(coder_, models_, tracks_, snapshot.tick, memory_);
  const std::size_t count = snapshot.characters.size();
  tiers_.begin(view_, count);
  tiers_.sight(crowd.places().x, crowd.places().y, crowd.places().z);
  int first_joints = kFirstJoints;
  std::array<double, kTiers> bits{};
  CharacterNow now;
  for (std::size_t i = 0; i < count; ++i) {
    const world::CharacterId id = crowd.state(i).id;
    CharacterTrack& track = tracks_.characters()[i];
    const Sighting sighting = tiers_.sighting(i);
    const bool is_chosen =
        !chosen.empty() && std::find(chosen.begin(), chosen.end(), id) != chosen.end();
    now.tier = is_chosen ? Tier::kNear : tiers_.of(sighting, track.tier);
    const auto tier = std::size_t(now.tier);
    ++counts_.characters[tier];
    bool tell = track.root_times.told == 0 || has_turn(now.tier, id);
    if (tell) {
      now.exponent = is_chosen ? 0 : tiers_.exponent(sighting, track.exponent);
      tell = is_due(crowd, i, now, tiers_.pixel(sighting));
    }
    const SymbolEncoder::Mark before = counts_bytes_ ? coder_.mark() : SymbolEncoder::Mark{};
    if (code.told(track, tell)) {
      const bool first = track.joint_times.told == 0;
      now.joints = has_joints(now.tier) || (!key && first && first_joints-- > 0);
      fill(crowd, i, now);
      code.character(track, now);
      ++counts_.told[tier];
    }
    if (counts_bytes_) bits[tier] += coder_.bits(before);
  }
  code.check();
  coder_.finish(coded_);
  for (std::size_t tier = 0; tier < kTiers; ++tier) {
    counts_.bytes[tier] = static_cast<std::size_t>(bits[tier] / 8);
  }
  return coded_;
}

void CodedFrameEncoder::begin(const CrowdNow& crowd) {
  const auto& roster = crowd.snapshot().roster;
  if (roster_ && roster_->epoch != roster->epoch) key_ = true;
  counts_ = {};
  if (key_) {
    models_ = {};
    tracks_.clear();
  } else if (roster_ == roster) {
    return;
  }
  roster_ = roster;
  tracks_.follow(crowd.members());
}

void CodedFrameEncoder::take_turn(std::uint64_t tick) {
  const std::uint64_t passed = tick - std::exchange(last_tick_, tick);
  // A room that is paused has no ticks.
  turn_ = passed == 0
              ? turn_ + 1
              : static_cast<std::uint32_t>(tick / std::max<std::uint64_t>(passed, kUsualTicks));
}

bool CodedFrameEncoder::has_turn(Tier tier, world::CharacterId id) const {
  const std::uint32_t count = turn_ + id;
  switch (tier) {
    case Tier::kNear:
      return true;
    case Tier::kMiddle:
      return count % kMiddleTurns == 0;
    case Tier::kFar:
      return count % kFarTurns == 0;
    default:
      return count % kUnseenTurns == 0;
  }
}

bool CodedFrameEncoder::is_due(const CrowdNow& crowd, std::size_t index, const CharacterNow& now,
                               double pixel) {
  CharacterTrack& track = tracks_.characters()[index];
  if (now.tier == Tier::kNear || track.root_times.told == 0) return true;
  const bool joints = has_joints(now.tier);
  if (joints && (!has_joints(track.tier) || track.joint_times.told == 0)) return true;
  if (now.tier < track.tier || now.exponent < track.exponent) return true;
  const StateNow& state = crowd.state(index);
  const std::uint32_t changed = state.flags ^ track.flags;
  if (joints ? changed != 0 : (changed & ~kStepFlags) != 0) return true;
  if (state.presence != track.presence) return true;
  if (joints && crowd.snapshot().characters[index].limb_contacts != track.limb_contacts)
    return true;
  const bool seen = now.tier != Tier::kUnseen;
  const double most_off = seen ? kMostOff * pixel : kMostOffUnseen;
  const double most_turned = seen ? kMostTurned * pixel : 2 * kMostOffUnseen;
  const RootNow& root = crowd.root(index, root_);
  if (root.omitted != track.omitted) return true;
  const Ahead ahead(track.root_times, crowd.snapshot().tick, kRootAhead);
  RootLanes expected;
  channel_kernels().expect(tracks_.root_of(track), kLanes, ahead, expected.data());
  expected[kRotationLane + track.omitted] = root.lanes[kRotationLane + track.omitted];
  if (apart(root.lanes, expected, 0, kRotationLane) * kPositionUnit > most_off) return true;
  if (apart(root.lanes, expected, kRotationLane, kPhaseLane) * kRotationMoves > most_turned) {
    return true;
  }
  if (joints) return are_joints_off(crowd, index, most_off);
  const std::int32_t off =
      apart(root.lanes[kPhaseLane], expected[kPhaseLane]) & (kPhasesOfStride - 1);
  return seen && std::min(off, kPhasesOfStride - off) * kPhaseMoves > most_turned;
}

bool CodedFrameEncoder::are_joints_off(const CrowdNow& crowd, std::size_t index, double most) {
  const CharacterTrack& track = tracks_.characters()[index];
  const Ahead ahead(track.joint_times, crowd.snapshot().tick, kJointsAhead);
  const std::size_t lanes = lanes_of(track.dof);
  if (memory_.size() < lanes) memory_.resize(lanes);
  channel_kernels().expect(tracks_.joints_of(track), lanes, ahead, memory_.data());
  const std::int32_t* const now = crowd.joints(index, joints_);
  return channel_kernels().apart(now, memory_.data(), lanes) * kJointMoves > most;
}

void CodedFrameEncoder::fill(const CrowdNow& crowd, std::size_t index, CharacterNow& now) {
  const StateNow& state = crowd.state(index);
  const RootNow& root = crowd.root(index, root_);
  now.root = &root.lanes;
  now.omitted = root.omitted;
  now.flags = state.flags;
  now.presence = state.presence;
  now.limb_contacts = now.joints ? crowd.snapshot().characters[index].limb_contacts
                                 : tracks_.characters()[index].limb_contacts;
  if (now.joints) now.joint = crowd.joints(index, joints_);
}

}  // namespace promenade::stream
