#pragma once

#include "behaviour/tasks/kinds/skill.h"
#include "behaviour/tasks/parts/leaving.h"
#include "behaviour/tasks/parts/put_thing.h"

namespace promenade::behaviour::tasks {

enum class PutDownStage : std::uint8_t {
  kBegins,
  kComes,
  kHoldsOut,  // over its place
  kLowers,
  kLeaves,  // the hands do
  kStepsBack,
  kSeesItRest
};

/// Puts down what is carried, and sees that it stays there.
/// Source: Coros2010 §5.4, "Lifting and moving a crate"
class PutDown final : public StagedSkill<PutDownStage, 7> {
 public:
  control::Goal update(const Now& now, const Task& task, Work& work) override;
  bool uses_hands(const Walk& walk) const override { return comes_near(walk); }
  bool lose(const Now& /*now*/, Work& work) override { return fail_with_empty_hands(work); }
  void visit(StateVisitor& state) override;

 private:
  /// Where the thing is to be, turned as it is to stand, and what its place is like.
  struct Target {
    Quat turned;
    Vec3 box;      // m, half extents of the turned box, world
    double under;  // m, height of what is there
    double rests;  // m, height where its underside is to be
    Vec3 at;       // m, of its first link when it stands there
  };
  control::Goal leave(const Now& now, Work& work);
  control::Goal come(const Now& now, const Task& task, Work& work);
  control::Goal lower(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  const char* choose_place(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  bool choose_stand(const Now& now, const Task& task, const ThingSeen& thing, double below,
                    Work& work) const;
  const char* find_middle(const Now& now, const Task& task, double depth);
  bool support_moved(const Now& now, const Task& task) const;
  Target target_of(const Now& now, const Task& task, const ThingSeen& thing,
                   const Work& work) const;
  double move_hands(const Now& now, const Target& target, double height, const Work& work,
                    control::Goal* goal);
  double in_step(const Now& now, const std::array<Vec3, 2>& ends);
  void hold_out(const Now& now, const ThingSeen& thing, Work& work, const control::Goal& goal);

  Vec2 middle_ = Vec2::Zero();  // m, of its box when put down
  Vec3 shift_ = Vec3::Zero();   // m, by how much further the hands have to go
  std::array<HandPath, 2> path_;
  LeavingHands leaving_;
  PutThing put_;
};

}  // namespace promenade::behaviour::tasks
