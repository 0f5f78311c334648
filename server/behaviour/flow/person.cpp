#include "behaviour/flow/person.h"

namespace promenade::behaviour::flow {

void Person::visit(StateVisitor& state) {
  state(id, party, speed, at);
  state.choice(to.target, kTargets);
  state(to.index, to.spot);
  progress.visit(state);
  state(there, served, lost);
}

void Person::send(const Destination& destination) {
  if (to == destination) return;
  to = destination;
  progress = {};
  there = lost = false;
}

void Party::visit(StateVisitor& state, const Plan& plan) {
  state(id, members);
  state.choice(exit, plan.exits.size());
  state.choice(stop_count, Plan::kMostStops + 1);
  state.choice(next, std::size_t(stop_count) + 1);
  for (std::uint32_t i = 0; i < stop_count; ++i) {
    Stop& s = stops[i];
    state.choice(s.target, kTargets);
    state.choice(s.index, s.target == Target::kQueue ? plan.queues.size() : plan.places.size());
    state(s.stay);
  }
  state.choice(task, kTasks);
  state(until, flee_at, heading, has_heading, waited);
}

}  // namespace promenade::behaviour::flow
