#pragma once

#include <optional>
#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/tasks/kinds/any_skill.h"
#include "behaviour/tasks/parts/waiting.h"
#include "behaviour/tasks/task_list.h"
#include "behaviour/tasks/workplace.h"

namespace promenade::behaviour::tasks {

/// Does one task after another: walks to things, reaches, grips, lifts, carries, pushes. Each skill
/// is the walk plus places for the hands, so that none depends on body or style.
/// Source: Coros2010 §5.4
class Worker final : public Behaviour {
 public:
  /// @pre at most kMostTasks
  explicit Worker(std::vector<Task> tasks = {}, bool repeat = false, double stagger = 0);

  void append(const std::vector<Task>& tasks);
  /// Replaces the list, of which `first` is begun; where that one is under way, it goes on. What is
  /// carried stays in the hands; what is pushed or pulled by another task is let go.
  /// @pre first <= tasks.size()
  void replace(std::vector<Task> tasks, bool repeat, std::size_t first = 0);

  /// Takes part in a list that several share: it does what it is given, one task at a time.
  void share();
  bool shares() const { return shares_; }
  /// Gives it one task of such a list; none: what it has there is taken from it.
  void take(const Task* task);
  /// It stays out of the way of others, at about that place, until it may set to work; none: it may
  /// now. What it has begun with its hands it goes on with.
  void wait_at(const std::optional<Vec2>& place);
  const TaskList& list() const { return list_; }
  /// It has what it is to carry, and is about to bring it to its place.
  bool places() const { return skill_.get() && skill_.get()->places(); }
  /// It has come to where it works.
  bool at_work() const { return skill_.phase() == Skill::Phase::kWorks; }

  control::Goal update(const Self& self, const Surroundings& around, double dt) override;
  void relocated(const Self& self) override;
  Vec2 wish() const override { return work_.walk.wish(); }
  void append_path(std::vector<Vec2>& out) const override;
  void visit(StateVisitor& state) override;

  /// Orders of the last update, for whoever can grip. They are taken once.
  std::array<HandOrder, 2> take_orders();
  /// News of the last update, likewise.
  TaskNews take_news();
  /// What it is at work on, as of the last update: carries, or has set about taking hold of.
  const Claim& claim() const { return claim_; }
  /// How far it is with handing over or taking over, as of the last update.
  Handing handing() const;
  Takes takes_from(ThingId giver) const;
  /// What it has between both hands; 0: nothing.
  ThingId carries() const { return work_.carried.thing; }

 private:
  void begin_task();
  /// Begins what the list has now, with nothing in the hands but what is carried.
  void begin_anew();
  control::Goal go_on(const Now& now);
  /// Tells what became of the task, and begins the next one if it is over.
  void conclude();

  TaskList list_;
  AnySkill skill_;  // of the present task; none: there is no work
  Work work_;
  Waiting waiting_;
  Claim claim_;
  TaskNews news_;
  bool shares_ = false;
};

}  // namespace promenade::behaviour::tasks
