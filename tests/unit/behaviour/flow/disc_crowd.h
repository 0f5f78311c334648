#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "behaviour/flow/flow.h"

namespace promenade::behaviour::flow::testing {

inline constexpr double kTick = 0.1;  // s

/// Discs that do their errands without physics: their velocity turns to the wanted one within a
/// fraction of a second, and nobody is in anybody's way.
struct DiscCrowd {
  struct Disc {
    PersonId id;
    Vec2 at, velocity;
  };
  Flow& flow;
  std::vector<Disc> discs;      // as flow.people()
  std::vector<Event> happened;  // of all updates
  /// Called for each disc and tick with its last and present place.
  std::function<void(const Disc&, const Vec2&)> moved = [](const Disc&, const Vec2&) {};

  void step() {
    std::vector<Vec2> positions;
    for (const Disc& disc : discs) positions.push_back(disc.at);
    flow.update(positions, kTick);
    while (!flow.due().empty()) {
      const Arrival arrival = flow.due().front();
      flow.enter(arrival.party);
      for (std::uint32_t i = 0; i < arrival.members; ++i) {
        discs.push_back({arrival.person[i], arrival.at[i], Vec2::Zero()});
      }
    }
    settle();
    for (std::size_t k = 0; k < discs.size(); ++k) move(discs[k], flow.errands()[k]);
  }

  /// Notes what has happened, and drops the discs of those who have left.
  void settle() {
    happened.insert(happened.end(), flow.events().begin(), flow.events().end());
    std::sort(discs.begin(), discs.end(), [](auto& a, auto& b) { return a.id < b.id; });
    std::vector<Disc> here;
    std::size_t i = 0;
    for (const Person& person : flow.people()) {
      while (discs[i].id != person.id) ++i;
      here.push_back(discs[i]);
    }
    discs = here;
  }

  void run(double seconds) {
    for (double t = 0; t < seconds; t += kTick) step();
  }
  std::size_t count(Happening what) const {
    return std::size_t(std::count_if(happened.begin(), happened.end(),
                                     [what](const Event& e) { return e.what == what; }));
  }

 private:
  void move(Disc& disc, const Errand& errand) {
    const Vec2 way = errand.aim - disc.at;
    const double length = way.norm();
    Vec2 wanted = Vec2::Zero();
    if (!errand.stand && length > 1e-9) {
      wanted = way * (std::min(errand.speed, length / kTick) / length);
    }
    disc.velocity += (wanted - disc.velocity) * 0.7;
    const Vec2 before = disc.at;
    disc.at += disc.velocity * kTick;
    moved(disc, before);
  }
};

}  // namespace promenade::behaviour::flow::testing
