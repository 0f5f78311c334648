// Saving, restoring and hashing: everything that decides what people do next.
#include <algorithm>

#include "behaviour/flow/flow.h"

namespace promenade::behaviour::flow {
namespace {
constexpr std::size_t kMostPanics = 64;
constexpr std::size_t kMostDueParties = 16384;
constexpr std::size_t kMostEver = 1 << 20;  // people in a saved state
constexpr double kMostExpected = 100;       // parties until the next one: e^-100 that it is more
constexpr double kFastest = 10;             // m/s, speed of a person in a saved state
}  // namespace

void Flow::Gate::visit(StateVisitor& state) {
  random.visit(state);
  state.within(until_next, 0, kMostExpected);
}

void Flow::visit(StateVisitor& state) {
  state(time_, next_person_, next_party_, turned_away_);
  for (Gate& gate : gates_) gate.visit(state);
  for (auto& spots : taken_) state.fixed_list(spots);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    state.list(lines_[i].people, plan_->queues[i].slots.size());
    state(lines_[i].served_for);
  }
  state.length(panics_, kMostPanics);
  for (Panic& panic : panics_) state(panic.at, panic.from, panic.radius, panic.duration);
  visit_lists(state);
  if (state.reading() && state.error().empty() && !consistent()) {
    state.fail("has people who do not fit together");
  }
}

void Flow::visit_lists(StateVisitor& state) {
  state.length(due_, kMostDueParties);
  due_parties_.resize(due_.size());
  for (std::size_t i = 0; i < due_.size(); ++i) {
    Arrival& a = due_[i];
    state(a.party);
    state.choice(a.entrance, plan_->entrances.size());
    state.choice(a.members, kMostInParty + 1);
    state(a.person, a.at, a.speed, a.heading);
    due_parties_[i].visit(state, *plan_);
  }
  state.length(parties_, kMostEver);
  for (Party& party : parties_) party.visit(state, *plan_);
  state.length(people_, kMostEver);
  errands_.resize(people_.size());
  for (std::size_t i = 0; i < people_.size(); ++i) {
    people_[i].visit(state);
    errands_[i].visit(state);
  }
}

// Whether parties, people, spots and lines belong together, which reading them one by one does not
// show.
bool Flow::consistent() const {
  if (!parties_fit()) return false;
  for (std::size_t i = 0; i < due_.size(); ++i) {
    const Arrival& a = due_[i];
    if (a.party != due_parties_[i].id || a.members != due_parties_[i].members) return false;
    if (a.members == 0 || a.party >= next_party_) return false;
    for (std::uint32_t k = 0; k < a.members; ++k) {
      const bool ascend = k == 0 || a.person[k] > a.person[k - 1];
      if (!ascend || a.person[k] >= next_person_ || known(a.person[k])) return false;
    }
  }
  for (const auto& spots : taken_) {
    if (!std::all_of(spots.begin(), spots.end(), [&](PersonId p) { return p == 0 || known(p); })) {
      return false;
    }
  }
  return std::all_of(lines_.begin(), lines_.end(), [&](const Line& line) {
    return std::all_of(line.people.begin(), line.people.end(),
                       [&](PersonId p) { return known(p); });
  });
}

bool Flow::parties_fit() const {
  std::size_t first = 0;
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    const Party& party = parties_[i];
    if (i > 0 && party.id <= parties_[i - 1].id) return false;
    if (party.id >= next_party_ || party.members < 1 || party.members > kMostInParty) return false;
    if (party.members > people_.size() - first) return false;
    for (std::size_t k = first; k < first + party.members; ++k) {
      const Person& p = people_[k];
      if (p.party != party.id || p.id >= next_person_ || !exists(p.to)) return false;
      if (k > 0 && p.id <= people_[k - 1].id) return false;
      if (p.speed < 0 || p.speed > kFastest) return false;
    }
    if (!task_fits(party, std::span(people_).subspan(first, party.members))) return false;
    first += party.members;
  }
  return first == people_.size();
}

bool Flow::task_fits(const Party& party, std::span<const Person> members) const {
  const auto all_to = [&](Target one, Target other) {
    return std::all_of(members.begin(), members.end(),
                       [&](const Person& p) { return p.to.target == one || p.to.target == other; });
  };
  switch (party.task) {
    case Task::kGoing:
      return true;
    case Task::kQueueing:
      return !party.done() && all_to(Target::kQueue, Target::kAside);
    case Task::kStaying:
      return !party.done() && all_to(Target::kPlace, Target::kPlace);
    case Task::kLeaving:
    case Task::kFleeing:
      return all_to(Target::kExit, Target::kExit);
  }
  return false;
}

bool Flow::exists(const Destination& to) const {
  const std::size_t at = to.index, spot = to.spot;
  switch (to.target) {
    case Target::kExit:
      return at < plan_->exits.size();
    case Target::kPlace:
      return at < plan_->places.size() && spot < plan_->places[at].spots.size();
    case Target::kQueue:
      return at < plan_->queues.size() && spot < plan_->queues[at].slots.size();
    case Target::kAside:
      return at < plan_->queues.size() && spot < plan_->queues[at].aside.size();
  }
  return false;
}

bool Flow::known(PersonId person) const {
  const auto at = std::lower_bound(people_.begin(), people_.end(), person,
                                   [](const Person& p, PersonId w) { return p.id < w; });
  return at != people_.end() && at->id == person;
}

}  // namespace promenade::behaviour::flow
