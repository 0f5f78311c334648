#pragma once

#include "behaviour/tasks/kinds/skill.h"
#include "behaviour/tasks/parts/grasp.h"
#include "behaviour/tasks/parts/hauling.h"

namespace promenade::behaviour::tasks {

enum class MoveStage : std::uint8_t {
  kBegins,
  kComes,
  kTakesHold,
  kDrives,
  kComesToRest,
  kStands  // with free hands
};

/// Pushes or pulls a thing along the ground.
/// Source: Coros2010 §5.4, "Pulling and pushing a crate"
class Move final : public StagedSkill<MoveStage, 6> {
 public:
  control::Goal update(const Now& now, const Task& task, Work& work) override;
  bool uses_hands(const Walk& walk) const override { return comes_near(walk); }
  bool takes_hold() const override { return phase() != Phase::kBegins; }
  void visit(StateVisitor& state) override;

 private:
  /// What follows from the thing as it is now.
  struct Course {
    double strain = 0;   // weights of who moves it, of drag
    double pull_up = 0;  // s, in which the force comes
    double yaw = 0;      // rad, of the thing
    double far = 0;      // m, to its goal
    double way = 0;      // rad, in which who moves it would go there
    double turn = 0;     // rad, by which it is to be turned
    Motion wanted;
  };
  void begin(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  bool choose_hold(const Now& now, const ThingSeen& thing, const Task& task, Stand* stand);
  void set_grips(const Now& now, const ThingSeen& thing, const std::array<Vec2, 2>& hold,
                 double half_height, bool pulls);
  control::Goal come(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  control::Goal take_hold(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  control::Goal drive(const Now& now, const Task& task, const ThingSeen& thing, Work& work);
  Course course_of(const Now& now, const Task& task, const ThingSeen& thing) const;
  void turn_way(const Now& now, const Course& course, Stand& stand) const;
  control::Goal keep_up(const Now& now, const Task& task, const ThingSeen& thing,
                        const Course& course, const Work& work) const;
  void exert(const Now& now, const Task& task, const ThingSeen& thing, const Course& course,
             Work& work);
  void note_progress(const Now& now, const Task& task, const Course& course, const Work& work);
  control::HandGoal hold_on(const Now& now, const Task& task, const ThingSeen& thing,
                            std::size_t side, double share, const Work& work);
  control::Goal come_to_rest(const Now& now, const Task& task, const ThingSeen& thing, Work& work);

  Grasp grasp_;
  HaulForces forces_;
  std::array<Vec3, 2> before_chest_{Vec3::Zero(), Vec3::Zero()};  // m, of the palms that push
  std::array<Vec3, 2> exerts_{Vec3::Zero(), Vec3::Zero()};        // N, of the hands, world
  double reach_ = 0;   // m, from who moves it to its middle
  double yaw_ = 0;     // rad, of the way towards the side that is held, against the thing
  double least_ = 0;   // m, that it has been from its goal
  double stuck_ = 0;   // s, since it came no nearer
  double missed_ = 0;  // m, by which it is beside its goal
};

}  // namespace promenade::behaviour::tasks
