#pragma once

#include <algorithm>

#include "behaviour/tasks/parts/work.h"
#include "behaviour/tasks/task.h"

namespace promenade::behaviour::tasks {

/// One task while it is done: a machine of stages, the same for every kind to whoever has it done.
/// It ends by telling the work how it ended.
class Skill {
 public:
  /// How far it is with a try.
  enum class Phase : std::uint8_t {
    kBegins,  // nothing is chosen yet
    kComes,   // to where it works
    kWorks,
  };

  virtual ~Skill() = default;
  virtual control::Goal update(const Now& now, const Task& task, Work& work) = 0;
  /// Begins again with its first stage.
  virtual void begin_again() = 0;
  virtual Phase phase() const = 0;
  /// Whether it has come near to what its hands are about to do.
  virtual bool uses_hands(const Walk& walk) const {
    (void)walk;
    return false;
  }
  /// Whether it takes hold of the task's thing, so that others keep off.
  virtual bool takes_hold() const { return false; }
  /// It has what it is to carry, and is about to bring it to its place.
  virtual bool places() const { return false; }
  /// How far it is with handing over or taking over.
  virtual Handing handing() const { return {}; }
  /// What was carried has gone from the hands.
  /// @return whether that matters: nothing else is done in this update
  virtual bool lose(const Now& now, Work& work) {
    (void)now;
    (void)work;
    return false;
  }
  virtual void visit(StateVisitor& state) = 0;
};

/// A skill with stages of its own.
/// @tparam StageOf  their enumeration, that begins with those of Phase::kBegins and Phase::kComes
/// @tparam kStages  how many they are
template <typename StageOf, std::size_t kStages>
class StagedSkill : public Skill {
 public:
  void begin_again() final { stage_ = StageOf{}; }
  Phase phase() const override {
    constexpr auto kWorks = static_cast<int>(Phase::kWorks);
    return static_cast<Phase>(std::min(static_cast<int>(stage_), kWorks));
  }
  void visit(StateVisitor& state) override { state.choice(stage_, kStages); }

 protected:
  StageOf stage() const { return stage_; }
  void enter(StageOf stage, Work& work) {
    stage_ = stage;
    work.attempt.clock = 0;
  }
  /// Begins another try with the first stage.
  void again(Work& work) {
    begin_again();
    work.begin_again();
  }
  /// As uses_hands() of what the hands do where it has come to.
  bool comes_near(const Walk& walk) const {
    return phase() == Phase::kWorks || (phase() == Phase::kComes && walk.near());
  }

 private:
  StageOf stage_{};
};

/// A task that needs what is carried has lost it.
inline bool fail_with_empty_hands(Work& work) {
  work.failed("it is no longer in the hands");
  return true;
}

}  // namespace promenade::behaviour::tasks
