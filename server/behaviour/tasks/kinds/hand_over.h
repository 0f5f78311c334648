#pragma once

#include "behaviour/tasks/kinds/skill.h"
#include "behaviour/tasks/parts/leaving.h"

namespace promenade::behaviour::tasks {

enum class HandOverStage : std::uint8_t {
  kBegins,  // and waits until the taker can come to it
  kComes,
  kOffers,
  kReleases,  // the weight goes over to the taker
  kLeaves,    // the hands do
  kStepsBack
};

/// Hands what is carried over to somebody else, who takes it from the hands.
class HandOver final : public StagedSkill<HandOverStage, 6> {
 public:
  control::Goal update(const Now& now, const Task& task, Work& work) override;
  Handing handing() const override { return handing_; }
  bool lose(const Now& /*now*/, Work& work) override { return fail_with_empty_hands(work); }
  void visit(StateVisitor& state) override;

 private:
  bool begin(const Now& now, const Task& task, const SomebodySeen& taker, Work& work);
  control::Goal come(const Now& now, const Task& task, const SomebodySeen& taker, Work& work);
  void offer(const Now& now, const SomebodySeen& taker, Work& work);
  void release(const Now& now, const SomebodySeen& taker, Work& work, control::Goal* goal);
  control::Goal leave(const Now& now, Work& work);
  void come_again(Work& work);
  void place_before(const Now& now, const SomebodySeen& taker, Work& work);

  Handing handing_;
  Vec2 seen_ = Vec2::Zero();  // m, where the taker stood when the place before them was chosen
  LeavingHands leaving_;
};

}  // namespace promenade::behaviour::tasks
