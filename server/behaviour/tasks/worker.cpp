#include "behaviour/tasks/worker.h"

#include <algorithm>

namespace promenade::behaviour::tasks {

Worker::Worker(std::vector<Task> tasks, bool repeat, double stagger)
    : list_(std::move(tasks), repeat), work_(stagger) {
  if (list_.has_work()) skill_.begin(list_.present().kind);
}

void Worker::append(const std::vector<Task>& tasks) {
  const bool had_work = list_.has_work();
  list_.append(tasks);
  if (!had_work && list_.has_work()) skill_.begin(list_.present().kind);
}

void Worker::replace(std::vector<Task> tasks, bool repeat, std::size_t first) {
  const bool goes_on = list_.has_work() && first < tasks.size() && tasks[first] == list_.present();
  list_.replace(std::move(tasks), repeat, first);
  shares_ = false;
  waiting_.end();
  if (!goes_on) begin_anew();
}

void Worker::share() {
  list_ = TaskList();
  shares_ = true;
  waiting_.end();
  begin_anew();
}

void Worker::take(const Task* task) {
  list_.replace(task ? std::vector<Task>{*task} : std::vector<Task>{}, list_.repeats(), 0);
  work_.rest.end();
  begin_anew();
}

void Worker::wait_at(const std::optional<Vec2>& place) {
  if (!waiting_.wait_at(place)) return;
  if (!at_work()) {
    if (skill_.get()) skill_.get()->begin_again();
    work_.begin_again();
  }
  work_.attempt.tries = 0;
}

void Worker::begin_task() {
  work_.attempt = Attempt{};
  work_.walk.begin_task();
  if (list_.has_work()) {
    skill_.begin(list_.present().kind);
  } else {
    skill_.end();
  }
}

void Worker::begin_anew() {
  begin_task();
  if (carries() == 0) work_.let_go();
}

void Worker::conclude() {
  const Outcome outcome = work_.outcome;
  work_.outcome = Outcome{};
  if (outcome.kind == Outcome::Kind::kGoesOn) return;
  const bool failed = outcome.kind == Outcome::Kind::kFailed;
  news_ = {failed ? TaskNews::Kind::kFailed : TaskNews::Kind::kDone, list_.present(), outcome.error,
           outcome.why};
  if (failed && carries() == 0) work_.let_go();
  list_.advance();
  begin_task();
  work_.rest.end();
}

std::array<HandOrder, 2> Worker::take_orders() {
  auto out = work_.orders;
  work_.orders.fill(HandOrder{});
  return out;
}

TaskNews Worker::take_news() {
  TaskNews out = news_;
  news_ = TaskNews{};
  return out;
}

Handing Worker::handing() const { return skill_.get() ? skill_.get()->handing() : Handing{}; }

control::Goal Worker::update(const Self& self, const Surroundings& around, double dt) {
  control::Goal goal;
  goal.heading = self.heading;
  if (!around.workplace) return goal;
  const Now now{
      self, around, *around.workplace, around.workplace->parameters(), around.workplace->body(),
      dt};
  work_.attempt.clock += dt;
  // What it carried may have been taken away, or its hands may have slipped.
  if (carries() != 0 && now.body.holds[kLeft] != carries() && now.body.holds[kRight] != carries()) {
    work_.carried = Carried{};
    if (skill_.get() && skill_.get()->lose(now, work_)) {
      conclude();
      return stand_here(now);
    }
  }
  goal = go_on(now);
  conclude();
  goal.plain = carries() != 0 || (skill_.get() && skill_.get()->uses_hands(work_.walk));
  const bool takes_hold = skill_.get() && skill_.get()->takes_hold();
  claim_.note(carries() != 0 ? carries() : takes_hold ? list_.present().thing : 0, dt);
  return goal;
}

control::Goal Worker::go_on(const Now& now) {
  if (waiting_.waits() && !at_work()) return waiting_.update(now, work_);
  if (!skill_.get()) return work_.stand_by(now);
  work_.more_to_do = !list_.present_is_last();
  return skill_.get()->update(now, list_.present(), work_);
}

void Worker::relocated(const Self& self) {
  begin_task();
  work_.rest.relocated(self.heading);
}

void Worker::append_path(std::vector<Vec2>& out) const {
  if (skill_.phase() != Skill::Phase::kBegins) out.push_back(work_.walk.stand().place);
  for (std::size_t i = list_.current() + 1; i < list_.all().size(); ++i) {
    const Task& task = list_.all()[i];
    const bool in_world = task.kind != TaskKind::kReach || task.thing == 0;
    if (task.coordinates > 0 && in_world) out.push_back(task.point.head<2>());
  }
}

Takes Worker::takes_from(ThingId giver) const {
  if (shares_) return Takes::kNever;
  if (!list_.has_work()) return Takes::kNow;
  const auto takes = [&](const Task& task) {
    return task.kind == TaskKind::kTakeOver && (task.somebody == 0 || task.somebody == giver);
  };
  const ThingId other = handing().other;
  if (takes(list_.present())) return other == 0 || other == giver ? Takes::kNow : Takes::kLater;
  const std::size_t first = list_.repeats() ? 0 : list_.current();
  const bool later =
      std::any_of(list_.all().begin() + std::ptrdiff_t(first), list_.all().end(), takes);
  return later ? Takes::kLater : Takes::kNever;
}

void Worker::visit(StateVisitor& state) {
  list_.visit(state);
  if (state.reading()) begin_task();
  work_.visit(state);
  if (Skill* skill = skill_.get()) skill->visit(state);
  waiting_.visit(state);
  claim_.visit(state);
  state(shares_);
}

}  // namespace promenade::behaviour::tasks
