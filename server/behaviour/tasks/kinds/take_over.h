#pragma once

#include "behaviour/tasks/kinds/skill.h"
#include "behaviour/tasks/parts/grasp.h"

namespace promenade::behaviour::tasks {

enum class TakeOverStage : std::uint8_t {
  kWaits,        // for the giver
  kWaitsBeside,  // the hands do, beside the thing, until the body is at rest
  kGrips,
  kTakesWeight,
  kDrawsNear  // it is in these hands alone
};

/// Takes over what somebody else holds out, from their hands.
class TakeOver final : public StagedSkill<TakeOverStage, 5> {
 public:
  control::Goal update(const Now& now, const Task& task, Work& work) override;
  bool uses_hands(const Walk& walk) const override {
    (void)walk;
    return stage() != TakeOverStage::kWaits;
  }
  Handing handing() const override { return handing_; }
  bool lose(const Now& /*now*/, Work& work) override { return fail_with_empty_hands(work); }
  void visit(StateVisitor& state) override;

 private:
  /// What is seen of the giver, and of the thing.
  struct Offer {
    ThingSeen thing;
    bool in_their_hands = false;
    bool offered = false;  // the giver stands there and holds it out
    bool holds = false;    // both of the own hands have it
  };
  control::Goal wait(const Now& now, const Task& task, Work& work);
  void give_up_waiting(const Now& now, Work& work);
  void set_about(const Now& now, const ThingSeen& thing, double heading, Work& work);
  void choose_grips(const Now& now, const ThingSeen& thing, double heading);
  Offer look(const Now& now, const ThingSeen& thing) const;
  control::Goal take(const Now& now, const Offer& offer, Work& work);
  void bring_hands(const Now& now, const Offer& offer, Work& work, control::Goal* goal);
  void take_weight(const Now& now, const Offer& offer, Work& work, control::Goal* goal);
  void keep(const Now& now, const ThingSeen& thing, Work& work);
  control::Goal draw(const Now& now, Work& work);

  Handing handing_;
  Grasp grasp_;
  std::array<Vec3, 2> held_{Vec3::Zero(), Vec3::Zero()};  // where the palms have it, its frame
};

}  // namespace promenade::behaviour::tasks
