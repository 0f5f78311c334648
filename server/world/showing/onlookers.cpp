#include "world/showing/onlookers.h"

#include <algorithm>

namespace promenade::world {

bool Onlookers::want_details_of(CharacterId id) const {
  return all || std::find(chosen.begin(), chosen.end(), id) != chosen.end();
}

bool Onlookers::look_at(CharacterId id, const Vec3& place) const {
  return want_details_of(id) ||
         std::any_of(eyes.begin(), eyes.end(), [&](const Eye& eye) { return eye.sees(place); });
}

}  // namespace promenade::world
