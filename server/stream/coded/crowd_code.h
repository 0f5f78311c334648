#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "stream/coded/crowd_tracks.h"
#include "stream/coded/number_code.h"

// The bits of a coded frame, written once for encoder and decoder; docs/protocol.md, "Coded
// frames", specifies them.
namespace promenade::stream {

inline constexpr std::uint8_t kCodedKey = 1;  // of the first byte: needs no earlier frame

/// A character as it is now, in the units of a Frame.
struct CharacterNow {
  Tier tier = Tier::kNear;
  std::uint8_t exponent = 0;  // of the quanta
  bool joints = true;         // whether they are told
  std::array<std::int32_t, 3> position{};
  std::uint32_t rotation = 0;
  std::uint32_t flags = 0, limb_contacts = 0, presence = 0;
  std::int32_t phase = 0;                    // of kPhasesOfStride
  std::span<const std::int32_t> joint = {};  // [dof] where `joints`
};

/// The models of everything that is coded, learnt alike on both ends.
struct CrowdModels {
  static constexpr std::size_t kAges = 32;
  std::array<std::array<BitModel, kAges>, kTiers> told{};  // by frames since
  BitModel tier_changed, exponent_changed, omitted_changed, limbs_changed, presence_changed;
  std::array<BitModel, kTiers> joints{}, tier{};
  std::array<BitModel, 8> exponent{}, flag{}, presence{};
  std::array<BitModel, 4> omitted{}, flags_changed{};
  LengthModel more_flags, limbs, first_position, first_part, first_joint;
  NumberModel level, height, part, joint, phase;
};

/// Codes one frame of a crowd, or reads it back.
template <typename Coder>
class CrowdCode {
 public:
  CrowdCode(Coder& coder, CrowdModels& models, CrowdTracks& tracks, std::uint64_t tick)
      : coder_(coder),
        models_(models),
        tracks_(tracks),
        tick_(tick),
        sum_(static_cast<std::uint32_t>(tick) + 0x9e3779b9u) {}

  /// Whether anything is told of a character in this frame; of those that nothing is known of,
  /// always.
  bool told(CharacterTrack& track, bool tell) {
    const bool is = track.root_times.told == 0 ||
                    coder_.bit(models_.told[std::size_t(track.tier)][std::min<std::size_t>(
                                   track.age, CrowdModels::kAges - 1)],
                               tell);
    track.age = is ? 0 : track.age + 1;
    return is;
  }

  /// All that is told of a character. @param now  is not looked at by a decoder
  void character(CharacterTrack& track, const CharacterNow& now) {
    const bool first = track.root_times.told == 0;
    const bool joints = head(track, now);
    const Ahead ahead(track.root_times, tick_, kRootAhead);
    states(track, now);
    bool jumped = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      NumberModel& model = axis < 2 ? models_.level : models_.height;
      jumped |= number(track.position[axis], ahead, first, model, models_.first_position,
                       track.exponent, now.position[axis]);
    }
    rotation(track, ahead, first, now.rotation);
    phase(track, ahead, now.phase);
    track.root_times.push(tick_);
    if (jumped) track.root_times.forget();
    if (joints) tell_joints(track, now);
  }

  /// The two ends have the same: 16 bits that depend on the tick and on every number that was told.
  /// @return whether they do
  bool check() {
    const std::uint32_t sum = (sum_ ^ sum_ >> 16) & 0xffff;
    return coder_.plain(16, sum) == sum;
  }

 private:
  static constexpr std::int32_t kJump = 1000;  // position units from where it was expected

  bool head(CharacterTrack& track, const CharacterNow& now) {
    if (coder_.bit(models_.tier_changed, now.tier != track.tier)) {
      track.tier = static_cast<Tier>(tree<2>(models_.tier, std::uint32_t(now.tier)));
    }
    const int before = track.exponent;
    if (coder_.bit(models_.exponent_changed, now.exponent != before)) {
      track.exponent = static_cast<std::uint8_t>(tree<3>(models_.exponent, now.exponent));
      rescale(track, track.exponent - before);
    }
    return coder_.bit(models_.joints[std::size_t(track.tier)], now.joints);
  }

  void rescale(CharacterTrack& track, int change) {
    for (Channel& channel : track.position) channel.rescale(change);
    for (Channel& channel : track.rotation.channel) channel.rescale(change);
    for (Channel& channel : tracks_.joints_of(track)) channel.rescale(change);
  }

  void states(CharacterTrack& track, const CharacterNow& now) {
    const std::uint32_t feet = track.flags >> 1 & 3;
    if (coder_.bit(models_.flags_changed[feet], now.flags != track.flags)) {
      const std::uint32_t changed = now.flags ^ track.flags;
      std::uint32_t mask = 0;
      for (std::uint32_t i = 0; i < 8; ++i) {
        mask |= std::uint32_t{coder_.bit(models_.flag[i], changed >> i & 1)} << i;
      }
      track.flags ^= mask | models_.more_flags.code(coder_, changed >> 8) << 8;
    }
    if (coder_.bit(models_.limbs_changed, now.limb_contacts != track.limb_contacts)) {
      track.limb_contacts ^= models_.limbs.code(coder_, now.limb_contacts ^ track.limb_contacts);
    }
    if (coder_.bit(models_.presence_changed, now.presence != track.presence)) {
      std::uint32_t value = 0;
      for (std::uint32_t i = 8; i-- > 0;) {
        value |= std::uint32_t{coder_.bit(models_.presence[i], now.presence >> i & 1)} << i;
      }
      track.presence = value;
    }
    sum(static_cast<std::int32_t>(track.flags));
    sum(static_cast<std::int32_t>(track.limb_contacts));
    sum(static_cast<std::int32_t>(track.presence << 8 | std::uint32_t(track.tier)));
  }

  void rotation(CharacterTrack& track, const Ahead& ahead, bool first, std::uint32_t now) {
    RotationTrack& rotation = track.rotation;
    const std::uint32_t omitted = now >> 30;
    if (coder_.bit(models_.omitted_changed, omitted != rotation.omitted)) {
      rotation.omit(tree<2>(models_.omitted, omitted));
    }
    const auto parts = rotation_parts(now);
    std::size_t k = 0;
    for (const std::size_t i : rotation.others()) {
      number(rotation.channel[i], ahead, first, models_.part, models_.first_part, track.exponent,
             parts[k++], RotationTrack::kHalf);
    }
    rotation.complete();
  }

  void phase(CharacterTrack& track, const Ahead& ahead, std::int32_t now) {
    Channel& channel = track.phase;
    const Channel::Guess guess = channel.guess(ahead);
    const std::int32_t expected = guess.expected;
    // The shorter way round.
    constexpr std::uint32_t kHalfway = kPhasesOfStride / 2, kMask = kPhasesOfStride - 1;
    const std::uint32_t off =
        static_cast<std::uint32_t>(now) - static_cast<std::uint32_t>(expected);
    const auto nearest = static_cast<std::int32_t>(((off + kHalfway) & kMask) - kHalfway);
    const std::int32_t quanta =
        models_.phase.code(coder_, channel.scale, in_quanta(nearest, kPhaseExponent));
    channel.push(ahead, guess, from_quanta(expected, quanta, kPhaseExponent));
    sum(channel.value[0]);
  }

  void tell_joints(CharacterTrack& track, const CharacterNow& now) {
    const bool first = track.joint_times.told == 0;
    const Ahead ahead(track.joint_times, tick_, kJointsAhead);
    const auto channels = tracks_.joints_of(track);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      number(channels[i], ahead, first, models_.joint, models_.first_joint, track.exponent,
             Coder::kEncodes ? now.joint[i] : 0);
    }
    track.joint_times.push(tick_);
  }

  // @return whether it is far from where it was expected
  bool number(Channel& channel, const Ahead& ahead, bool first, NumberModel& model,
              LengthModel& first_model, int exponent, std::int32_t now, std::int32_t most = 0) {
    const Channel::Guess guess = channel.guess(ahead);
    const std::int32_t expected = guess.expected;
    const std::int32_t wanted = in_quanta(std::int64_t{now} - expected, exponent);
    const std::int32_t quanta = first ? from_zigzag(first_model.code(coder_, zigzag_of(wanted)))
                                      : model.code(coder_, channel.scale, wanted);
    std::int32_t told = from_quanta(expected, quanta, exponent);
    if (most > 0) told = std::clamp(told, -most, most);
    channel.push(ahead, guess, told);
    sum(told);
    return std::abs(std::int64_t{told} - expected) > kJump;
  }

  template <int kBits, typename Models>
  std::uint32_t tree(Models& models, std::uint32_t value) {
    std::uint32_t node = 1;
    for (int i = kBits - 1; i >= 0; --i) {
      node = node << 1 | std::uint32_t{coder_.bit(models[node], value >> i & 1)};
    }
    return node - (1u << kBits);
  }

  static std::int32_t in_quanta(std::int64_t value, int exponent) {
    const std::int64_t half = exponent > 0 ? std::int64_t{1} << (exponent - 1) : 0;
    return wrapped((value + half) >> exponent);
  }
  static std::int32_t from_quanta(std::int32_t expected, std::int32_t quanta, int exponent) {
    return wrapped(expected + std::int64_t{quanta} * (std::int64_t{1} << exponent));
  }
  static std::uint32_t zigzag_of(std::int32_t value) {
    return static_cast<std::uint32_t>(value) << 1 ^ static_cast<std::uint32_t>(value >> 31);
  }
  static std::int32_t from_zigzag(std::uint32_t value) {
    return static_cast<std::int32_t>(value >> 1 ^ (0 - (value & 1)));
  }
  void sum(std::int32_t value) { sum_ = sum_ * 31 + static_cast<std::uint32_t>(value); }

  Coder& coder_;
  CrowdModels& models_;
  CrowdTracks& tracks_;
  const std::uint64_t tick_;
  std::uint32_t sum_;
};

}  // namespace promenade::stream
