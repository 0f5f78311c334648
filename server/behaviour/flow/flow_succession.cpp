// A flow that goes on where that of another plan was: people stay where they are, and do what there
// still is to do.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "behaviour/flow/flow.h"

namespace promenade::behaviour::flow {
namespace {

constexpr std::uint64_t kSuccession = 0x5acce55ULL;  // its streams of random numbers

/// [before] what each one of a list is in the other list; nothing: it is gone.
using Match = std::vector<std::optional<std::uint32_t>>;

/// Matches by names, several of one name in their order; things without a name by their numbers. No
/// two have the same match in the other list.
template <typename List>
Match match(const List& before, const List& now) {
  Match out(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string& name = before[i].name;
    if (name.empty()) {
      if (i < now.size() && now[i].name.empty()) out[i] = std::uint32_t(i);
      continue;
    }
    const auto has_name = [&](const auto& one) { return one.name == name; };
    const auto here = before.begin() + std::ptrdiff_t(i);
    auto same = std::find_if(now.begin(), now.end(), has_name);
    for (auto earlier = std::count_if(before.begin(), here, has_name);
         earlier > 0 && same != now.end(); --earlier) {
      same = std::find_if(same + 1, now.end(), has_name);
    }
    if (same != now.end()) out[i] = std::uint32_t(same - now.begin());
  }
  return out;
}

bool is_same(const Panic& a, const Panic& b) {
  return a.at == b.at && a.from == b.from && a.radius == b.radius && a.duration == b.duration;
}

}  // namespace

struct Flow::Matches {
  Match entrances, exits, places, queues;
  std::vector<bool> kept_places, kept_queues;  // [before] with those who are at them

  std::optional<std::uint32_t> stop(const Party::Stop& stop) const {
    return (stop.target == Target::kPlace ? places : queues)[stop.index];
  }
};

void Flow::take_over(const Flow& before) {
  const Plan& old = *before.plan_;
  time_ = before.time_;
  next_person_ = before.next_person_;
  next_party_ = before.next_party_;
  turned_away_ = before.turned_away_;
  for (const Panic& panic : before.panics_) {
    const auto planned = [&](const Panic& one) { return is_same(one, panic); };
    if (std::none_of(old.panics.begin(), old.panics.end(), planned)) panics_.push_back(panic);
  }
  Matches same{match(old.entrances, plan_->entrances), match(old.exits, plan_->exits),
               match(old.places, plan_->places),       match(old.queues, plan_->queues),
               std::vector<bool>(old.places.size()),   std::vector<bool>(old.queues.size())};
  for (std::size_t i = 0; i < same.entrances.size(); ++i) {
    if (!same.entrances[i]) continue;
    gates_[*same.entrances[i]].random = before.gates_[i].random;
    gates_[*same.entrances[i]].until_next = before.gates_[i].until_next;
  }
  for (std::size_t i = 0; i < same.places.size(); ++i) {
    if (!same.places[i]) continue;
    auto& spots = taken_[*same.places[i]];
    const auto& were = before.taken_[i];
    const auto last = std::find_if(were.rbegin(), were.rend(), [](PersonId p) { return p != 0; });
    const auto needed = std::size_t(were.rend() - last);
    same.kept_places[i] = needed <= spots.size();
    if (same.kept_places[i]) {
      std::copy(were.begin(), were.begin() + std::ptrdiff_t(needed), spots.begin());
    }
  }
  for (std::size_t i = 0; i < same.queues.size(); ++i) {
    if (!same.queues[i]) continue;
    const std::size_t slots = plan_->queues[*same.queues[i]].slots.size();
    same.kept_queues[i] = before.lines_[i].people.size() <= slots;
    if (same.kept_queues[i]) lines_[*same.queues[i]] = before.lines_[i];
  }
  take_over_parties(before, same);
  take_over_due(before, same);
}

void Flow::take_over_parties(const Flow& before, const Matches& same) {
  parties_ = before.parties_;
  people_ = before.people_;
  errands_ = before.errands_;
  errands_.resize(people_.size());
  std::size_t first = 0;
  for (Party& party : parties_) {
    const Members members(people_.data() + first, party.members);
    go_on_from(party, members, members[0].at, same);
    first += party.members;
  }
}

/// People who wait to come in still come, unless their entrance is gone or something stands there
/// now.
void Flow::take_over_due(const Flow& before, const Matches& same) {
  for (std::size_t i = 0; i < before.due_.size(); ++i) {
    Arrival arrival = before.due_[i];
    const auto entrance = same.entrances[arrival.entrance];
    const auto at = std::span(arrival.at).first(arrival.members);
    if (!entrance) continue;
    if (!std::all_of(at.begin(), at.end(), [&](const Vec2& p) { return map_->free(p); })) continue;
    arrival.entrance = *entrance;
    Party party = before.due_parties_[i];
    go_on_from(party, {}, at[0], same);
    due_.push_back(arrival);
    due_parties_.push_back(party);
  }
}

bool Flow::can_reach(const Vec2& at, const Destination& to) {
  return tree(to).leg_from(at).reach == route::Reach::kReached;
}

/// Gives a party of the flow before its errand of now.
/// @param members  none: it is still to come
/// @param at       where it is
void Flow::go_on_from(Party& party, Members members, const Vec2& at, const Matches& same) {
  const bool stayed = party.task == Task::kStaying, queued = party.task == Task::kQueueing;
  const std::uint32_t was_next = party.next;
  const bool was_served =
      queued && !members.empty() &&
      std::all_of(members.begin(), members.end(), [](const Person& p) { return p.served; });
  bool goes_on = false;  // with the stop that it is at
  Party renewed = party;
  renewed.stop_count = renewed.next = 0;
  for (std::uint32_t i = was_next; i < party.stop_count; ++i) {
    const bool is_here = i == was_next && (stayed || queued);
    Party::Stop stop = party.stops[i];
    const std::uint32_t old_index = stop.index;
    const auto now = same.stop(stop);
    if (!now || (is_here && was_served) || !can_reach(at, {stop.target, *now, 0})) continue;
    stop.index = *now;
    if (is_here) goes_on = stayed ? same.kept_places[old_index] : same.kept_queues[old_index];
    renewed.stops[renewed.stop_count++] = stop;
  }
  const auto exit = same.exits[party.exit];
  const bool open = exit && can_reach(at, {Target::kExit, *exit, 0});
  renewed.exit = open ? *exit : choose_exit(party, at);
  if ((stayed || queued) && !goes_on) {
    renewed.task = Task::kGoing;
    renewed.until = 0;
    for (const Person& p : members) free_of(p.id);
  }
  party = renewed;
  for (Person& p : members) {
    Destination to{Target::kExit, party.exit, 0};
    if (goes_on && stayed) {
      to = {Target::kPlace, party.stop().index, p.to.spot};
    } else if (goes_on) {
      const Queue& queue = plan_->queues[party.stop().index];
      const bool aside = p.to.target == Target::kAside && p.to.spot < queue.aside.size();
      const auto last = std::uint32_t(queue.slots.size() - 1);
      to = aside ? Destination{Target::kAside, party.stop().index, p.to.spot}
                 : Destination{Target::kQueue, party.stop().index, std::min(p.to.spot, last)};
    } else {
      p.served = false;
    }
    const bool there = goes_on && p.there;
    p.to = to;
    p.progress = {};  // of other routes
    p.there = there;
    p.lost = false;
  }
}

/// One that a route leads to, by weight; the first if there is none: the party is lost, and says
/// so.
std::uint32_t Flow::choose_exit(const Party& party, const Vec2& at) {
  Random random = Random::stream(plan_->seed ^ kSuccession, party.id);
  std::uint32_t chosen = 0;
  double sum = 0;
  for (std::uint32_t i = 0; i < plan_->exits.size(); ++i) {
    const double weight = plan_->exits[i].weight;
    if (!can_reach(at, {Target::kExit, i, 0})) continue;
    sum += weight;
    if (random.uniform() * sum < weight) chosen = i;  // each with the share of its weight so far
  }
  return chosen;
}

}  // namespace promenade::behaviour::flow
