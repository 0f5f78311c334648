#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "promenade/v1/lobby.pb.h"
#include "promenade/v1/scene.pb.h"
#include "service/rooms/picture_figure.h"
#include "world/showing/snapshot.h"

namespace promenade::service {

/// The small picture of a room that the lobby shows: the newest moments of those near the middle of
/// its crowd. Not thread-safe.
class Picture {
 public:
  static constexpr std::size_t kMoments = 6;
  static constexpr std::size_t kMostCharacters = 40, kMostThings = 24;
  static constexpr int kMostBlocks = 24;
  /// Bytes: a picture is smaller, and bodies that do not fit into it are left out.
  static constexpr std::size_t kMaxBytes = 7500;

  /// @param tick_s  seconds of simulated time in a tick
  Picture(std::string room, double tick_s) : room_(std::move(room)), tick_s_(tick_s) {}

  /// Takes one more moment.
  /// @param scene  of the snapshot's roster; null: the ground is a plane
  void add(const world::Snapshot& snapshot, const v1::Scene* scene);
  std::uint64_t tick() const { return moments_.empty() ? 0 : moments_.back().tick(); }
  bool empty() const { return moments_.empty(); }
  /// A LobbyPictures with this one, encoded.
  std::string encode(bool asleep) const;

 private:
  struct Shown {
    std::size_t index = 0;  // in the snapshot
    bool thing = false;
    double distance = 0;  // m, from the middle
  };
  void choose(const world::Snapshot& snapshot, const v1::Scene* scene);
  void choose_blocks(const v1::Scene& scene, std::size_t& left);
  /// @param most  bytes that it may take
  /// @param left  less those that it takes
  /// @return whether it fits
  bool show(const world::Snapshot& snapshot, const Shown& one, std::size_t most, std::size_t& left);
  v1::LobbyMoment moment_of(const world::Snapshot& snapshot) const;

  const std::string room_;
  const double tick_s_;
  std::shared_ptr<const world::Roster> roster_;  // of the last choice; keeps the bodies alive
  std::uint64_t chosen_at_ = 0;                  // tick
  bool paused_ = false;
  Vec3 center_ = Vec3::Zero();
  v1::LobbyPicture head_;  // all but the moments
  std::vector<PictureFigure> figures_;
  std::map<std::pair<const Creature*, std::string>, std::uint32_t> figure_of_;
  std::deque<v1::LobbyMoment> moments_;
};

}  // namespace promenade::service
