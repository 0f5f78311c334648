#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "stream/coded/crowd_tracks.h"
#include "stream/coded/number_code.h"

// The symbols of a coded frame, written once for encoder and decoder; docs/protocol.md, "Coded
// frames", specifies them.
namespace promenade::stream {

inline constexpr std::uint8_t kCodedKey = 1;  // of the first byte: needs no earlier frame

/// A character as it is now, in the units of a Frame.
struct CharacterNow {
  Tier tier = Tier::kNear;
  std::uint8_t exponent = 0;  // of the quanta
  bool joints = true;         // whether they are told
  std::uint8_t omitted = 3;   // of the rotation
  const RootLanes* root = nullptr;
  std::uint32_t flags = 0, limb_contacts = 0, presence = 0;
  const std::int32_t* joint = nullptr;  // [lanes_of(dof)] where `joints`
};

/// How likely it is that somebody is told of, by tier and by the frames since; learnt alike on both
/// ends.
class ToldModel {
 public:
  static constexpr std::size_t kAges = 16;
  Alphabet alphabet(Tier tier, std::uint32_t age) const {
    return told_at(of_[std::size_t(tier)][std::min<std::size_t>(age, kAges - 1)].level);
  }
  void count(Tier tier, std::uint32_t age, bool told) {
    Kind& kind = of_[std::size_t(tier)][std::min<std::size_t>(age, kAges - 1)];
    ++kind.now;
    kind.now_told += told;
  }
  /// After a frame. Law: both counts lose 1/8 of what they have.
  void learn() {
    for (auto& tier : of_) {
      for (Kind& kind : tier) {
        if (kind.now == 0) continue;
        kind.all += 16 * kind.now - kind.all / 8;
        kind.told += 16 * kind.now_told - kind.told / 8;
        kind.level = static_cast<std::uint8_t>(told_level(
            static_cast<std::uint32_t>(std::uint64_t{kind.told} * kCertain / kind.all)));
        kind.now = kind.now_told = 0;
      }
    }
  }

 private:
  struct Kind {
    std::uint32_t all = 32, told = 16;  // sixteenths, of earlier frames
    std::uint32_t now = 0, now_told = 0;
    std::uint8_t level = kToldLevels / 2;
  };
  std::array<std::array<Kind, kAges>, kTiers> of_{};
};

/// Codes one frame of a crowd, or reads it back.
template <typename Coder>
class CrowdCode {
 public:
  /// @param quanta  whose memory is used
  CrowdCode(Coder& coder, ToldModel& told, CrowdTracks& tracks, std::uint64_t tick,
            std::vector<std::int32_t>& memory)
      : coder_(coder),
        told_(told),
        tracks_(tracks),
        tick_(tick),
        memory_(memory),
        sum_(static_cast<std::uint32_t>(tick) + 0x9e3779b9u) {}

  /// Whether anything is told of a character in this frame; of those that nothing is known of,
  /// always.
  bool told(CharacterTrack& track, bool tell) {
    bool is = true;
    if (track.root_times.told != 0) {
      is = coder_.symbol(told_.alphabet(track.tier, track.age), tell) != 0;
      told_.count(track.tier, track.age, is);
    }
    track.age = is ? 0 : track.age + 1;
    return is;
  }

  /// All that is told of a character. @param now  is not looked at by a decoder
  void character(CharacterTrack& track, const CharacterNow& now) {
    const bool joints = changes(track, now);
    root(track, now);
    if (joints) tell_joints(track, now);
  }

  /// The two ends have the same: 16 bits that depend on the tick and on every number that was told.
  /// @return whether they do
  bool check() {
    told_.learn();
    const std::uint32_t sum = (sum_ ^ sum_ >> 16) & 0xffff;
    return code_bits(coder_, 16, sum) == sum;
  }

 private:
  static constexpr std::int32_t kJump = 1000;  // position units from where it was expected
  static constexpr std::uint32_t kLowFlags = 7;
  enum Changed : std::uint8_t {  // bits of what follows Change::kMany
    kTier = 1, kExponent = 2, kJoints = 4, kOmitted = 8, kFlags = 16, kLimbs = 32, kPresence = 64,
  };

  // @return whether joints are told
  bool changes(CharacterTrack& track, const CharacterNow& now) {
    std::uint32_t changed = 0, flags = 0;
    if constexpr (Coder::kEncodes) {
      flags = now.flags ^ track.flags;
      changed = (now.tier != track.tier ? kTier : 0) | (now.exponent != track.exponent ? kExponent : 0) |
                (now.joints != has_joints(now.tier) ? kJoints : 0) |
                (now.omitted != track.omitted ? kOmitted : 0) |
                (flags > kLowFlags ? kFlags : 0) |
                (now.limb_contacts != track.limb_contacts ? kLimbs : 0) |
                (now.presence != track.presence ? kPresence : 0);
      if (changed != 0 && flags != 0) changed |= kFlags;
    }
    const std::uint32_t kind = coder_.symbol(kChanges, changed != 0 ? std::uint32_t(Change::kMany) : flags);
    if (kind == std::uint32_t(Change::kMany)) {
      changed = code_bits(coder_, 7, changed);
      some(track, now, changed, flags);
    } else {
      track.flags ^= kind;
    }
    sum(track.flags);
    sum(track.limb_contacts);
    sum(track.presence << 8 | std::uint32_t(track.tier));
    return has_joints(track.tier) != ((changed & kJoints) != 0);
  }

  void some(CharacterTrack& track, const CharacterNow& now, std::uint32_t changed, std::uint32_t flags) {
    if (changed & kTier) track.tier = static_cast<Tier>(code_bits(coder_, 2, std::uint32_t(now.tier)));
    if (changed & kExponent) {
      const int before = track.exponent;
      track.exponent = static_cast<std::uint8_t>(code_bits(coder_, 3, now.exponent));
      tracks_.rescale(track, track.exponent - before);
    }
    if (changed & kOmitted) tracks_.omit(track, code_bits(coder_, 2, now.omitted));
    if (changed & kFlags) track.flags ^= code_whole(coder_, flags);
    if (changed & kLimbs) track.limb_contacts ^= code_whole(coder_, now.limb_contacts ^ track.limb_contacts);
    if (changed & kPresence) track.presence = code_bits(coder_, 8, now.presence);
  }

  void root(CharacterTrack& track, const CharacterNow& now) {
    const bool first = track.root_times.told == 0;
    const Ahead ahead(track.root_times, tick_, kRootAhead);
    std::int32_t* const block = tracks_.root_of(track);
    RootLanes exponents, expected, quanta{};
    exponents.fill(track.exponent);
    exponents[kPhaseLane] = kPhaseExponent;
    kernels_.expect(block, kLanes, ahead, expected.data());
    const std::size_t omitted = kRotationLane + track.omitted;
    std::array<std::uint16_t, kLanes> symbols;
    if constexpr (Coder::kEncodes) {
      RootLanes wanted = *now.root;
      wanted[omitted] = expected[omitted];
      // The shorter way round.
      constexpr std::uint32_t kHalfway = kPhasesOfStride / 2, kMask = kPhasesOfStride - 1;
      const auto phase = static_cast<std::uint32_t>(expected[kPhaseLane]);
      const std::uint32_t off = static_cast<std::uint32_t>(wanted[kPhaseLane]) - phase;
      wanted[kPhaseLane] = static_cast<std::int32_t>(phase + ((off + kHalfway) & kMask) - kHalfway);
      kernels_.measure(block, kLanes, wanted.data(), expected.data(), exponents.data(), quanta.data(), symbols.data());
    }
    for (std::size_t i = 0; i < kLanes; ++i) {
      if (i == omitted) continue;
      if (first) {
        quanta[i] = from_zigzag(code_whole(coder_, zigzag_of(quanta[i])));
        continue;
      }
      const int size = size_class_of(block[kMean * kLanes + i]);
      std::uint32_t high = 0;
      if constexpr (Coder::kEncodes) high = symbols[i] % kNumberSymbols;
      high = coder_.symbol(numbers_of(size), high);
      quanta[i] = from_zigzag(code_rest(coder_, size, high, zigzag_of(quanta[i])));
    }
    kernels_.learn(block, kLanes, ahead, expected.data(), exponents.data(), quanta.data());
    tracks_.complete(track);
    if (first) CrowdTracks::begin_means(block, kLanes);
    bool jumped = false;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::int32_t told = block[kLast * kLanes + i];
      sum(static_cast<std::uint32_t>(told));
      if (i < kRotationLane) jumped |= std::abs(std::int64_t{told} - expected[i]) > kJump;
    }
    track.root_times.push(tick_);
    if (jumped) track.root_times.forget();
  }

  void tell_joints(CharacterTrack& track, const CharacterNow& now) {
    const bool first = track.joint_times.told == 0;
    const Ahead ahead(track.joint_times, tick_, kJointsAhead);
    std::int32_t* const block = tracks_.joints_of(track);
    const std::size_t lanes = lanes_of(track.dof);
    if (memory_.size() < 2 * lanes) memory_.resize(2 * lanes);
    std::int32_t* const expected = memory_.data();
    std::int32_t* const quanta = expected + lanes;
    RootLanes exponents;
    exponents.fill(track.exponent);
    kernels_.expect(block, lanes, ahead, expected);
    if (first) {
      const int size = Coder::kEncodes ? first_class(track, now) : 0;
      const auto coded = static_cast<int>(code_bits(coder_, 5, static_cast<std::uint32_t>(size)));
      CrowdTracks::begin_means(block, lanes, mean_of(std::min(coded, kSizeClasses - 1)));
    }
    if constexpr (Coder::kEncodes) {
      kernels_.measure(block, lanes, now.joint, expected, exponents.data(), quanta, coder_.room(lanes));
    } else {
      std::fill_n(quanta, lanes, 0);
    }
    code_quanta(coder_, block + kMean * lanes, std::span(quanta, track.dof));
    sum(kernels_.learn(block, lanes, ahead, expected, exponents.data(), quanta));
    if (first) CrowdTracks::begin_means(block, lanes);
    track.joint_times.push(tick_);
  }

  // Of all joints that are told for the first time.
  int first_class(const CharacterTrack& track, const CharacterNow& now) const {
    std::int64_t all = 0;
    for (std::size_t i = 0; i < track.dof; ++i) all += std::abs(std::int64_t{now.joint[i]});
    const std::int64_t mean = 16 * all / std::max<std::int64_t>(1, track.dof) >> track.exponent;
    return size_class_of(static_cast<std::int32_t>(std::clamp<std::int64_t>(mean, 1, 1 << 14)));
  }

  void sum(std::uint32_t value) { sum_ = sum_ * 31 + value; }

  Coder& coder_;
  ToldModel& told_;
  CrowdTracks& tracks_;
  const std::uint64_t tick_;
  std::vector<std::int32_t>& memory_;
  const ChannelKernels& kernels_ = channel_kernels();
  std::uint32_t sum_;
};

}  // namespace promenade::stream
