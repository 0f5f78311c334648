#pragma once

#include "behaviour/flow/person.h"
#include "behaviour/steering.h"

namespace promenade::behaviour::flow {

/// Walks as the flow of a crowd says (flow.h), which gives a new errand some 20 times a second.
class OnErrand final : public Behaviour {
 public:
  /// The errands come later.
  struct Order {
    void visit(StateVisitor&) {}
  };

  OnErrand(const Order&, const Start&) {}

  void give(const Errand& errand) { errand_ = errand; }

  control::Goal update(const Self& self, const Surroundings& around, double dt) override;
  void relocated(const Self& self) override;
  Vec2 wish() const override { return errand_.stand ? Vec2(Vec2::Zero()) : steering_.wish(); }
  void append_path(std::vector<Vec2>& out) const override;
  void visit(StateVisitor& state) override;

 private:
  Errand errand_;
  bool turning_ = false;
  Steering steering_;
};

}  // namespace promenade::behaviour::flow
