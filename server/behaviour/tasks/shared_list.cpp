#include "behaviour/tasks/shared_list.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

double distance_to_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 way = b - a;
  const double t = std::clamp((p - a).dot(way) / std::max(way.squaredNorm(), 1e-9), 0.0, 1.0);
  return (p - a - t * way).norm();
}

/// Where the thing of a task is now.
bool place_of_thing(const Task& task, const Workplace& place, Vec2* out) {
  ThingSeen thing;
  if (task.thing == 0 || !place.see(task.thing, thing)) return false;
  *out = thing.middle().head<2>();
  return true;
}

/// Where a task leads to.
bool goal_of(const Task& task, const Workplace& place, Vec2* out) {
  ThingSeen below;
  if (task.on != 0) {
    if (!place.see(task.on, below)) return false;
    *out = below.middle().head<2>();
    return true;
  }
  const bool in_world = task.kind != TaskKind::kReach || task.thing == 0;
  if (task.coordinates == 0 || !in_world) return false;
  *out = task.point.head<2>();
  return true;
}

/// Why nobody can set about it now; null: somebody can.
const char* why_not_now(const Task& task, const Workplace& place) {
  ThingSeen seen;
  if (task.on != 0 && !place.see(task.on, seen))
    return "what it is to be put on is not there any more";
  if (task.thing == 0) return nullptr;
  if (!place.see(task.thing, seen)) return "it is not there any more";
  if (task.kind == TaskKind::kReach) return nullptr;
  if (place.taken_by(task.thing) != 0) return "somebody else has it";
  if (task.kind == TaskKind::kCarry && place.bears(task.thing)) return "something stands on it";
  return nullptr;
}

/// Whether a task changes where the thing of a later one is, or what stands on it.
bool concerns_thing(const Task& earlier, const Task& later) {
  return later.thing != 0 && (earlier.thing == later.thing || earlier.on == later.thing);
}

/// Whether a task decides what is there where a later one puts its thing.
bool concerns_place(const Task& earlier, const Task& later, const Workplace& place) {
  const double pile = place.parameters().sharing().same_pile_m();
  if (later.on != 0 && (earlier.thing == later.on || earlier.on == later.on)) return true;
  Vec2 goal, other;
  if (later.on != 0 || !goal_of(later, place, &goal)) return false;
  if (earlier.on == 0 && goal_of(earlier, place, &other) && (goal - other).norm() < pile)
    return true;
  return place_of_thing(earlier, place, &other) && (goal - other).norm() < pile;
}

}  // namespace

SharedList::SharedList(const std::vector<ThingId>& characters, const std::vector<Task>& tasks,
                       bool repeat)
    : repeat_(repeat) {
  for (const Task& task : tasks) entries_.push_back({task});
  for (const ThingId id : characters) {
    members_.emplace_back();
    members_.back().id = id;
    members_.back().entry = entries_.size();
  }
}

bool SharedList::has_room_for(std::size_t tasks, bool repeat) const {
  const auto kept = std::count_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return repeat || repeat_ || !over(entry);
  });
  return std::size_t(kept) + tasks <= kMostTasks;
}

void SharedList::forget_what_is_over() {
  for (Member& member : members_) {
    const auto end = entries_.begin() + std::ptrdiff_t(member.entry);
    member.entry -= std::size_t(
        std::count_if(entries_.begin(), end, [this](const Entry& e) { return over(e); }));
  }
  std::erase_if(entries_, [this](const Entry& entry) { return over(entry); });
}

void SharedList::append(const std::vector<Task>& tasks, bool repeat) {
  const bool long_one = entries_.size() + tasks.size() > kMostTasks;
  if (!tasks.empty() && !repeat && !repeat_ && (ended_ || long_one)) forget_what_is_over();
  const std::size_t before = entries_.size();
  for (const Task& task : tasks) entries_.push_back({task});
  for (Member& member : members_) {
    if (member.entry == before) member.entry = entries_.size();
  }
  ended_ = ended_ && tasks.empty() && !repeat;
  repeat_ = repeat;
}

void SharedList::give_back(Member& member) {
  if (has_none(member)) return;
  Entry& entry = entries_[member.entry];
  if (entry.state == State::kTaken) entry.state = State::kOpen;
  member.entry = entries_.size();
  member.entered = false;
}

void SharedList::leave(ThingId character) {
  std::erase_if(members_, [&](Member& member) {
    if (member.id != character) return false;
    give_back(member);
    return true;
  });
}

bool SharedList::told(ThingId character, const TaskNews& news, const v1::SharingParameters& p) {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const Member& m) { return m.id == character; });
  if (found == members_.end() || has_none(*found)) return false;
  Entry& entry = entries_[found->entry];
  found->entry = entries_.size();
  found->entered = false;
  if (news.kind == TaskNews::Kind::kDone) {
    entry.state = State::kDone;
    return true;
  }
  entry.pause = p.pause_s();
  entry.state = ++entry.failures < p.most_failures() ? State::kOpen : State::kFailed;
  return entry.state == State::kFailed;
}

/// Whether somebody has picked up what a task is about.
bool SharedList::has_its_thing(const Entry& entry, std::span<const Sharer> sharers) const {
  return std::any_of(sharers.begin(), sharers.end(), [&](const Sharer& one) {
    return one.id == entry.by && one.able && one.worker->places();
  });
}

bool SharedList::may_take(std::size_t index, std::span<const Sharer> sharers) const {
  const Entry& entry = entries_[index];
  if (entry.state != State::kOpen || entry.pause > 0) return false;
  const Workplace& place = *sharers.front().place;
  for (std::size_t i = 0; i < index; ++i) {
    const Entry& other = entries_[i];
    if (over(other)) continue;
    if (concerns_thing(other.task, entry.task)) return false;
    // Who has it on the way will have put it down when somebody else comes with the next.
    const bool comes = other.state == State::kTaken && has_its_thing(other, sharers);
    if (!comes && concerns_place(other.task, entry.task, place)) return false;
  }
  return true;
}

bool SharedList::may_place(std::size_t index, const Workplace& place) const {
  for (std::size_t i = 0; i < index; ++i) {
    if (!over(entries_[i]) && concerns_place(entries_[i].task, entries_[index].task, place))
      return false;
  }
  return true;
}

/// m, of the way to a task and of what speaks against it.
double SharedList::cost_for(const Sharer& sharer, std::size_t index,
                            std::span<const Sharer> sharers) const {
  const v1::SharingParameters& p = sharers.front().place->parameters().sharing();
  const Task& task = entries_[index].task;
  double cost = p.in_order_m() * double(index);
  Vec2 at;
  if (!place_of_thing(task, *sharer.place, &at) && !goal_of(task, *sharer.place, &at)) return cost;
  cost += (at - sharer.self.position).norm();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& other = members_[i];
    if (sharers[i].id == sharer.id || has_none(other) || !other.has_site) continue;
    if ((other.at - at).norm() < p.work_apart_m()) cost += p.occupied_m();
  }
  return cost;
}

/// Who still has something in the hands goes on with it, or puts it down.
void SharedList::give_hands_something(std::span<const Sharer> sharers) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    const Sharer& sharer = sharers[i];
    const ThingId held = sharer.worker->claim().thing;
    if (!has_none(member) || !sharer.able || held == 0 || sharer.worker->list().has_work())
      continue;
    for (std::size_t k = 0; k < entries_.size() && has_none(member); ++k) {
      if (entries_[k].task.thing != held || !may_take(k, sharers)) continue;
      member.entry = k;
    }
    if (has_none(member)) {
      Task down;
      down.kind = TaskKind::kPutDown;
      sharer.worker->take(&down);
    } else {
      Entry& entry = entries_[member.entry];
      entry.state = State::kTaken;
      entry.by = member.id;
      sharer.worker->take(&entry.task);
    }
  }
}

void SharedList::give(std::span<const Sharer> sharers) {
  give_hands_something(sharers);
  const auto free = [&](std::size_t i) {
    const Worker& worker = *sharers[i].worker;
    return has_none(members_[i]) && sharers[i].able && !worker.list().has_work() &&
           worker.claim().thing == 0;
  };
  bool anybody = false;
  for (std::size_t i = 0; i < members_.size(); ++i) anybody = anybody || free(i);
  if (!anybody) return;
  takeable_.clear();
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    if (may_take(k, sharers) && !why_not_now(entries_[k].task, *sharers.front().place))
      takeable_.push_back(k);
  }
  for (;;) {
    double least = 1e9;
    std::size_t who = members_.size(), what = entries_.size();
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (!free(i)) continue;
      for (const std::size_t k : takeable_) {
        if (entries_[k].state != State::kOpen) continue;
        const double cost = cost_for(sharers[i], k, sharers);
        if (cost >= least) continue;
        least = cost;
        who = i;
        what = k;
      }
    }
    if (who == members_.size()) return;
    Entry& entry = entries_[what];
    Member& member = members_[who];
    entry.state = State::kTaken;
    entry.by = member.id;
    member.entry = what;
    member.entered = member.places = false;
    member.has_site = place_of_thing(entry.task, *sharers[who].place, &member.at) ||
                      goal_of(entry.task, *sharers[who].place, &member.at);
    sharers[who].worker->take(&entry.task);
  }
}

void SharedList::look_where_work_is(std::span<const Sharer> sharers) {
  const Workplace& place = *sharers.front().place;
  work_places_.clear();
  Vec2 at;
  for (const Entry& entry : entries_) {
    if (over(entry) || entry.task.kind == TaskKind::kSitOut) continue;
    if (entry.state == State::kOpen && place_of_thing(entry.task, place, &at))
      work_places_.push_back(at);
    if (goal_of(entry.task, place, &at)) work_places_.push_back(at);
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    const Sharer& sharer = sharers[i];
    member.has_site = false;
    if (has_none(member)) continue;
    const Task& task = entries_[member.entry].task;
    const bool places = sharer.worker->places();
    if (places != member.places) member.entered = false;
    member.places = places;
    const bool moves = task.thing != 0 && !places;
    member.has_site = (moves && place_of_thing(task, *sharer.place, &member.at)) ||
                      goal_of(task, *sharer.place, &member.at);
    if (member.has_site) work_places_.push_back(member.at);
  }
}

bool SharedList::may_enter(std::size_t index, std::span<const Sharer> sharers) const {
  const v1::SharingParameters& p = sharers.front().place->parameters().sharing();
  const Member& member = members_[index];
  if (member.places && !may_place(member.entry, *sharers[index].place)) return false;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (i == index) continue;
    const Member& other = members_[i];
    if (other.entered && other.has_site && (other.at - member.at).norm() < p.work_apart_m())
      return false;
    if ((sharers[i].self.position - member.at).norm() < p.bodily_m()) return false;
  }
  return true;
}

/// How much somebody who waits there would be in the way of others.
double SharedList::in_the_way(std::size_t index, const Vec2& at,
                              std::span<const Sharer> sharers) const {
  const v1::SharingParameters& p = sharers.front().place->parameters().sharing();
  double out = 0;
  for (const Vec2& place : work_places_)
    out += p.work_costs() * std::max(0.0, p.aside_of_work_m() - (at - place).norm());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (i == index) continue;
    const Member& other = members_[i];
    const Vec2& where = sharers[i].self.position;
    out += p.people_cost() * std::max(0.0, p.aside_of_people_m() - (at - where).norm());
    if (other.waits)
      out += p.people_cost() * std::max(0.0, p.aside_of_people_m() - (at - other.waits_at).norm());
    if (!has_none(other) && other.has_site && !other.waits)
      out += p.people_cost() *
             std::max(0.0, p.aside_of_way_m() - distance_to_segment(at, where, other.at));
  }
  return out;
}

Vec2 SharedList::waiting_place(std::size_t index, std::span<const Sharer> sharers) const {
  const v1::SharingParameters& p = sharers.front().place->parameters().sharing();
  const Sharer& sharer = sharers[index];
  const Member& member = members_[index];
  const bool nears = !has_none(member) && member.has_site;
  const double ground = sharer.place->height(sharer.self.position, sharer.worker->claim().thing);
  Vec2 best = sharer.self.position;
  double least = 1e9;
  for (int ring = 0; ring <= p.rings(); ++ring) {
    for (int k = 0; k < (ring == 0 ? 1 : p.directions()); ++k) {
      const Vec2 at =
          sharer.self.position + rotated(Vec2(ring * p.ring_m(), 0), k * 2 * kPi / p.directions());
      double cost = in_the_way(index, at, sharers) + p.far_costs() * ring * p.ring_m();
      if (nears) cost += p.site_costs() * (at - member.at).norm();
      for (const Vec2& work : work_places_) {
        const bool there = (work - sharer.self.position).norm() < p.walked_into_m();
        if (!there && distance_to_segment(work, sharer.self.position, at) < p.walked_into_m())
          cost += p.through_work_m();
      }
      if (cost >= least) continue;
      const double height = sharer.place->height(at, sharer.worker->claim().thing);
      if (std::abs(height - ground) > p.uneven_m()) continue;
      least = cost;
      best = at;
    }
  }
  return best;
}

void SharedList::direct(std::span<const Sharer> sharers) {
  const v1::SharingParameters& p = sharers.front().place->parameters().sharing();
  // Who is nearest to where it works comes first.
  std::array<std::size_t, kMostSharers> order;
  const auto count = members_.size();
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  const auto far = [&](std::size_t i) {
    return (members_[i].at - sharers[i].self.position).norm();
  };
  std::sort(order.begin(), order.begin() + std::ptrdiff_t(count),
            [&](std::size_t a, std::size_t b) {
              const double of_a = far(a), of_b = far(b);
              return of_a != of_b ? of_a < of_b : a < b;
            });
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = order[k];
    Member& member = members_[i];
    Worker& worker = *sharers[i].worker;
    if (!sharers[i].able) continue;
    bool goes_on = false;
    if (!has_none(member)) {
      if (worker.at_work()) member.entered = true;
      const bool away = !member.has_site || far(i) > p.enters_from_m();
      if (!member.entered && !away) member.entered = may_enter(i, sharers);
      goes_on = member.entered || away;
    } else {
      goes_on = worker.list().has_work();  // puts down what it has no task for
    }
    if (goes_on) {
      member.waits = false;
      worker.wait_at(std::nullopt);
      continue;
    }
    const bool moves = !member.waits || in_the_way(i, member.waits_at, sharers) > p.steps_aside();
    if (moves) {
      const Vec2 place = waiting_place(i, sharers);
      const bool better = !member.waits || in_the_way(i, place, sharers) + p.steps_aside() <
                                               in_the_way(i, member.waits_at, sharers);
      if (better) member.waits_at = place;
    }
    member.waits = true;
    worker.wait_at(member.waits_at);
  }
}

void SharedList::give_up_what_is_stuck(std::span<const Sharer> sharers) {
  const v1::SharingParameters& p = sharers.front().place->parameters().sharing();
  bool works = false;
  for (std::size_t i = 0; i < members_.size(); ++i)
    works =
        works || !sharers[i].able || (sharers[i].worker->list().has_work() && !members_[i].waits);
  stuck_ = works ? 0 : stuck_ + p.looks_every_s();
  if (stuck_ < p.puts_down_after_s()) return;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    if (has_none(member) || !sharers[i].worker->places()) continue;
    entries_[member.entry].pause = p.pause_s();
    give_back(member);
    Task down;
    down.kind = TaskKind::kPutDown;
    sharers[i].worker->take(&down);
    return;
  }
  if (stuck_ < p.gives_up_after_s()) return;
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    if (entries_[k].state != State::kOpen) continue;
    const char* why = why_not_now(entries_[k].task, *sharers.front().place);
    entries_[k].state = State::kFailed;
    given_up_.push_back({k, why ? why : "nobody can get to it"});
    stuck_ = 0;
    return;
  }
}

void SharedList::end() {
  finished_ = true;
  ended_ = !repeat_;
  if (!repeat_) return;
  for (Entry& entry : entries_) {
    entry.state = State::kOpen;
    entry.failures = 0;
    entry.pause = 0;
  }
}

void SharedList::update(std::span<const Sharer> sharers, double dt) {
  finished_ = false;
  given_up_.clear();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (sharers[i].able || has_none(members_[i])) continue;
    give_back(members_[i]);
    sharers[i].worker->take(nullptr);
  }
  for (Entry& entry : entries_) entry.pause = std::max(0.0, entry.pause - dt);
  clock_ -= dt;
  if (clock_ > 0 || members_.empty()) return;
  clock_ = sharers.front().place->parameters().sharing().looks_every_s();
  const bool all_over =
      std::all_of(entries_.begin(), entries_.end(), [this](const Entry& e) { return over(e); });
  if (all_over && !ended_) end();
  look_where_work_is(sharers);
  give(sharers);
  direct(sharers);
  give_up_what_is_stuck(sharers);
}

void SharedList::Entry::visit(StateVisitor& visitor) {
  task.visit(visitor);
  visitor.choice(state, 4);
  visitor(by);
  visitor.choice(failures, kMostCounted);
  visitor(pause);
}

void SharedList::Member::visit(StateVisitor& visitor) {
  visitor(id);
  visitor.choice(entry, kMostTasks + 1);
  visitor(entered, places, waits, waits_at, at, has_site);
}

void SharedList::visit(StateVisitor& state) {
  state.length(members_, kMostSharers);
  for (Member& member : members_) member.visit(state);
  state.length(entries_, kMostTasks);
  for (Entry& entry : entries_) entry.visit(state);
  state(repeat_, ended_, stuck_, clock_);
  if (!state.reading()) return;
  for (const Member& member : members_)
    if (member.entry > entries_.size()) state.fail("has a task that it does not have");
}

}  // namespace promenade::behaviour::tasks
