#include <algorithm>

#include "behaviour/flow/on_errand.h"
#include "world/crowd/crowd.h"

// People who come and go.
namespace promenade::world {
namespace {

using behaviour::flow::Event;
using behaviour::flow::Happening;
using behaviour::flow::PersonId;

constexpr double kRoomToEnter = 0.9;  // m, between one who comes in and others, now and
constexpr double kNearly = 0.8;       // s later

/// Places of people, by x.
class Places {
 public:
  void add(const Vec2& place) { all_.push_back(place); }
  void sort() { std::sort(all_.begin(), all_.end(), before); }
  void insert(const Vec2& place) {
    all_.insert(std::lower_bound(all_.begin(), all_.end(), place, before), place);
  }
  /// Whether nobody is within kRoomToEnter of it.
  bool clear(const Vec2& place) const {
    const Vec2 first(place.x() - kRoomToEnter, -1e9);
    auto one = std::lower_bound(all_.begin(), all_.end(), first, before);
    for (; one != all_.end() && one->x() <= place.x() + kRoomToEnter; ++one) {
      if ((*one - place).norm() < kRoomToEnter) return false;
    }
    return true;
  }

 private:
  static bool before(const Vec2& a, const Vec2& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  }
  std::vector<Vec2> all_;
};

}  // namespace

/// Finds the characters that are people of the flow, in its order, and takes those out of the flow
/// who are gone, or have been told to do something else.
void Crowd::take_stock(Occupants& occupants) {
  visitors_.clear();
  for (std::size_t i = 0; i < occupants.entities.size(); ++i) {
    Entity& e = *occupants.entities[i];
    if (e.person == 0) continue;
    if (e.follows<behaviour::flow::OnErrand>()) {
      visitors_.push_back({e.person, std::uint32_t(i)});
    } else {
      e.person = 0;
    }
  }
  std::sort(visitors_.begin(), visitors_.end(),
            [](const auto& a, const auto& b) { return a.person < b.person; });
  // Both are by ascending numbers.
  std::vector<PersonId> gone;
  std::size_t next = 0, kept = 0;
  for (const behaviour::flow::Person& person : flow_->people()) {
    // A saved state that was made up may name people whom the flow does not know.
    while (next < visitors_.size() && visitors_[next].person < person.id) ++next;
    if (next < visitors_.size() && visitors_[next].person == person.id) {
      visitors_[kept++] = visitors_[next++];
    } else {
      gone.push_back(person.id);
    }
  }
  visitors_.resize(kept);
  for (const PersonId person : gone) flow_->remove(person);
}

void Crowd::run_flow(Occupants& occupants, PeopleMaker& maker, const TickView& now) {
  if (!flow_) return;
  take_stock(occupants);
  places_.clear();
  for (const Visitor& visitor : visitors_) {
    places_.push_back(occupants.entities[visitor.entity]->position());
  }
  flow_->update(places_, double(period_) * now.dt);
  const auto find_visitor = [&](PersonId person) -> Entity& {
    const auto at =
        std::lower_bound(visitors_.begin(), visitors_.end(), person,
                         [](const auto& one, PersonId wanted) { return one.person < wanted; });
    return *occupants.entities[at->entity];
  };
  for (const Event& event : flow_->events()) {
    if (event.what != Happening::kLeft) continue;
    Entity& e = find_visitor(event.person);
    e.person = 0;
    e.leaves_at = now.tick + now.ticks(Entity::kFade);
  }
  const auto errands = flow_->errands();
  const auto people = flow_->people();
  for (std::size_t i = 0; i < people.size(); ++i) {
    static_cast<behaviour::flow::OnErrand&>(*find_visitor(people[i].id).behaviour).give(errands[i]);
  }
  let_in(occupants, maker, now.tick);
}

// Lets in the people who are due, where there is room for them.
void Crowd::let_in(Occupants& occupants, PeopleMaker& maker, std::uint64_t tick) {
  if (flow_->due().empty()) return;
  Places places;
  std::vector<std::uint32_t> away;  // characters that may come in again, the last first
  std::size_t known = 0;
  for (std::size_t i = 0; i < occupants.entities.size(); ++i) {
    const Entity& e = *occupants.entities[i];
    if (e.present()) {
      places.add(e.position());
      places.add(e.position() + kNearly * e.smooth_velocity);
    }
    if (!e.of_flow()) continue;
    ++known;
    if (e.away) away.push_back(std::uint32_t(i));
  }
  places.sort();
  std::reverse(away.begin(), away.end());
  std::vector<behaviour::flow::PartyId> ready;
  for (const behaviour::flow::Arrival& arrival : flow_->due()) {
    const auto at = std::span(arrival.at).first(arrival.members);
    if (!std::all_of(at.begin(), at.end(), [&](const Vec2& p) { return places.clear(p); }))
      continue;
    for (std::uint32_t i = 0; i < arrival.members; ++i) {
      Entity* e = nullptr;
      if (!away.empty()) {
        e = occupants.entities[away.back()];
        away.pop_back();
      } else {
        CharacterPlan plan = given_.mix.member(known++);
        plan.order = behaviour::flow::OnErrand::Order{};
        e = &maker.make(plan);
      }
      maker.set_down(*e, arrival.at[i], arrival.heading);
      e->behaviour->relocated(e->self());
      e->person = arrival.person[i];
      e->came_back = tick;
      places.insert(arrival.at[i]);
    }
    ready.push_back(arrival.party);
  }
  for (const behaviour::flow::PartyId party : ready) flow_->enter(party);
}

void Crowd::make_first_people(PeopleMaker& maker) {
  if (!flow_) return;
  std::size_t known = 0;
  for (const behaviour::flow::Arrival& arrival : flow_->due()) {
    for (std::uint32_t i = 0; i < arrival.members; ++i) {
      CharacterPlan plan = given_.mix.member(known++);
      plan.order = behaviour::flow::OnErrand::Order{};
      Entity& e = maker.make(plan);
      maker.set_down(e, arrival.at[i], arrival.heading);
      e.away = true;
    }
  }
}

void Crowd::look_at_flow(const TickView& now, std::vector<RoomEvent>& events) {
  if (!flow_) return;
  std::size_t cut_off = 0;
  for (const Event& event : flow_->events()) {
    if (event.what == Happening::kEntered) ++figures_.entered[event.index];
    if (event.what == Happening::kLeft) ++figures_.left[event.index];
    cut_off += event.what == Happening::kLost ? 1 : 0;
  }
  count();
  double sum = 0;
  for (const Visitor& visitor : visitors_) {
    sum += now.occupants.entities[visitor.entity]->smooth_velocity.norm();
  }
  figures_.mean_speed = visitors_.empty() ? 0 : sum / double(visitors_.size());
  if (cut_off == 0) return;
  const std::string who = cut_off == 1 ? "1 person has" : std::to_string(cut_off) + " people have";
  events.push_back({now.tick, 0, RoomEvent::Kind::kNotice,
                    who +
                        " no way to go from where they stand: move the wall or the exit that cuts "
                        "them off"});
}

}  // namespace promenade::world
