#pragma once

#include "behaviour/tasks/kinds/skill.h"
#include "behaviour/tasks/parts/grasp.h"

namespace promenade::behaviour::tasks {

enum class PickUpStage : std::uint8_t {
  kBegins,
  kComes,
  kWaitsBeside,  // the hands do, beside the thing, until the body is at rest
  kGrips,
  kTakesWeight,  // and draws it near
  kLifts,
  kStepsBack,  // from what it stood on
  kBringsDown  // before the chest, what was held over a shelf
};

/// Takes a thing between both hands and lifts it.
/// Source: Coros2010 §5.4, "Lifting and moving a crate"
class PickUp final : public StagedSkill<PickUpStage, 8> {
 public:
  control::Goal update(const Now& now, const Task& task, Work& work) override;
  bool uses_hands(const Walk& walk) const override { return comes_near(walk); }
  bool takes_hold() const override { return phase() != Phase::kBegins; }
  void visit(StateVisitor& state) override;

 private:
  control::Goal work_on(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  void begin(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  const char* why_not(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  bool choose_side(const Now& now, const ThingSeen& thing, Stand* stand);
  control::Goal come(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  control::Goal take_hold(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  control::Goal lift(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  void begin_drawing(const Now& now, const ThingSeen& thing, Work& work);
  void begin_lifting(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  void move_hands(const Now& now, const ThingSeen& thing, const Work& work, control::Goal* goal);
  control::Goal leave(const Now& now, const ThingSeen& thing, Work& work);

  Grasp grasp_;
  Vec2 seen_ = Vec2::Zero();  // m, where the thing stood when the place before it was chosen
  bool draws_ = false;        // kTakesWeight: it is drawn near
};

}  // namespace promenade::behaviour::tasks
