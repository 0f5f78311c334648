#pragma once

#include "math/types.h"

namespace promenade::control::pendulum {

/// The end of a swing. Heading frame, SI.
struct Landing {
  double left = 0;  // s, until then
  Vec2 mass;        // where the mass is then
  Vec2 foot;        // where the foot comes down
};

/// Where the foot in the air comes down so that the walk goes on as is wanted, whenever that is.
/// The state of the wanted walk is that at the end of single support. Heading frame, SI.
/// Source: Kenwright2014 eq. 3.4 and 3.5; the terms for a steady walk and double support are ours.
struct LandingLaw {
  double rate;                   // 1/s, at which the mass falls away from the foot that stands
  double height;                 // m, of the mass above the new foothold
  Vec2 mass, velocity;           // now
  Vec2 cop;                      // centre of pressure, at rest until then
  Vec2 stand;                    // the foot that stands
  Vec2 against;                  // m, by which feet stand further against a steady force
  Vec2 wanted_velocity;          // of the mass
  Vec2 from_stand, from_landed;  // m, of the mass from the foot that stands, and from the new one
  double scale;                  // of the distance at which the mass comes to rest
  double bias;                   // s, how much further the foot goes for each m/s too much
  double gain;                   // of Orbits::placing_gain

  /// The landing in `left` s.
  Landing after(double left) const;
};

}  // namespace promenade::control::pendulum
