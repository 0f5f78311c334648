#include "behaviour/tasks/kinds/carry.h"

namespace promenade::behaviour::tasks {

void Carry::begin(bool placing, Work& work) {
  placing_ = placing;
  pick_up_ = PickUp();
  put_down_ = PutDown();
  work.begin_again();
  work.attempt.tries = 0;
}

control::Goal Carry::update(const Now& now, const Task& task, Work& work) {
  control::Goal goal = present().update(now, task, work);
  if (!placing_ && work.outcome.kind == Outcome::Kind::kDone) {
    work.outcome = Outcome{};
    begin(true, work);
  }
  return goal;
}

bool Carry::lose(const Now& now, Work& work) {
  const v1::TriesParameters& p = now.parameters.tries();
  if (!placing_) return false;
  if (++drops_ > p.most_drops()) {
    work.failed("it is dropped again and again");
  } else {
    begin(false, work);
  }
  return true;
}

void Carry::visit(StateVisitor& state) {
  state(placing_);
  state.choice(drops_, kMostCounted);
  present().visit(state);
}

}  // namespace promenade::behaviour::tasks
