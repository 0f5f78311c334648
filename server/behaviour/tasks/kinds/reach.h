#pragma once

#include "behaviour/tasks/kinds/skill.h"
#include "behaviour/tasks/parts/reach_points.h"

namespace promenade::behaviour::tasks {

enum class ReachStage : std::uint8_t { kBegins, kComes, kReaches, kHolds };

/// Brings a palm, or both, to a point of the world or of a thing, and keeps it there, or grips.
/// Source: Coros2010 §5.4, "Reaching"
class Reach final : public StagedSkill<ReachStage, 4> {
 public:
  control::Goal update(const Now& now, const Task& task, Work& work) override;
  bool uses_hands(const Walk& walk) const override { return comes_near(walk); }
  void visit(StateVisitor& state) override;

 private:
  /// How the hands are, of the one that misses by more.
  struct Hands {
    double missing = 0;  // m
    bool arrived = true, holds = false;
  };
  bool begin(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  const char* why_not(const Now& now, const Task& task, const Vec3& at, const Work& work) const;
  ReachTarget look(const Now& now, const Task& task, const ThingSeen& thing);
  void choose_stand(const Now& now, const ReachTarget& to, Work& work) const;
  void face(const Now& now, const ReachTarget& to, double distance, Work& work) const;
  control::Goal come(const Now& now, const Task& task, const ThingSeen& thing,
                     const ReachTarget& to, Work& work);
  control::Goal follow(const Now& now, const ReachTarget& to, const Stand& stand) const;
  Hands move_hands(const Now& now, const Task& task, const ReachTarget& to, control::Goal* goal);
  void settle(const Now& now, const Task& task, const ThingSeen& thing, const ReachTarget& to,
              const Hands& hands, Work& work);
  void hold(const Now& now, const Task& task, double missing, Work& work);

  ReachPoints points_;
  std::array<HandPath, 2> path_;
  Vec2 drift_ = Vec2::Zero();  // m/s, of what is reached for, without the swing of single steps
  double followed_ = 0;        // s, that it has gone after what moves, in all tries
  double settled_ = 0;         // s, that a palm has been at its point
  double missed_ = 0;          // m, by which that is beside it
};

}  // namespace promenade::behaviour::tasks
