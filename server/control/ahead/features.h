#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "math/state.h"
#include "math/types.h"

namespace promenade::control::ahead {

enum class FeatureKind {
  kRiser,  // a step up
  kDrop,   // a step down
  kBoard,  // what rises and falls again within a stride: one steps over it
  kBar,    // what hangs lower than a body is high
  kGap,    // where the ground falls away and comes back within a span, or is missing
  kWall,   // a rise that is too high to step up
};
inline constexpr int kFeatureKinds = 6;
/// Features of each kind, in their order above, that a list has room for.
inline constexpr std::array<int, kFeatureKinds> kFeatureCapacity{4, 4, 3, 4, 3, 1};

constexpr int capacity(FeatureKind kind) { return kFeatureCapacity[std::size_t(kind)]; }

/// Something that lies across a way. Distances along the way, heights in the world, m.
struct Feature {
  FeatureKind kind = FeatureKind::kRiser;
  double near = 0, far = 0;  // where it begins and ends; the same of a riser, a drop and a wall
  /// The higher and the lower of its two levels:
  ///   riser, wall  the ground behind and before it
  ///   drop         the ground before and behind it
  ///   board        its highest point, and the ground before it
  ///   bar          its underside, where that is lowest, and the ground below it
  ///   gap          the ground before it, and its floor
  double top = 0, base = 0;

  double height() const { return top - base; }
  double middle() const { return 0.5 * (near + far); }
  /// Whether a distance along the way is on it, or no further off than `margin`.
  bool holds(double along, double margin) const {
    return along > near - margin && along < far + margin;
  }
};

/// What lies on a straight way. It has room for some of each kind, allocates nothing, and is a part
/// of the state of whoever keeps it.
class Features {
 public:
  static constexpr int kMost = std::accumulate(kFeatureCapacity.begin(), kFeatureCapacity.end(), 0);

  /// Features of one kind, the nearest first. Valid as long as the list is not changed.
  class OfKind {
   public:
    OfKind(const Feature* first, int count) : first_(first), count_(count) {}
    int size() const { return count_; }
    const Feature& operator[](int index) const { return first_[index]; }
    const Feature* begin() const { return first_; }
    const Feature* end() const { return first_ + count_; }
    /// Whether the one before or the one behind begins within a distance of it, m.
    bool has_neighbour(int index, double within) const {
      const auto near = [&](int other) {
        return other >= 0 && other < count_ &&
               std::abs(first_[other].near - first_[index].near) < within;
      };
      return near(index - 1) || near(index + 1);
    }

   private:
    const Feature* first_;
    int count_;
  };

  /// The way's direction, world, unit length. Distances along it are direction().dot(point).
  const Vec2& direction() const { return direction_; }
  double along(const Vec2& at) const { return direction_.dot(at); }
  double along(const Vec3& at) const { return direction_.dot(at.head<2>()); }

  int count(FeatureKind kind) const { return count_[std::size_t(kind)]; }
  bool is_full(FeatureKind kind) const { return count(kind) == capacity(kind); }
  OfKind of(FeatureKind kind) const { return {&list_[first_of(kind)], count(kind)}; }
  int size() const { return std::accumulate(count_.begin(), count_.end(), 0); }
  /// The feature that has `index` others before it, of all kinds.
  /// @pre 0 <= index < size()
  const Feature& operator[](int index) const;

  void clear() { count_.fill(0); }
  /// Clears the list for another way.
  void begin(const Vec2& direction) {
    clear();
    direction_ = direction;
  }
  /// Puts a feature in its place by `near`; where there is no room for its kind it is left out.
  void add(const Feature& feature);
  /// Makes the last board longer by one that is too close behind it for a foot between.
  /// @pre there is a board
  void extend_board(double far, double top);

  void visit(StateVisitor& state);

 private:
  /// Where the features of each kind begin in `list_`.
  static constexpr std::array<std::size_t, kFeatureKinds> kFirst = [] {
    std::array<std::size_t, kFeatureKinds> first{};
    for (std::size_t k = 1; k < first.size(); ++k)
      first[k] = first[k - 1] + std::size_t(kFeatureCapacity[k - 1]);
    return first;
  }();
  static constexpr std::size_t first_of(FeatureKind kind) { return kFirst[std::size_t(kind)]; }

  std::array<Feature, kMost> list_{};       // kind by kind, with the room of each
  std::array<int, kFeatureKinds> count_{};  // of each kind
  Vec2 direction_ = Vec2::UnitX();
};

}  // namespace promenade::control::ahead
