#include "behaviour/flow/flow.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace promenade::behaviour::flow {
Flow::Flow(std::shared_ptr<const Plan> plan, route::Routes& routes)
    : plan_(std::move(plan)),
      routes_(routes),
      map_(routes.map(plan_->radius)),
      exit_trees_(plan_->exits.size()),
      lines_(plan_->queues.size()),
      panics_(plan_->panics) {
  for (const Place& place : plan_->places) {
    place_trees_.emplace_back(place.spots.size());
    taken_.emplace_back(place.spots.size(), 0);
  }
  for (const Queue& queue : plan_->queues) {
    queue_trees_.emplace_back(queue.slots.size());
    aside_trees_.emplace_back(queue.aside.size());
  }
  open_gates();
}

void Flow::update(std::span<const Vec2> positions, double dt) {
  assert(positions.size() == people_.size());
  events_.clear();
  time_ += dt;
  for (std::size_t i = 0; i < people_.size(); ++i) people_[i].at = positions[i];
  arrive(dt);
  std::size_t first = 0;
  for (Party& party : parties_) {
    const Members members(people_.data() + first, party.members);
    take_alarm(party, members);
    act(party, members);
    first += party.members;
  }
  serve(dt);
  let_go();
  errands_.resize(people_.size());
  first = 0;
  for (Party& party : parties_) {
    give_errands(party, Members(people_.data() + first, party.members),
                 std::span(errands_).subspan(first, party.members), dt);
    first += party.members;
  }
}

bool Flow::enter(PartyId id) {
  const auto due = std::find_if(due_.begin(), due_.end(), [id](auto& a) { return a.party == id; });
  if (due == due_.end()) return false;
  const auto by_id = [](const Party& party, PartyId wanted) { return party.id < wanted; };
  const auto place = std::lower_bound(parties_.begin(), parties_.end(), id, by_id);
  const auto of_party = std::lower_bound(people_.begin(), people_.end(), due->person[0],
                                         [](const Person& p, PersonId w) { return p.id < w; });
  const std::ptrdiff_t at = of_party - people_.begin();
  for (std::uint32_t i = 0; i < due->members; ++i) {
    Person person;
    person.id = due->person[i];
    person.party = id;
    person.at = due->at[i];
    person.speed = due->speed[i];
    Errand errand;
    errand.goal = errand.aim = person.at;
    errand.facing = due->heading;
    people_.insert(people_.begin() + at + i, person);
    errands_.insert(errands_.begin() + at + i, errand);
    tell(Happening::kEntered, person.id, due->entrance);
  }
  const auto party = due_parties_.begin() + (due - due_.begin());
  parties_.insert(place, *party);
  due_parties_.erase(party);
  due_.erase(due);
  return true;
}

bool Flow::remove(PersonId id) {
  Person* person = find(id);
  if (!person) return false;
  free_of(id);
  const auto party = std::lower_bound(parties_.begin(), parties_.end(), person->party,
                                      [](const Party& p, PartyId w) { return p.id < w; });
  if (--party->members == 0) parties_.erase(party);
  errands_.erase(errands_.begin() + (person - people_.data()));
  people_.erase(people_.begin() + (person - people_.data()));
  return true;
}

Person* Flow::find(PersonId id) {
  const auto at = std::lower_bound(people_.begin(), people_.end(), id,
                                   [](const Person& p, PersonId w) { return p.id < w; });
  return at != people_.end() && at->id == id ? &*at : nullptr;
}

/// Takes out those who have gone through their exit.
void Flow::let_go() {
  const auto left = [](const Person& p) { return p.there && p.to.target == Target::kExit; };
  std::size_t first = 0;
  for (Party& party : parties_) {
    const auto begin = people_.begin() + std::ptrdiff_t(first);
    const auto end = begin + party.members;
    first += party.members;
    party.members -= std::uint32_t(std::count_if(begin, end, left));
  }
  std::erase_if(people_, left);
  std::erase_if(parties_, [](const Party& p) { return p.members == 0; });
}

const route::RouteTree& Flow::tree(const Destination& to) {
  Trees* trees = &exit_trees_;
  std::size_t at = to.index;
  if (to.target != Target::kExit) {
    trees = to.target == Target::kPlace   ? &place_trees_[to.index]
            : to.target == Target::kQueue ? &queue_trees_[to.index]
                                          : &aside_trees_[to.index];
    at = to.spot;
  }
  auto& found = (*trees)[at];
  if (!found) found = routes_.to(point_of(to), plan_->radius);
  return *found;
}

void Flow::find_all_ways() {
  const auto find = [this](Target target, std::size_t index, std::size_t spots) {
    for (std::size_t spot = 0; spot < spots; ++spot) {
      // The routes would forget the first ones again.
      if (routes_.tree_count() >= route::Routes::kMostTrees) return;
      Destination to;
      to.target = target;
      to.index = std::uint32_t(index);
      to.spot = std::uint32_t(spot);
      tree(to);
    }
  };
  for (std::size_t i = 0; i < plan_->exits.size(); ++i) find(Target::kExit, i, 1);
  for (std::size_t i = 0; i < plan_->queues.size(); ++i) {
    find(Target::kQueue, i, plan_->queues[i].slots.size());
    find(Target::kAside, i, plan_->queues[i].aside.size());
  }
  for (std::size_t i = 0; i < plan_->places.size(); ++i) {
    find(Target::kPlace, i, plan_->places[i].spots.size());
  }
}

Vec2 Flow::point_of(const Destination& to) const {
  switch (to.target) {
    case Target::kExit:
      return plan_->exits[to.index].area.center;
    case Target::kPlace:
      return plan_->places[to.index].spots[to.spot].at;
    case Target::kQueue:
      return plan_->queues[to.index].slots[to.spot].at;
    case Target::kAside:
      return plan_->queues[to.index].aside[to.spot].at;
  }
  return Vec2::Zero();
}

double Flow::facing_of(const Destination& to) const {
  switch (to.target) {
    case Target::kExit:
      return 0;
    case Target::kPlace:
      return plan_->places[to.index].spots[to.spot].facing;
    case Target::kQueue:
      return plan_->queues[to.index].slots[to.spot].facing;
    case Target::kAside:
      return plan_->queues[to.index].aside[to.spot].facing;
  }
  return 0;
}

}  // namespace promenade::behaviour::flow
