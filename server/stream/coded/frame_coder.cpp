#include "stream/coded/frame_coder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "stream/frame.h"
#include "stream/quantize.h"

namespace promenade::stream {
namespace {

// Of how many frames one may tell of a character again; who it is goes by the ids, so that all
// frames are about the same size.
constexpr std::array<std::uint32_t, kTiers> kTurns{1, 2, 3, 16};

// What a unit of a Frame moves, m: of a position, and of an angle at the end of an arm or leg.
constexpr double kJointMoves = kAngleUnit * 0.5;
constexpr double kRotationMoves = 2 / (1.41421356 * kSmallestThreeScale) * 0.9;
constexpr double kPhaseMoves = 1.3 / kPhasesOfStride;  // of a stride's length

// How far somebody may be from where they are expected, in pixels, until they are told again.
constexpr double kMostOff = 1, kMostTurned = 2;
constexpr double kMostOffUnseen = 0.25;  // m
// Far characters whose joints were never told get them once, so many in a frame.
constexpr int kFirstJoints = 32;
// Flags that change with every step tell nothing that can be seen from afar.
constexpr std::uint32_t kStepFlags =
    world::kFlagLeftStance | world::kFlagLeftContact | world::kFlagRightContact;

double greatest(const std::array<std::int32_t, 3>& a, const std::array<std::int32_t, 3>& b) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    most = std::max(most, std::abs(std::int64_t{a[i]} - b[i]));
  }
  return static_cast<double>(most);
}

// Units between two packed rotations; all where another component is left out.
double turned(std::uint32_t a, std::uint32_t b) {
  if (a >> 30 != b >> 30) return 2 * kSmallestThreeScale;
  return greatest(rotation_parts(a), rotation_parts(b));
}

}  // namespace

const std::string& CodedFrameEncoder::encode(const CrowdNow& crowd,
                                             std::span<const world::CharacterId> chosen) {
  const world::Snapshot& snapshot = crowd.snapshot();
  begin(snapshot);
  ++frames_;
  coded_.clear();
  const bool key = std::exchange(key_, false);
  coded_.push_back(static_cast<char>(key ? kCodedKey : 0));
  coded_.push_back(static_cast<char>(frames_));
  const std::size_t begin = coded_.size();
  RangeEncoder coder(coded_);
  CrowdCode code(coder, models_, tracks_, snapshot.tick);
  tiers_.begin(view_, snapshot.characters.size());
  int first_joints = kFirstJoints;
  CharacterNow now;
  for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
    const world::CharacterSnapshot& character = snapshot.characters[i];
    CharacterTrack& track = tracks_.characters()[i];
    const Sighting sighting = tiers_.sight(character.root.position);
    const bool is_chosen = std::find(chosen.begin(), chosen.end(), character.id) != chosen.end();
    now.tier = is_chosen ? Tier::kNear : tiers_.of(sighting, track.tier);
    now.exponent = is_chosen ? 0 : tiers_.exponent(sighting, track.exponent);
    const bool tell = is_due(crowd, i, now, sighting.pixel);
    const auto tier = std::size_t(now.tier);
    ++counts_.characters[tier];
    const std::size_t before = counted_bytes(coder);
    const bool told = code.told(track, tell);
    counts_.told[tier] += told;
    if (told) {
      const bool first = track.joint_times.told == 0;
      now.joints = has_joints(now.tier) || (!key && first && first_joints-- > 0);
      fill(crowd, i, now);
      code.character(track, now);
    }
    counts_.bytes[tier] += counted_bytes(coder) - before;
  }
  code.check();
  coder.finish(begin);
  return coded_;
}

std::size_t CodedFrameEncoder::counted_bytes(RangeEncoder& coder) const {
  if (!counts_bytes_) return 0;
  coder.drain();
  return coded_.size();
}

void CodedFrameEncoder::begin(const world::Snapshot& snapshot) {
  if (roster_ && roster_->epoch != snapshot.roster->epoch) key_ = true;
  counts_ = {};
  if (key_) {
    models_ = {};
    tracks_.clear();
  } else if (roster_ == snapshot.roster) {
    return;
  }
  roster_ = snapshot.roster;
  members_.clear();
  for (const world::RosterEntry& entry : roster_->entries) {
    members_.push_back({entry.id, entry.coordinates});
  }
  tracks_.follow(members_);
}

bool CodedFrameEncoder::is_due(const CrowdNow& crowd, std::size_t index, const CharacterNow& now,
                               double pixel) {
  const world::Snapshot& snapshot = crowd.snapshot();
  const world::CharacterSnapshot& character = snapshot.characters[index];
  CharacterTrack& track = tracks_.characters()[index];
  if (now.tier == Tier::kNear || track.root_times.told == 0) return true;
  if ((frames_ + character.id) % kTurns[std::size_t(now.tier)] != 0) return false;
  const bool joints = has_joints(now.tier);
  if (joints && (!has_joints(track.tier) || track.joint_times.told == 0)) return true;
  if (now.tier < track.tier || now.exponent < track.exponent) return true;
  const std::uint32_t changed = character.flags ^ track.flags;
  if (joints ? changed != 0 : (changed & ~kStepFlags) != 0) return true;
  if (character.presence != track.presence) return true;
  if (joints && character.limb_contacts != track.limb_contacts) return true;
  const bool seen = now.tier != Tier::kUnseen;
  const double most_off = seen ? kMostOff * pixel : kMostOffUnseen;
  const double most_turned = seen ? kMostTurned * pixel : 2 * kMostOffUnseen;
  const Ahead ahead(track.root_times, snapshot.tick, kRootAhead);
  const RootNow root = crowd.root(index);
  if (greatest(root.position, track.expected_position(ahead)) * kPositionUnit > most_off)
    return true;
  if (turned(root.rotation, track.expected_rotation(ahead)) * kRotationMoves > most_turned)
    return true;
  if (joints) return are_joints_off(snapshot, index, most_off);
  const int off = std::abs(root.phase - track.expected_phase(ahead));
  return seen && std::min(off, kPhasesOfStride - off) * kPhaseMoves > most_turned;
}

bool CodedFrameEncoder::are_joints_off(const world::Snapshot& snapshot, std::size_t index,
                                       double most) {
  const CharacterTrack& track = tracks_.characters()[index];
  const float* coordinates =
      snapshot.coordinates.data() + snapshot.characters[index].first_coordinate;
  const Ahead ahead(track.joint_times, snapshot.tick, kJointsAhead);
  const auto& lengths = lengths_of(*roster_, roster_->entries[index].body);
  const auto channels = tracks_.joints_of(track);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const bool length = i < lengths.size() && lengths[i];
    const double told = channels[i].expected(ahead) * (length ? kPositionUnit : kAngleUnit);
    const double moves = length ? 1 : kJointMoves / kAngleUnit;
    if (std::abs(coordinates[i] - told) * moves > most) return true;
  }
  return false;
}

void CodedFrameEncoder::fill(const CrowdNow& crowd, std::size_t index, CharacterNow& now) {
  const world::CharacterSnapshot& character = crowd.snapshot().characters[index];
  const RootNow root = crowd.root(index);
  now.position = root.position;
  now.rotation = root.rotation;
  now.flags = character.flags;
  now.limb_contacts =
      now.joints ? character.limb_contacts : tracks_.characters()[index].limb_contacts;
  now.presence = character.presence;
  now.phase = root.phase;
  if (now.joints) now.joint = crowd.joints(index, joints_);
}

}  // namespace promenade::stream
