// The people who appear, where and when, and what they mean to do.
#include <algorithm>
#include <cmath>
#include <optional>

#include "behaviour/flow/flow.h"
#include "math/rotation.h"

namespace promenade::behaviour::flow {
namespace {

constexpr std::size_t kMostWaiting = 20;  // parties at an entrance
constexpr std::size_t kMostAtOnce = 100;  // parties at an entrance in one update
constexpr double kOtherSide = 4;          // m: an exit this near an entrance is the same door
constexpr double kMostDeviation = 2;      // standard deviations of speeds, either way
constexpr double kBeside = 0.7;           // m, between the people of a group as they come in

constexpr std::uint64_t kPopulation = 1 << 20;  // the stream of random numbers of populate()
constexpr std::uint64_t kGathering = 1 << 21;   // the stream of gather()
constexpr double kGatheredApart = 0.95;         // m, between the people of a gathering
constexpr int kAttempts = 60;                   // attempts to find a place for one of them
constexpr double kAstray = 2;                   // m, to either side of the shortest way

double exponential(Random& random) { return -std::log(1 - random.uniform()); }

/// An index, each as often as its weight says. @pre a weight is above 0
std::uint32_t choose_by(std::span<const double> weights, Random& random) {
  double sum = 0;
  for (const double w : weights) sum += w;
  double left = random.uniform() * sum;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

bool any_weight(std::span<const double> weights) {
  return std::any_of(weights.begin(), weights.end(), [](double w) { return w > 0; });
}

std::uint32_t party_size(const GroupShares& groups, Random& random) {
  if (!random.chance(groups.party_share()) || !any_weight(groups.sizes)) return 1;
  return 2 + choose_by(groups.sizes, random);
}

}  // namespace

void Flow::open_gates() {
  const auto reaches = [&](const Entrance& entrance, const Destination& to) {
    return tree(to).leg_from(entrance.area.center).reach == route::Reach::kReached;
  };
  for (std::uint32_t e = 0; e < plan_->entrances.size(); ++e) {
    const Entrance& entrance = plan_->entrances[e];
    Gate gate;
    gate.random = Random::stream(plan_->seed, e);
    gate.until_next = exponential(gate.random);
    bool elsewhere = false;
    for (std::uint32_t i = 0; i < plan_->exits.size(); ++i) {
      const bool reached = reaches(entrance, {Target::kExit, i, 0});
      gate.exit_weights.push_back(reached ? plan_->exits[i].weight : 0);
      const double apart = (plan_->exits[i].area.center - entrance.area.center).norm();
      elsewhere |= gate.exit_weights[i] > 0 && apart > kOtherSide;
    }
    // Nobody comes in to leave by the same door, unless there is no other.
    for (std::size_t i = 0; elsewhere && i < plan_->exits.size(); ++i) {
      const double apart = (plan_->exits[i].area.center - entrance.area.center).norm();
      if (apart <= kOtherSide) gate.exit_weights[i] = 0;
    }
    for (std::uint32_t i = 0; i < plan_->places.size(); ++i) {
      gate.stop_weights.push_back(
          reaches(entrance, {Target::kPlace, i, 0}) ? plan_->places[i].weight : 0);
    }
    for (std::uint32_t i = 0; i < plan_->queues.size(); ++i) {
      gate.stop_weights.push_back(
          reaches(entrance, {Target::kQueue, i, 0}) ? plan_->queues[i].weight : 0);
    }
    gates_.push_back(std::move(gate));
  }
}

std::vector<Flow::Unreached> Flow::unreached() {
  std::vector<Unreached> out;
  const auto check = [&](Target target, std::size_t count) {
    for (std::uint32_t e = 0; e < plan_->entrances.size(); ++e) {
      for (std::uint32_t i = 0; i < count; ++i) {
        const Destination to{target, i, 0};
        const route::Leg leg = tree(to).leg_from(plan_->entrances[e].area.center);
        if (leg.reach != route::Reach::kReached) out.push_back({e, to});
      }
    }
  };
  check(Target::kExit, plan_->exits.size());
  check(Target::kPlace, plan_->places.size());
  check(Target::kQueue, plan_->queues.size());
  return out;
}

bool Flow::closed(std::uint32_t entrance) const {
  return panic_near(plan_->entrances[entrance].area.center) != nullptr;
}

// Law: parties come as a Poisson process of rate r(t) / m, r people a minute, m people a party: one
// comes whenever the integral of the rate has grown by a number of the exponential distribution.
void Flow::arrive(double dt) {
  const double party_share = plan_->groups.party_share();
  const double size = 1 + party_share * (plan_->groups.mean_size() - 1);
  std::size_t people = expected();
  for (std::uint32_t e = 0; e < gates_.size(); ++e) {
    if (closed(e)) continue;
    Gate& gate = gates_[e];
    const double at = plan_->start_of_day + time_ - 0.5 * dt;
    gate.until_next -= plan_->entrances[e].rate.per_minute(at) / 60 * dt / size;
    auto waiting = std::size_t(
        std::count_if(due_.begin(), due_.end(), [e](const Arrival& a) { return a.entrance == e; }));
    for (std::size_t i = 0; i < kMostAtOnce && gate.until_next < 0; ++i) {
      gate.until_next += exponential(gate.random);
      if (!any_weight(gate.exit_weights)) continue;
      if (waiting >= kMostWaiting || people + kMostInParty > plan_->most_people) {
        ++turned_away_;
        continue;
      }
      add_party(e);
      ++waiting;
      people += due_.back().members;
    }
    gate.until_next = std::max(gate.until_next, 0.0);
  }
}

void Flow::populate(std::size_t people) {
  Random random = Random::stream(plan_->seed, kPopulation + next_party_ - 1);
  std::vector<double> weights;
  for (std::uint32_t e = 0; e < gates_.size(); ++e) {
    const bool leads_out = any_weight(gates_[e].exit_weights);
    weights.push_back(leads_out ? plan_->entrances[e].rate.per_minute(plan_->start_of_day) : 0);
  }
  if (!any_weight(weights)) return;
  const std::size_t others = std::min(expected(), plan_->most_people);
  const std::size_t most = std::min(people, plan_->most_people - others);
  for (std::size_t count = 0; count + kMostInParty <= most; count += due_.back().members) {
    add_party(choose_by(weights, random));
    put_on_the_way(due_.back(), due_parties_.back(), random);
  }
}

/// The number of people who are here or due.
std::size_t Flow::expected() const {
  std::size_t people = people_.size();
  for (const Arrival& a : due_) people += a.members;
  return people;
}

void Flow::gather(const Gathering& gathering) {
  Random random = Random::stream(plan_->seed, kGathering + next_party_);
  std::vector<double> weights;
  for (const Gate& gate : gates_) weights.push_back(any_weight(gate.exit_weights) ? 1 : 0);
  if (!any_weight(weights)) return;
  std::vector<Vec2> taken;
  const auto near = [&](const Vec2& p) {
    return (p - gathering.center).norm() < gathering.radius + 1;
  };
  for (const Person& p : people_) {
    if (near(p.at)) taken.push_back(p.at);
  }
  for (const Arrival& a : due_) {
    for (std::uint32_t i = 0; i < a.members; ++i) {
      if (near(a.at[i])) taken.push_back(a.at[i]);
    }
  }
  std::size_t people = expected();
  const auto clear = [&](const Vec2& p) {
    return map_->free(p) && std::all_of(taken.begin(), taken.end(), [&](const Vec2& other) {
             return (other - p).norm() >= kGatheredApart;
           });
  };
  for (std::size_t i = 0; i < gathering.people && people < plan_->most_people; ++i) {
    std::optional<Vec2> place;
    for (int attempt = 0; attempt < kAttempts && !place; ++attempt) {
      const double angle = random.uniform(-kPi, kPi);
      const double far = gathering.radius * std::sqrt(random.uniform());
      const Vec2 p = gathering.center + far * Vec2(std::cos(angle), std::sin(angle));
      if (clear(p)) place = p;
    }
    if (!place) return;  // full
    add_party(choose_by(weights, random));
    Arrival& arrival = due_.back();
    arrival.members = due_parties_.back().members = 1;
    arrival.at[0] = *place;
    arrival.heading = due_parties_.back().heading = random.uniform(-kPi, kPi);
    taken.push_back(*place);
    ++people;
  }
}

/// Somewhere between two things that a party does, of which the entrance is the first and the exit
/// the last.
void Flow::put_on_the_way(Arrival& arrival, Party& party, Random& random) {
  const auto stop = [&](std::uint32_t i) {
    return Destination{party.stops[i].target, party.stops[i].index, 0};
  };
  party.next = std::uint32_t(random.below(party.stop_count + 1));
  const Destination to =
      party.done() ? Destination{Target::kExit, party.exit, 0} : stop(party.next);
  const Vec2 from = party.next == 0 ? plan_->entrances[arrival.entrance].area.center
                                    : point_of(stop(party.next - 1));
  std::vector<Vec2> way = tree(to).route_from(from);
  if (way.empty()) return;
  way.insert(way.begin(), from);
  double length = 0;
  for (std::size_t i = 1; i < way.size(); ++i) length += (way[i] - way[i - 1]).norm();
  double left = random.uniform() * length;
  std::size_t piece = 1;
  while (piece + 1 < way.size() && left > (way[piece] - way[piece - 1]).norm()) {
    left -= (way[piece] - way[piece - 1]).norm();
    ++piece;
  }
  const Vec2 along = way[piece] - way[piece - 1];
  if (along.norm() < 1e-6) return;
  const Vec2 ahead = along.normalized(), aside(-ahead.y(), ahead.x());
  const Vec2 middle = way[piece - 1] + ahead * std::min(left, along.norm()) +
                      aside * random.uniform(-kAstray, kAstray);
  arrival.heading = party.heading = std::atan2(ahead.y(), ahead.x());
  for (std::uint32_t i = 0; i < arrival.members; ++i) {
    const Vec2 wanted = middle + aside * (kBeside * (i - 0.5 * (party.members - 1)));
    arrival.at[i] = map_->nearest_free(wanted).value_or(middle);
  }
}

void Flow::add_party(std::uint32_t e) {
  Random& random = gates_[e].random;
  const Entrance& entrance = plan_->entrances[e];
  Arrival arrival;
  arrival.at.fill(Vec2::Zero());  // all of them are in the state, also where fewer come
  Party party;
  arrival.party = party.id = next_party_++;
  arrival.entrance = e;
  arrival.heading = party.heading = entrance.heading;
  arrival.members = party.members = party_size(plan_->groups, random);
  const Vec2 middle =
      entrance.area.center + rotated(Vec2(entrance.area.half.x() * random.uniform(-1, 1),
                                          entrance.area.half.y() * random.uniform(-1, 1)),
                                     entrance.area.yaw);
  for (std::uint32_t i = 0; i < party.members; ++i) {
    const double across = kBeside * (i - 0.5 * (party.members - 1));
    arrival.person[i] = next_person_++;
    const Vec2 wanted = middle + rotated(Vec2(0, across), entrance.heading);
    arrival.at[i] = map_->nearest_free(wanted).value_or(middle);
    const double deviation = std::clamp(random.normal(), -kMostDeviation, kMostDeviation);
    arrival.speed[i] = std::max(0.4, plan_->speed + plan_->speed_spread * deviation);
  }
  party.exit = choose_by(gates_[e].exit_weights, random);
  std::vector<double> weights = gates_[e].stop_weights;
  const std::size_t stops =
      plan_->least_stops + random.below(plan_->most_stops - plan_->least_stops + 1);
  while (party.stop_count < stops && any_weight(weights)) {
    const std::uint32_t chosen = choose_by(weights, random);
    weights[chosen] = 0;
    Party::Stop& stop = party.stops[party.stop_count++];
    const auto places = std::uint32_t(plan_->places.size());
    stop.target = chosen < places ? Target::kPlace : Target::kQueue;
    stop.index = chosen < places ? chosen : chosen - places;
    if (chosen >= places) continue;
    const Place& place = plan_->places[chosen];
    stop.stay = random.uniform(place.least_stay, place.most_stay);
  }
  due_.push_back(arrival);
  due_parties_.push_back(party);
}

}  // namespace promenade::behaviour::flow
