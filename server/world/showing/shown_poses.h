#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/rotation.h"
#include "math/types.h"

namespace promenade::world {

/// How the light characters of a room were posed last, for snapshots in which nobody looks at their
/// joints: see Onlookers.
class ShownPoses {
 public:
  /// A character is posed anyway in one of so many snapshots.
  static constexpr std::uint64_t kTurns = 8;

  /// To be called before a snapshot. @param roster  its version: with another one nothing is known
  void begin(std::uint64_t roster, std::size_t characters, std::size_t coordinates) {
    ++snapshots_;
    if (roster == roster_ && characters == roots_.size() && coordinates == coordinates_.size())
      return;
    roster_ = roster;
    roots_.assign(characters, Root{});
    coordinates_.assign(coordinates, 0);
  }
  bool known(std::size_t index) const { return roots_[index].known; }
  bool has_turn(std::size_t index) const { return (snapshots_ + index) % kTurns == 0; }
  /// It is no longer as it was, as the physics has moved it.
  void forget(std::size_t index) { roots_[index].known = false; }
  /// @param limb_contacts  as CharacterSnapshot's
  void keep(std::size_t index, const Pose& root, const Vec3& mass, double heading,
            std::uint32_t limb_contacts, std::span<const float> coordinates, std::size_t first) {
    const Quat back = rotation_z(-heading);
    roots_[index] = {back * (root.position - mass), back * root.rotation, limb_contacts, true};
    std::copy(coordinates.begin(), coordinates.end(), coordinates_.begin() + std::ptrdiff_t(first));
  }
  /// The root's pose where the joints have not moved since. @param mass  m, world
  Pose root(std::size_t index, const Vec3& mass, double heading) const {
    const Quat turn = rotation_z(heading);
    return {mass + turn * roots_[index].from_mass, turn * roots_[index].turn};
  }
  std::uint32_t limb_contacts(std::size_t index) const { return roots_[index].limb_contacts; }
  std::span<const float> coordinates(std::size_t first, std::size_t count) const {
    return std::span(coordinates_).subspan(first, count);
  }

 private:
  struct Root {
    Vec3 from_mass = Vec3::Zero();  // m, in the frame of the heading
    Quat turn = Quat::Identity();   // in the frame of the heading
    std::uint32_t limb_contacts = 0;
    bool known = false;
  };
  std::uint64_t roster_ = 0, snapshots_ = 0;
  std::vector<Root> roots_;
  std::vector<float> coordinates_;  // as Snapshot::coordinates
};

}  // namespace promenade::world
