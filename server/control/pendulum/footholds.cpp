#include "control/pendulum/footholds.h"

#include <cmath>

namespace promenade::control::pendulum {
namespace {

constexpr double kEvery = 0.02;        // m, between places that are tried
constexpr double kBesideLimit = 0.10;  // m, furthest to the side
constexpr double kInside = 0.6;     // share of the radius: the ground is also looked at so far out
constexpr double kSteepest = 0.75;  // rise over run between there and the centre

class Seeker {
 public:
  Seeker(const physics::GroundNow& ground, const FootholdSearch& search)
      : ground_(ground), search_(search), aside_(-search.forward.y(), search.forward.x()) {}

  bool at(double along, double across, Foothold& found) const {
    return at(search_.wanted + along * search_.forward + across * aside_, found);
  }

  bool at(const Vec2& place, Foothold& found) const {
    const double highest = search_.level + search_.step_up;
    const physics::GroundPoint here = ground_.bearing(place.x(), place.y(), highest);
    if (!here.there || !reachable(here.height)) return false;
    const double out = kInside * search_.radius;
    for (const Vec2& way : {search_.forward, aside_}) {
      for (const double sign : {-1.0, 1.0}) {
        const Vec2 near = place + sign * out * way;
        const physics::GroundPoint there = ground_.bearing(near.x(), near.y(), highest);
        if (!there.there || std::abs(there.height - here.height) > kSteepest * out) return false;
      }
    }
    found = {{place.x(), place.y(), here.height}, true};
    return true;
  }

 private:
  bool reachable(double height) const {
    return height < search_.level + search_.step_up && height > search_.level - search_.step_down;
  }

  const physics::GroundNow& ground_;
  const FootholdSearch& search_;
  Vec2 aside_;
};

}  // namespace

bool bears_foot(const physics::GroundNow& ground, const FootholdSearch& search, const Vec2& place,
                Foothold& found) {
  return Seeker(ground, search).at(place, found);
}

Foothold find_foothold(const physics::GroundNow& ground, const FootholdSearch& search) {
  Foothold found{{search.wanted.x(), search.wanted.y(), 0}, true};
  if (ground.is_bare(search.wanted.x(), search.wanted.y())) return found;
  const Seeker seeker(ground, search);
  if (seeker.at(0, 0, found)) return found;
  const auto places = [](double within) { return int(std::floor(within / kEvery + 1e-9)); };
  // Tries the nearest place across the step for each distance along it.
  const auto across = [&](int along) {
    for (int i = 0; i <= places(kBesideLimit); ++i)
      for (const double sign : {1.0, -1.0})
        if ((i > 0 || sign > 0) && seeker.at(along * kEvery, sign * i * kEvery, found)) return true;
    return false;
  };
  for (int i = 0; i <= places(search.ahead); ++i)
    if (across(i)) return found;
  for (int i = 1; i <= places(search.behind); ++i)
    if (across(-i)) return found;
  const physics::GroundPoint under =
      ground.bearing(search.wanted.x(), search.wanted.y(), search.level + search.step_up);
  return {{search.wanted.x(), search.wanted.y(), under.there ? under.height : search.level}, false};
}

}  // namespace promenade::control::pendulum
