#pragma once

#include "behaviour/tasks/kinds/pick_up.h"
#include "behaviour/tasks/kinds/put_down.h"

namespace promenade::behaviour::tasks {

/// Picks a thing up, brings it to a place and puts it down there; what is lost on the way it picks
/// up again.
class Carry final : public Skill {
 public:
  control::Goal update(const Now& now, const Task& task, Work& work) override;
  void begin_again() override { present().begin_again(); }
  Phase phase() const override { return present().phase(); }
  bool uses_hands(const Walk& walk) const override { return present().uses_hands(walk); }
  bool takes_hold() const override { return phase() != Phase::kBegins; }
  bool places() const override { return placing_; }
  bool lose(const Now& now, Work& work) override;
  void visit(StateVisitor& state) override;

 private:
  Skill& present() { return placing_ ? static_cast<Skill&>(put_down_) : pick_up_; }
  const Skill& present() const {
    return placing_ ? static_cast<const Skill&>(put_down_) : pick_up_;
  }
  /// Begins with one of its two halves.
  void begin(bool placing, Work& work);

  bool placing_ = false;  // it is picked up
  int drops_ = 0;         // so many times it was lost on the way
  PickUp pick_up_;
  PutDown put_down_;
};

}  // namespace promenade::behaviour::tasks
