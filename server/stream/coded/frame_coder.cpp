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

std::int32_t phase_of(const world::CharacterSnapshot& character) {
  const double phase = character.report.phase;
  if (!std::isfinite(phase)) return 0;
  const bool left = character.flags & world::kFlagLeftStance;
  const double stride = (std::clamp(phase, 0.0, 1.0) + (left ? 0 : 1)) / 2;
  return static_cast<std::int32_t>(stride * kPhasesOfStride) & (kPhasesOfStride - 1);
}

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

std::array<std::int32_t, 3> position_of(const Vec3& position) {
  return {quantize(position.x(), kPositionUnit), quantize(position.y(), kPositionUnit),
          quantize(position.z(), kPositionUnit)};
}

}  // namespace

const std::string& CodedFrameEncoder::encode(const world::Snapshot& snapshot,
                                             std::span<const world::CharacterId> chosen) {
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
    const bool tell = is_due(snapshot, i, now, sighting.pixel);
    const auto tier = std::size_t(now.tier);
    ++counts_.characters[tier];
    const std::size_t before = coded_.size();
    const bool told = code.told(track, tell);
    counts_.told[tier] += told;
    if (told) {
      const bool first = track.joint_times.told == 0;
      now.joints = has_joints(now.tier) || (!key && first && first_joints-- > 0);
      fill(snapshot, i, now);
      code.character(track, now);
    }
    counts_.bytes[tier] += coded_.size() - before;
  }
  code.check();
  coder.finish(begin);
  return coded_;
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

bool CodedFrameEncoder::is_due(const world::Snapshot& snapshot, std::size_t index,
                               const CharacterNow& now, double pixel) {
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
  const auto position = position_of(character.root.position);
  if (greatest(position, track.expected_position(ahead)) * kPositionUnit > most_off) return true;
  const std::uint32_t rotation = pack_rotation(character.root.rotation);
  if (turned(rotation, track.expected_rotation(ahead)) * kRotationMoves > most_turned) return true;
  if (joints) return are_joints_off(snapshot, index, most_off);
  const int off = std::abs(phase_of(character) - track.expected_phase(ahead));
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

void CodedFrameEncoder::fill(const world::Snapshot& snapshot, std::size_t index,
                             CharacterNow& now) {
  const world::CharacterSnapshot& character = snapshot.characters[index];
  now.position = position_of(character.root.position);
  now.rotation = pack_rotation(character.root.rotation);
  now.flags = character.flags;
  now.limb_contacts =
      now.joints ? character.limb_contacts : tracks_.characters()[index].limb_contacts;
  now.presence = character.presence;
  now.phase = phase_of(character);
  if (!now.joints) return;
  const std::size_t count = tracks_.characters()[index].dof;
  joints_.resize(std::max(joints_.size(), count));
  const float* coordinates = snapshot.coordinates.data() + character.first_coordinate;
  const auto& lengths = lengths_of(*roster_, roster_->entries[index].body);
  for (std::size_t i = 0; i < count; ++i) {
    const bool length = i < lengths.size() && lengths[i];
    joints_[i] = quantize(coordinates[i], length ? kPositionUnit : kAngleUnit);
  }
  now.joint = std::span(joints_).first(count);
}

}  // namespace promenade::stream
