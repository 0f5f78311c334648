// The crowd of a room: how its characters keep clear of each other, and people who come and go.
#include <algorithm>
#include <set>

#include "behaviour/flow/on_errand.h"
#include "math/rotation.h"
#include "world/room/room_impl.h"
#include "world/step/wall_clock.h"

namespace promenade::world {
namespace {

using behaviour::crowd::Vec2f;
using behaviour::crowd::Walkers;
using behaviour::flow::Event;
using behaviour::flow::Happening;
using behaviour::flow::PersonId;

constexpr double kDisc = 0.8;         // share of the wanted space: 0.36 m of the human's
constexpr float kSlowest = 0.5f;      // m/s, at which a character may evade at least
constexpr double kRoomToEnter = 0.9;  // m, between one who comes in and others, now and
constexpr double kNearly = 0.8;       // s later

/// How somebody answers to the choices of the crowd.
struct Answer {
  float lag;                 // s
  float share;               // of an evasion: characters that answer badly do less of it
  float sideways, backward;  // m/s
};
constexpr Answer kLight{0.45f, 0.5f, 0.5f, 0.4f};
constexpr Answer kPhysics{0.4f, 0.25f, 0.15f, 0.1f};

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

void Room::Impl::measure_gaits(const CrowdMix& mix, std::size_t first, std::size_t count) {
  const bool light = mix.family && mix.family->light;
  if (!light && scene->in_physics == 0) return;
  const control::Family& family = light ? *mix.family : Entity::light_family();
  std::set<std::pair<std::string, std::string>> pairs;
  // After so many members all pairs have come.
  count = std::min(count, mix.bodies.size() * mix.styles.size());
  for (std::size_t k = 0; k < count; ++k) {
    const CharacterPlan plan = mix.member(first + k);
    pairs.emplace(plan.body, plan.style);
  }
  const std::vector<std::pair<std::string, std::string>> all(pairs.begin(), pairs.end());
  workers.run(int(all.size()), [&](int i, Workers::Worker&) {
    const auto& [body, style] = all[std::size_t(i)];
    const auto& creature = library->find_creature(body)->body;
    if (!family.why_not(*creature).empty()) return;
    library->controllers().make(family, creature, library->find_style(style)->style);
  });
}

void Room::Impl::run_crowd() {
  if (!crowd_decides()) return;
  const double start = now_s();
  if (crowd.flow) run_flow();
  times.behaviour += now_s() - start;
  choose_velocities();
}

/// Finds the characters that are people of the flow, in its order, and takes those out of the flow
/// who are gone, or have been told to do something else.
void Room::Impl::take_stock_of_flow() {
  crowd.visitors.clear();
  for (std::size_t i = 0; i < occupants.entities.size(); ++i) {
    Entity& e = *occupants.entities[i];
    if (e.person == 0) continue;
    if (e.behaviour->kind() == behaviour::BehaviourKind::kErrand) {
      crowd.visitors.push_back({e.person, std::uint32_t(i)});
    } else {
      e.person = 0;
    }
  }
  std::sort(crowd.visitors.begin(), crowd.visitors.end(),
            [](const auto& a, const auto& b) { return a.person < b.person; });
  // Both are by ascending numbers.
  std::vector<PersonId> gone;
  std::size_t next = 0, kept = 0;
  for (const behaviour::flow::Person& person : crowd.flow->people()) {
    // A saved state that was made up may name people whom the flow does not know.
    while (next < crowd.visitors.size() && crowd.visitors[next].person < person.id) ++next;
    if (next < crowd.visitors.size() && crowd.visitors[next].person == person.id) {
      crowd.visitors[kept++] = crowd.visitors[next++];
    } else {
      gone.push_back(person.id);
    }
  }
  crowd.visitors.resize(kept);
  for (const PersonId person : gone) crowd.flow->remove(person);
}

void Room::Impl::run_flow() {
  take_stock_of_flow();
  crowd.places.clear();
  for (const RoomCrowd::Visitor& visitor : crowd.visitors) {
    crowd.places.push_back(occupants.entities[visitor.entity]->position());
  }
  crowd.flow->update(crowd.places, double(crowd.period) * dt());
  const auto find_visitor = [this](PersonId person) -> Entity& {
    const auto at =
        std::lower_bound(crowd.visitors.begin(), crowd.visitors.end(), person,
                         [](const auto& one, PersonId wanted) { return one.person < wanted; });
    return *occupants.entities[at->entity];
  };
  for (const Event& event : crowd.flow->events()) {
    if (event.what != Happening::kLeft) continue;
    Entity& e = find_visitor(event.person);
    e.person = 0;
    e.leaves_at = tick_number + view().ticks(Entity::kFade);
  }
  const auto errands = crowd.flow->errands();
  const auto people = crowd.flow->people();
  for (std::size_t i = 0; i < people.size(); ++i) {
    static_cast<behaviour::flow::OnErrand&>(*find_visitor(people[i].id).behaviour).give(errands[i]);
  }
  let_in();
}

// Lets in the people who are due, where there is room for them.
void Room::Impl::let_in() {
  if (crowd.flow->due().empty()) return;
  Places places;
  std::vector<std::uint32_t> away;  // characters that may come in again, the last first
  std::size_t known = 0;
  for (std::size_t i = 0; i < occupants.entities.size(); ++i) {
    const Entity& e = *occupants.entities[i];
    if (e.present()) {
      places.add(e.position());
      places.add(e.position() + kNearly * e.smooth_velocity);
    }
    if (e.task.kind != Task::Kind::kFlow) continue;
    ++known;
    if (e.away) away.push_back(std::uint32_t(i));
  }
  places.sort();
  std::reverse(away.begin(), away.end());
  std::vector<behaviour::flow::PartyId> ready;
  for (const behaviour::flow::Arrival& arrival : crowd.flow->due()) {
    const auto at = std::span(arrival.at).first(arrival.members);
    if (!std::all_of(at.begin(), at.end(), [&](const Vec2& p) { return places.clear(p); }))
      continue;
    for (std::uint32_t i = 0; i < arrival.members; ++i) {
      Entity* e = nullptr;
      if (!away.empty()) {
        e = occupants.entities[away.back()];
        away.pop_back();
      } else {
        CharacterPlan plan = crowd.given.mix.member(known++);
        plan.task.kind = Task::Kind::kFlow;
        e = &make(plan);
      }
      set_down(*e, arrival.at[i], arrival.heading);
      e->behaviour->relocated(e->self());
      e->person = arrival.person[i];
      e->came_back = tick_number;
      places.insert(arrival.at[i]);
    }
    ready.push_back(arrival.party);
  }
  for (const behaviour::flow::PartyId party : ready) crowd.flow->enter(party);
}

void Room::Impl::make_first_people() {
  std::size_t known = 0;
  for (const behaviour::flow::Arrival& arrival : crowd.flow->due()) {
    for (std::uint32_t i = 0; i < arrival.members; ++i) {
      CharacterPlan plan = crowd.given.mix.member(known++);
      plan.task.kind = Task::Kind::kFlow;
      Entity& e = make(plan);
      set_down(e, arrival.at[i], arrival.heading);
      e.away = true;
    }
  }
}

void Room::Impl::send_away(Entity& e) {
  ties.release_all(e.id);
  e.away = true;
  e.fallen = e.down = e.risen = e.quarantined = false;
  e.rise.reset();
  e.leaves_at = e.back_at = 0;
  e.person = 0;
  e.pushes.clear();
}

// One character as its crowd sees it.
Walkers::Disc Room::Impl::disc_of(std::size_t index) {
  Entity& e = *occupants.entities[index];
  Walkers::Disc disc;
  disc.share = 0;
  if (!e.present()) {
    // The disc is put out of everybody's way.
    disc.position = Vec2f(1e5f, 2 * float(index));
    return disc;
  }
  const bool light = e.kinematic() != nullptr;
  disc.radius = float(kDisc * e.radius);
  if (!e.in_crowd()) {
    e.in_step.known = false;
    disc.position = e.position().cast<float>();
    disc.velocity = e.smooth_velocity.cast<float>();
    return disc;
  }
  e.in_step.meet(e.position(), e.smooth_velocity, light);
  disc.position = e.in_step.place.cast<float>();
  disc.velocity = e.in_step.velocity.cast<float>();
  disc.preferred = e.behaviour->wish().cast<float>();
  const float wished = disc.preferred.norm();
  disc.fastest = std::max(kSlowest, 1.3f * wished);
  const Answer& answer = light ? kLight : kPhysics;
  disc.lag = answer.lag;
  // A character that stands stays: the others go round.
  disc.share = wished > 0 ? answer.share : 0;
  disc.facing = rotated(Vec2(1, 0), e.smooth_heading).cast<float>();
  disc.sideways = answer.sideways;
  disc.backward = answer.backward;
  disc.held = float(e.in_step.held_up);
  disc.news = float(e.in_step.news);
  return disc;
}

void Room::Impl::choose_velocities() {
  auto& discs = crowd.walkers.discs();
  discs.resize(occupants.entities.size());
  workers.each_piece(occupants.entities.size(),
                     [&](std::size_t first, std::size_t end, Workers::Worker& w) {
                       const double began = now_s();
                       for (std::size_t i = first; i < end; ++i) discs[i] = disc_of(i);
                       w.behaviour_s += now_s() - began;
                     });
  if (std::none_of(occupants.entities.begin(), occupants.entities.end(),
                   [](const auto& e) { return e->in_crowd(); }))
    return;
  for (const auto& prop : occupants.props) {
    for (const behaviour::Neighbour& part : prop->discs()) {
      Walkers::Disc disc;
      disc.position = part.position.cast<float>();
      disc.velocity = part.velocity.cast<float>();
      disc.radius = float(part.radius);
      disc.share = 0;
      discs.push_back(disc);
    }
  }
  crowd.chosen.resize(discs.size());
  crowd.walkers.sort((tick_number - scene_tick) / crowd.period);
  constexpr std::size_t kPiece = 32;
  workers.run(int((discs.size() + kPiece - 1) / kPiece), [&](int piece, Workers::Worker& worker) {
    const double began = now_s();
    const std::size_t first = std::size_t(piece) * kPiece;
    crowd.walkers.choose(first, std::min(kPiece, discs.size() - first), crowd.chosen);
    worker.behaviour_s += now_s() - began;
  });
  workers.each(occupants.entities.size(), [&](std::size_t i, Workers::Worker&) {
    Entity& e = *occupants.entities[i];
    if (!e.in_crowd()) return;
    e.in_step.move(crowd.chosen[i].cast<double>(), double(discs[i].lag),
                   double(crowd.walkers.law().step));
    e.in_step.held_up = discs[i].held;
    e.in_step.news = discs[i].news;
  });
}

}  // namespace promenade::world
