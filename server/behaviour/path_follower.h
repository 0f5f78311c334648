#pragma once

#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/steering.h"

namespace promenade::behaviour {

/// Walks along way-points. An open path ends standing at its last point, facing the way it came;
/// a closed one goes round until told otherwise. Keeps clear of others on the way.
///
/// Aims at a point a little ahead on the path (pure pursuit, Coulter 1992), so that corners are cut
/// by a step and not overshot, and slows for sharp ones. A way-point is done when the walker is
/// near it or has passed the plane across it, so that it does not circle one out of its reach.
class PathFollower final : public Behaviour {
 public:
  static constexpr std::size_t kMostPoints = 256;

  struct Order {
    std::vector<Vec2> points;  // 1 to kMostPoints, world
    bool closed = false;
    double speed = 0;  // m/s; 0: Self::cruise_speed
    void visit(StateVisitor& state);
  };

  explicit PathFollower(Order order, const Start& start = {});

  control::Goal update(const Self& self, const Surroundings& around, double dt) override;
  void relocated(const Self& self) override;
  bool take_arrived() override;
  Vec2 wish() const override { return arrived_ ? Vec2(Vec2::Zero()) : steering_.wish(); }
  void append_path(std::vector<Vec2>& out) const override;
  void visit(StateVisitor& state) override;

  /// The velocity that the path alone asks for, m/s, world; zero once arrived. Advances along it.
  Vec2 preferred_velocity(const Self& self);
  bool arrived() const { return arrived_; }

 private:
  const Vec2& target() const { return order_.points[next_]; }
  bool is_last() const { return !order_.closed && next_ + 1 == order_.points.size(); }
  void advance(const Vec2& here);
  double corner_speed(double speed, double distance) const;

  Order order_;
  std::size_t next_ = 0;      // way-point headed for
  Vec2 from_ = Vec2::Zero();  // start of the leg that ends at it
  bool started_ = false;
  bool arrived_ = false, arrival_told_ = false;
  double final_heading_ = 0;
  bool turning_ = false;
  Steering steering_;
};

}  // namespace promenade::behaviour
