#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stream/coded/crowd_code.h"
#include "stream/coded/crowd_now.h"
#include "stream/coded/crowd_tracks.h"
#include "stream/coded/symbol_coder.h"
#include "stream/coded/view.h"
#include "world/showing/snapshot.h"

namespace promenade::stream {

/// How much a coded frame has told, by tiers: figures for measurements.
struct CodedCounts {
  std::array<std::size_t, kTiers> characters{};  // in the tier
  std::array<std::size_t, kTiers> told{};        // in this frame
  std::array<std::size_t, kTiers> bytes{};       // for them, where they are counted
};

/// Snapshots to coded frames for one viewer: differences from what was told to it before, of each
/// character as much as its camera can see. Every frame that is encoded must be sent, in this
/// order: encode when the connection can take it.
/// Docs: docs/protocol.md, "Coded frames"; docs/decisions/0030-coded-frames.md.
class CodedFrameEncoder {
 public:
  void look(const View& view) { view_ = view; }
  /// Passes the level on to Tiers::give_way().
  void give_way(int level) { tiers_.give_way(level); }
  /// The next frame needs no earlier one.
  void restart() { key_ = true; }
  /// Frame.coded of a snapshot. Allocates nothing once its buffers have grown.
  /// @param chosen  characters that are near wherever they are, such as those of Details
  const std::string& encode(const CrowdNow& crowd, std::span<const world::CharacterId> chosen);

  const CodedCounts& counts() const { return counts_; }
  /// From now on counts() has bytes, which makes encoding slower.
  void count_bytes() { counts_bytes_ = true; }
  /// Memory that is kept between frames.
  std::size_t bytes() const { return tracks_.bytes() + sizeof(*this) + coded_.capacity(); }

 private:
  void begin(const CrowdNow& crowd);
  /// Viewers whose frames are of the same snapshots ask after the same characters.
  void take_turn(std::uint64_t tick);
  bool has_turn(Tier tier, world::CharacterId id) const;
  /// Whether a character whose turn it is is not where it is expected, or something else is new.
  /// @param pixel  m that one covers there
  bool is_due(const CrowdNow& crowd, std::size_t index, const CharacterNow& now, double pixel);
  /// @param most  m that an arm or leg may be off
  bool are_joints_off(const CrowdNow& crowd, std::size_t index, double most);
  void fill(const CrowdNow& crowd, std::size_t index, CharacterNow& now);

  View view_;
  Tiers tiers_;
  bool key_ = true;
  std::shared_ptr<const world::Roster> roster_;  // of tracks_
  CrowdModels models_;
  CrowdTracks tracks_;
  SymbolEncoder coder_;
  std::uint32_t frames_ = 0;
  std::uint32_t turn_ = 0;
  std::uint64_t last_tick_ = 0;
  std::string coded_;
  std::vector<std::int32_t> joints_, memory_;  // of one character
  RootNow root_;                               // of one character
  CodedCounts counts_;
  bool counts_bytes_ = false;
};

}  // namespace promenade::stream
