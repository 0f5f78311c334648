// The next task of a party: the state machine of its errands, places and queues.
#include <algorithm>
#include <vector>

#include "behaviour/flow/flow.h"

namespace promenade::behaviour::flow {
namespace {

constexpr double kReserve = 6;        // m: from here on a place is theirs
constexpr double kTogetherAt = 2.5;   // m, between the spots of a group
constexpr double kJoin = 1.5;         // m from the end of a line
constexpr double kThere = 0.25;       // m from a spot
constexpr double kCounter = 0.4;      // m from the counter: being served
constexpr double kStayPatience = 20;  // s, for companions who do not get to their spots

bool anyone_near(std::span<const Person> members, const Vec2& p, double distance) {
  return std::any_of(members.begin(), members.end(),
                     [&](const Person& m) { return (m.at - p).norm() < distance; });
}

/// Free spots for so many who stay together, the first nearest to p; fewer if there are none.
std::vector<std::uint32_t> spots_together(const Place& place, std::span<const PersonId> taken,
                                          const Vec2& p, std::size_t count) {
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < taken.size(); ++i) {
    if (taken[i] == 0) free.push_back(i);
  }
  const auto by_distance_from = [&](const Vec2& from) {
    std::vector<std::uint32_t> sorted = free;
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
      return (place.spots[a].at - from).squaredNorm() < (place.spots[b].at - from).squaredNorm();
    });
    return sorted;
  };
  if (free.size() < count) return {};
  for (const std::uint32_t first : by_distance_from(p)) {
    std::vector<std::uint32_t> spots = by_distance_from(place.spots[first].at);
    spots.resize(count);
    if ((place.spots[spots.back()].at - place.spots[first].at).norm() <= kTogetherAt) return spots;
  }
  return {};
}

}  // namespace

void Flow::act(Party& party, Members members) {
  switch (party.task) {
    case Task::kGoing:
      return go(party, members);
    case Task::kStaying:
      return stay(party, members);
    case Task::kQueueing:
      if (std::all_of(members.begin(), members.end(), [](const Person& p) { return p.served; })) {
        go_on(party, members);
      }
      return;
    case Task::kLeaving:
    case Task::kFleeing:
      return leave(members);
  }
}

void Flow::go(Party& party, Members members) {
  if (party.done()) {
    party.task = Task::kLeaving;
    for (Person& p : members) p.send({Target::kExit, party.exit, 0});
  } else if (party.stop().target == Target::kPlace) {
    go_to_place(party, members);
  } else {
    go_to_queue(party, members);
  }
}

void Flow::go_on(Party& party, Members members) {
  ++party.next;
  party.task = Task::kGoing;
  party.until = 0;
  for (Person& p : members) p.served = false;
  go(party, members);
}

void Flow::go_to_place(Party& party, Members members) {
  const std::uint32_t index = party.stop().index;
  const Place& place = plan_->places[index];
  for (Person& p : members) p.send({Target::kPlace, index, 0});
  if (!anyone_near(members, place.spots[0].at, kReserve)) return;
  auto& taken = taken_[index];
  const auto spots = spots_together(place, taken, members[0].at, members.size());
  if (spots.empty()) {
    tell(Happening::kFull, members[0].id, index);
    return go_on(party, members);
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    Person& p = members[i];
    taken[spots[i]] = p.id;
    p.send({Target::kPlace, index, spots[i]});
    p.there = false;
  }
  party.task = Task::kStaying;
  party.until = 0;
}

void Flow::stay(Party& party, Members members) {
  bool all_there = true;
  for (Person& p : members) {
    if (!p.there && (p.at - point_of(p.to)).norm() < kThere) {
      p.there = true;
      tell(Happening::kArrived, p.id, p.to.index);
      if (party.until == 0) party.until = time_ + party.stop().stay + kStayPatience;
    }
    all_there &= p.there;
  }
  if (all_there) party.until = std::min(party.until, time_ + party.stop().stay);
  if (party.until == 0 || time_ < party.until) return;
  for (const Person& p : members) free_of(p.id);
  go_on(party, members);
}

void Flow::go_to_queue(Party& party, Members members) {
  const std::uint32_t index = party.stop().index;
  const Queue& queue = plan_->queues[index];
  auto& line = lines_[index].people;
  const std::size_t tail = std::min(line.size(), queue.slots.size() - 1);
  for (Person& p : members) p.send({Target::kQueue, index, std::uint32_t(tail)});
  if (!anyone_near(members, queue.slots[tail].at, kJoin)) return;
  if (line.size() + members.size() > queue.slots.size()) {
    tell(Happening::kFull, members[0].id, index);
    return go_on(party, members);
  }
  for (Person& p : members) {
    if (line.empty()) lines_[index].served_for = 0;
    line.push_back(p.id);
    tell(Happening::kJoined, p.id, index);
  }
  party.task = Task::kQueueing;
}

void Flow::leave(Members members) {
  for (Person& p : members) {
    if (!plan_->exits[p.to.index].area.contains(p.at)) continue;
    p.there = true;
    tell(Happening::kLeft, p.id, p.to.index);
  }
}

/// Gives up a spot or a place in a line.
void Flow::free_of(PersonId id) {
  for (auto& spots : taken_) std::replace(spots.begin(), spots.end(), id, 0u);
  for (Line& line : lines_) {
    const auto at = std::find(line.people.begin(), line.people.end(), id);
    if (at == line.people.end()) continue;
    if (at == line.people.begin()) line.served_for = 0;
    line.people.erase(at);
  }
}

double Flow::service_time(PersonId person, std::uint32_t queue) const {
  Random random =
      Random::stream(plan_->seed ^ 0x5ec0ffeeULL, (std::uint64_t(queue) << 32) | person);
  const Queue& q = plan_->queues[queue];
  return q.service * (1 + q.spread * random.uniform(-1, 1));
}

void Flow::serve(double dt) {
  for (std::uint32_t q = 0; q < lines_.size(); ++q) {
    Line& line = lines_[q];
    if (line.people.empty()) continue;
    Person& first = *find(line.people.front());
    const auto& aside = plan_->queues[q].aside;
    if ((first.at - plan_->queues[q].slots[0].at).norm() < kCounter) line.served_for += dt;
    if (line.served_for >= service_time(first.id, q)) {
      line.served_for = 0;
      line.people.erase(line.people.begin());
      first.served = true;
      tell(Happening::kServed, first.id, q);
      if (!aside.empty()) {
        first.send({Target::kAside, q, std::uint32_t(first.id % aside.size())});
      }
    }
    for (std::uint32_t i = 0; i < line.people.size(); ++i) {
      find(line.people[i])->send({Target::kQueue, q, i});
    }
  }
}

}  // namespace promenade::behaviour::flow
