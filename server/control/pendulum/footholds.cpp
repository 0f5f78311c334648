#include "control/pendulum/footholds.h"

#include <cmath>

namespace promenade::control::pendulum {
namespace {

constexpr double kEvery = 0.02;        // m, between places that are tried
constexpr double kBesideLimit = 0.10;  // m, furthest to the side
constexpr double kInside = 0.6;  // of the radius: where the ground is looked at besides the centre
constexpr double kSteepest = 0.75;  // rise over run between there and the centre

class Seeker {
 public:
  Seeker(const physics::GroundNow& ground, const FootholdSearch& search)
      : ground_(ground), search_(search), aside_(-search.forward.y(), search.forward.x()) {}

  bool at(double along, double across, Foothold& found) const {
    const Vec2 place = search_.wanted + along * search_.forward + across * aside_;
    const physics::GroundPoint here = ground_.at(place.x(), place.y());
    if (!here.there || !reachable(here.height)) return false;
    const double out = kInside * search_.radius;
    for (const Vec2& way : {search_.forward, aside_}) {
      for (const double sign : {-1.0, 1.0}) {
        const Vec2 near = place + sign * out * way;
        const physics::GroundPoint there = ground_.at(near.x(), near.y());
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

Foothold find_foothold(const physics::GroundNow& ground, const FootholdSearch& search) {
  Foothold found{{search.wanted.x(), search.wanted.y(), 0}, true};
  if (ground.ground->is_level()) return found;
  const Seeker seeker(ground, search);
  if (seeker.at(0, 0, found)) return found;
  const auto places = [](double within) { return int(std::floor(within / kEvery + 1e-9)); };
  for (int i = 1; i <= places(search.ahead); ++i)
    if (seeker.at(i * kEvery, 0, found)) return found;
  for (int i = 1; i <= places(search.behind); ++i)
    if (seeker.at(-i * kEvery, 0, found)) return found;
  for (int i = 1; i <= places(kBesideLimit); ++i)
    for (const double sign : {-1.0, 1.0})
      for (const double along : {0.0, 0.1, -0.1, 0.2, -0.2})
        if (along <= search.ahead && -along <= search.behind &&
            seeker.at(along, sign * i * kEvery, found))
          return found;
  const physics::GroundPoint under = ground.at(search.wanted.x(), search.wanted.y());
  return {{search.wanted.x(), search.wanted.y(), under.there ? under.height : search.level}, false};
}

}  // namespace promenade::control::pendulum
