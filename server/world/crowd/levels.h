#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "control/registry.h"
#include "math/state.h"
#include "world/command/command.h"
#include "world/room/tick_view.h"
#include "world/ties/ties.h"

namespace promenade::world {

/// Levels of detail: which characters are in full physics, and which are moved as pendulums. It
/// follows what SetDetail and SetLevel ask for, and what is near. It is a value, so that a saved
/// one can be read and checked before it takes the place of another.
class Levels {
 public:
  /// The ground with the things as they are now, for a light character that begins. It is made only
  /// where one does.
  using GroundAndTops = std::function<physics::GroundNow()>;

  /// Sets them as the scene has them.
  void load(const Scene& scene);
  /// @param in_physics  how many are in full physics by nearness; 0: all
  void set_detail(std::uint32_t in_physics, std::vector<View> views);
  std::uint32_t in_physics() const { return in_physics_; }

  /// Lets characters go on in the physics or outside it; at the end of a tick.
  void run(Occupants& occupants, const Ties& ties, const TickView& now,
           const GroundAndTops& ground_and_tops);
  /// Keeps a character in full physics that has another body or style from this tick on, until
  /// beside the room it was measured how a pendulum stands for it. The walk is shown at once.
  void keep_until_measured(Entity& e, const TickView& now) const;
  /// Whether a character of this family may be moved as a pendulum, or is one.
  bool may_become_light(const control::Family& family, Level level) const;

  /// Visits what decides the future, besides what load() has set.
  void visit(StateVisitor& state);

 private:
  /// One of those that are in full physics by nearness.
  struct Ranked {
    double distance;       // m, as seen: see view_distance()
    std::uint32_t entity;  // its index
  };
  /// A body that others could touch.
  struct Solid {
    Vec2 place, velocity;
    double radius;
  };

  double view_distance(const Vec3& place) const;
  bool is_to_be_light(const Entity& e) const;
  void rank_characters(Occupants& occupants);
  void gather_solids(const Occupants& occupants, const Ties& ties);
  void keep_touched_in_physics(Occupants& occupants, const TickView& now);

  std::uint32_t in_physics_ = 0;  // by nearness; 0: all
  std::vector<View> views_;       // empty: `usual_`
  View usual_;                    // of the scene's camera
  std::vector<Ranked> ranked_;    // as last time
  std::vector<Solid> solids_;     // by x
  double widest_ = 0;             // m, radius of a solid
  double fastest_ = 0;            // m/s, of a solid
};

}  // namespace promenade::world
