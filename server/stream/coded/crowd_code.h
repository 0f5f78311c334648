#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>
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

/// Things that both ends of a connection have learnt alike: how likely it is that somebody is told
/// of, by tier and by the frames since; which limb contacts change with which flags; and what a
/// character is like when it is told of for the first time.
class CrowdModels {
 public:
  std::array<std::uint32_t, kLowFlags + 1> limbs{};  // by the three lowest flags
  std::array<std::int32_t, kLanes> first_widths{};

  /// A character told of for the first time is taken to be like the one before it that was.
  void begin(CharacterTrack& track) const {
    track.tier = last_.tier;
    track.exponent = last_.exponent;
    track.omitted = last_.omitted;
    track.flags = last_.flags;
    track.limb_contacts = last_.limb_contacts;
    track.presence = last_.presence;
  }
  void began(const CharacterTrack& track) { last_ = track; }

  template <typename Coder>
  bool told(Coder& coder, Tier tier, std::uint32_t age, bool tell) {
    Kind& kind = of_[std::size_t(tier) * kAges + std::min(age, kAges - 1)];
    const std::uint32_t told = coder.symbol(told_at(kind.level), tell);
    ++kind.now;
    kind.now_told += told;
    return told != 0;
  }
  /// To be called after a frame. Law: both counts lose 1/8 of what they have.
  void learn() {
    for (Kind& kind : of_) {
      if (kind.now == 0) continue;
      kind.all += 16 * kind.now - kind.all / 8;
      kind.told += 16 * kind.now_told - kind.told / 8;
      const std::uint64_t likely = std::uint64_t{kind.told} * kCertain / kind.all;
      kind.level = told_level(static_cast<std::uint32_t>(likely));
      kind.now = kind.now_told = 0;
    }
  }

 private:
  static constexpr std::uint32_t kAges = 16;
  struct Kind {
    std::uint32_t all = 32, told = 16;  // sixteenths, of earlier frames
    std::uint32_t now = 0, now_told = 0;
    int level = kToldLevels / 2;
  };
  std::array<Kind, kAges * kTiers> of_{};
  CharacterTrack last_;
};

/// Codes one frame of a crowd, or reads it back.
template <typename Coder>
class CrowdCode {
 public:
  /// @param memory  for the numbers of a character
  CrowdCode(Coder& coder, CrowdModels& models, CrowdTracks& tracks, std::uint64_t tick,
            std::vector<std::int32_t>& memory)
      : coder_(coder),
        models_(models),
        tracks_(tracks),
        tick_(tick),
        memory_(memory),
        sum_(static_cast<std::uint32_t>(tick) + 0x9e3779b9u) {}

  /// Whether anything is told of a character in this frame; of those that nothing is known of,
  /// always.
  bool told(CharacterTrack& track, bool tell) {
    bool is = true;
    if (track.root_times.told != 0) {
      is = models_.told(coder_, track.tier, track.age, tell);
    }
    track.age = is ? 0 : track.age + 1;
    return is;
  }

  /// All that is told of a character. @param now  is not looked at by a decoder
  void character(CharacterTrack& track, const CharacterNow& now) {
    const bool first = track.root_times.told == 0;
    if (first) models_.begin(track);
    const bool joints = changes(track, now);
    if (first) models_.began(track);
    root(track, now);
    if (joints) tell_joints(track, now);
  }

  /// The two ends have the same: 16 bits that depend on the tick and on every number that was told.
  /// @return whether they do
  bool check() {
    models_.learn();
    const std::uint32_t sum = (sum_ ^ sum_ >> 16) & 0xffff;
    return coder_.plain(16, sum) == sum;
  }

 private:
  static constexpr std::int32_t kJump = 1000;  // position units from where it was expected
  // Bits of the number that follows kManyChanges.
  static constexpr std::uint32_t kTier = 1, kExponent = 2, kJoints = 4, kOmitted = 8, kFlags = 16,
                                 kLimbs = 32, kPresence = 64;
  static constexpr int kChangedBits = 7;

  // @return whether joints are told
  bool changes(CharacterTrack& track, const CharacterNow& now) {
    std::uint32_t changed = 0, kind = 0;
    if constexpr (Coder::kEncodes) {
      changed = what_changed(track, now);
      const std::uint32_t flags = now.flags ^ track.flags;
      const std::uint32_t limbs = now.limb_contacts ^ track.limb_contacts;
      if ((changed & ~(kFlags | kLimbs)) != 0 || flags > kLowFlags) {
        kind = kManyChanges;
      } else if (limbs == 0) {
        kind = flags;
      } else {
        kind = kManyChanges + (limbs == models_.limbs[flags] ? flags : 0);
      }
    }
    kind = coder_.symbol(kChanges, kind);
    if (kind == kManyChanges) {
      changed = coder_.plain(kChangedBits, changed);
      many(track, now, changed);
    } else {
      track.flags ^= kind & kLowFlags;
      if (kind > kManyChanges) track.limb_contacts ^= models_.limbs[kind & kLowFlags];
      changed = 0;
    }
    sum(track.flags);
    sum(track.limb_contacts);
    sum(track.presence << 8 | std::uint32_t(track.tier));
    return has_joints(track.tier) != ((changed & kJoints) != 0);
  }

  static std::uint32_t what_changed(const CharacterTrack& track, const CharacterNow& now) {
    return (now.tier != track.tier ? kTier : 0u) |
           (now.exponent != track.exponent ? kExponent : 0u) |
           (now.joints != has_joints(now.tier) ? kJoints : 0u) |
           (now.omitted != track.omitted ? kOmitted : 0u) |
           (now.flags != track.flags ? kFlags : 0u) |
           (now.limb_contacts != track.limb_contacts ? kLimbs : 0u) |
           (now.presence != track.presence ? kPresence : 0u);
  }

  void many(CharacterTrack& track, const CharacterNow& now, std::uint32_t changed) {
    if (changed & kTier) track.tier = static_cast<Tier>(coder_.plain(2, std::uint32_t(now.tier)));
    if (changed & kExponent) {
      const int before = track.exponent;
      track.exponent = static_cast<std::uint8_t>(coder_.plain(3, now.exponent));
      tracks_.rescale(track, track.exponent - before);
    }
    if (changed & kOmitted) tracks_.omit(track, coder_.plain(2, now.omitted));
    std::uint32_t flags = 0;
    if (changed & kFlags) flags = code_whole(coder_, now.flags ^ track.flags);
    track.flags ^= flags;
    if (changed & kLimbs) {
      const std::uint32_t limbs = code_whole(coder_, now.limb_contacts ^ track.limb_contacts);
      track.limb_contacts ^= limbs;
      if (flags <= kLowFlags) models_.limbs[flags] = limbs;
    }
    if (changed & kPresence) track.presence = coder_.plain(8, now.presence);
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
    if constexpr (Coder::kEncodes) {
      RootLanes wanted = *now.root;
      wanted[omitted] = expected[omitted];
      // The phase is moved the shorter way round.
      constexpr std::uint32_t kHalfway = kPhasesOfStride / 2, kMask = kPhasesOfStride - 1;
      const auto phase = static_cast<std::uint32_t>(expected[kPhaseLane]);
      const std::uint32_t off = static_cast<std::uint32_t>(wanted[kPhaseLane]) - phase;
      wanted[kPhaseLane] = static_cast<std::int32_t>(phase + ((off + kHalfway) & kMask) - kHalfway);
      std::uint16_t* const symbols = coder_.room(kLanes);
      kernels_.measure(block, kLanes, wanted.data(), expected.data(), exponents.data(),
                       quanta.data(), symbols);
      std::copy(symbols + omitted + 1, symbols + kLanes, symbols + omitted);
      symbols[kLanes - 1] = 0;
    }
    if (first) {
      for (std::size_t i = 0; i < kLanes; ++i) {
        if (i != omitted) quanta[i] = code_first(coder_, models_.first_widths[i], quanta[i]);
      }
    } else {
      root_numbers(means_of(block, kLanes, kCoded), omitted, quanta);
    }
    sum(kernels_.learn(block, kLanes, ahead, expected.data(), exponents.data(), quanta.data()));
    tracks_.complete(track);
    if (first) CrowdTracks::begin_means(block, kLanes);
    bool jumped = false;
    for (std::size_t i = 0; i < kRotationLane; ++i) {
      jumped |= std::abs(std::int64_t{block[kLast * kLanes + i]} - expected[i]) > kJump;
    }
    track.root_times.push(tick_);
    if (jumped) track.root_times.forget();
  }

  // All but the part of the rotation that is left out.
  void root_numbers(const std::int16_t* means, std::size_t omitted, RootLanes& quanta) {
    std::array<std::int32_t, kLanes - 1> some;
    std::array<std::int16_t, kLanes - 1> some_means;
    const auto others = [omitted](std::size_t i) { return i + (i >= omitted); };
    for (std::size_t i = 0; i < some.size(); ++i) {
      some[i] = quanta[others(i)];
      some_means[i] = means[others(i)];
    }
    code_quanta(coder_, some_means.data(), some);
    if constexpr (!Coder::kEncodes) {
      for (std::size_t i = 0; i < some.size(); ++i) quanta[others(i)] = some[i];
    }
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
      const auto coded = static_cast<int>(coder_.plain(5, static_cast<std::uint32_t>(size)));
      CrowdTracks::begin_means(block, lanes, mean_of(std::min(coded, kSizeClasses - 1)));
    }
    if constexpr (Coder::kEncodes) {
      kernels_.measure(block, lanes, now.joint, expected, exponents.data(), quanta,
                       coder_.room(lanes));
    } else {
      std::fill_n(quanta, lanes, 0);
    }
    code_quanta(coder_, means_of(block, lanes, kCoded), std::span<std::int32_t>(quanta, track.dof));
    sum(kernels_.learn(block, lanes, ahead, expected, exponents.data(), quanta));
    if (first) CrowdTracks::begin_means(block, lanes);
    track.joint_times.push(tick_);
  }

  // The size class of all joints that are told for the first time.
  int first_class(const CharacterTrack& track, const CharacterNow& now) const {
    std::int64_t all = 0;
    for (std::size_t i = 0; i < track.dof; ++i) all += std::abs(std::int64_t{now.joint[i]});
    const std::int64_t mean = 16 * all / std::max<std::int64_t>(1, track.dof) >> track.exponent;
    return size_class_of(static_cast<std::int32_t>(std::clamp<std::int64_t>(mean, 1, 1 << 14)));
  }

  void sum(std::uint32_t value) { sum_ = sum_ * 31 + value; }

  Coder& coder_;
  CrowdModels& models_;
  CrowdTracks& tracks_;
  const std::uint64_t tick_;
  std::vector<std::int32_t>& memory_;
  const ChannelKernels& kernels_ = channel_kernels();
  std::uint32_t sum_;
};

}  // namespace promenade::stream
