// Fleeing from a place.
#include <algorithm>

#include "behaviour/flow/flow.h"

namespace promenade::behaviour::flow {
namespace {

constexpr std::size_t kMostStarted = 64;
constexpr double kLeastReaction = 0.3, kMostReaction = 1.5;  // s, until the alarm has sunk in
constexpr double kPastDanger = 3;   // times as long counts a way that leads nearer to the danger
constexpr double kAtDanger = 1000;  // m longer counts the way to an exit within its radius

/// Least distance from c to the straight way from a to b, m.
double passes_at(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 d = b - a;
  const double square = d.squaredNorm();
  const double along = square > 0 ? std::clamp(d.dot(c - a) / square, 0.0, 1.0) : 0;
  return (a + along * d - c).norm();
}

}  // namespace

bool Flow::start_panic(const Vec2& from, double radius, double duration) {
  std::erase_if(panics_, [&](const Panic& p) { return time_ >= p.at + p.duration; });
  if (panics_.size() >= kMostStarted) return false;
  panics_.push_back({time_, from, radius, duration});
  return true;
}

const Panic* Flow::panic_near(const Vec2& p) const {
  for (const Panic& panic : panics_) {
    const bool now = time_ >= panic.at && time_ < panic.at + panic.duration;
    if (now && (p - panic.from).norm() < panic.radius) return &panic;
  }
  return nullptr;
}

void Flow::take_alarm(Party& party, Members members) {
  if (party.task == Task::kFleeing) {
    if (time_ < party.until) return;
    party.task = Task::kGoing;
    party.until = 0;
    party.flee_at = -1;
    for (const Person& p : members) tell(Happening::kCalmed, p.id, party.exit);
    return;
  }
  if (panics_.empty()) return;
  if (party.flee_at >= 0) {
    if (time_ >= party.flee_at) flee(party, members);
    return;
  }
  for (const Person& p : members) {
    if (!panic_near(p.at)) continue;
    Random random = Random::stream(plan_->seed ^ 0xa1a7aULL, party.id);
    party.flee_at = time_ + random.uniform(kLeastReaction, kMostReaction);
    return;
  }
}

void Flow::flee(Party& party, Members members) {
  const Panic* panic = nullptr;
  for (const Person& p : members) {
    if (!panic) panic = panic_near(p.at);
  }
  if (!panic) {  // over, or out of its reach by now
    party.flee_at = -1;
    return;
  }
  for (Person& p : members) free_of(p.id);
  const std::uint32_t exit = safe_exit(members[0].at, *panic);
  party.exit = exit;
  party.task = Task::kFleeing;
  party.until = panic->at + panic->duration;
  for (Person& p : members) {
    p.served = false;
    p.send({Target::kExit, exit, 0});
    tell(Happening::kFled, p.id, exit);
  }
}

/// The nearest exit by its route, where ways past the danger count as longer.
std::uint32_t Flow::safe_exit(const Vec2& p, const Panic& panic) {
  std::uint32_t best = 0;
  double least = route::kNoRoute;
  const double here = (p - panic.from).norm();
  for (std::uint32_t i = 0; i < plan_->exits.size(); ++i) {
    const route::Leg leg = tree({Target::kExit, i, 0}).leg_from(p);
    double cost = leg.left;
    if (passes_at(p, leg.aim, panic.from) < 0.9 * here) cost *= kPastDanger;
    if ((plan_->exits[i].area.center - panic.from).norm() < panic.radius) cost += kAtDanger;
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  return best;
}

}  // namespace promenade::behaviour::flow
