#include "world/showing/onlookers.h"

#include <algorithm>

namespace promenade::world {

bool Onlookers::look_at(CharacterId id, const Vec3& place) const {
  return all ||
         std::any_of(eyes.begin(), eyes.end(), [&](const Eye& eye) { return eye.sees(place); }) ||
         std::find(chosen.begin(), chosen.end(), id) != chosen.end();
}

}  // namespace promenade::world
