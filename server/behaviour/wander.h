#pragma once

#include <optional>

#include "behaviour/behaviour.h"
#include "behaviour/steering.h"
#include "math/random.h"

namespace promenade::behaviour {

/// Strolls between random way-points in a disc, keeping clear of others and of things, and stops
/// now and then to look around.
class Wander final : public Behaviour {
 public:
  struct Order {
    std::optional<Vec2> center;  // of the disc, world; none: where it starts
    double radius = 8;           // m
    void visit(StateVisitor& state);
  };

  Wander(const Order& order, const Start& start);

  control::Goal update(const Self& self, const Surroundings& around, double dt) override;
  void relocated(const Self& self) override;
  Vec2 wish() const override { return rest_ > 0 ? Vec2(Vec2::Zero()) : steering_.wish(); }
  void append_path(std::vector<Vec2>& out) const override;
  void visit(StateVisitor& state) override;

 private:
  void choose_goal(const Self& self, const Surroundings& around);

  Vec2 center_;
  double radius_;
  Random random_;
  Vec2 goal_ = Vec2::Zero();
  bool has_goal_ = false;
  double patience_ = 0;  // s until another way-point is chosen, as this one may be out of reach
  double rest_ = 0;      // s still to stand
  double rest_heading_ = 0;
  bool turning_ = false;
  Steering steering_;
};

}  // namespace promenade::behaviour
