#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/goal.h"
#include "math/dense_memory.h"
#include "math/random.h"
#include "math/state.h"
#include "math/types.h"

// The aims that characters pursue. A behaviour turns a task into control::Goal, once a tick; it
// knows positions and velocities on the ground and nothing of physics. World frame, SI.
namespace promenade::behaviour {

/// The character a behaviour steers.
struct Self {
  Vec2 position = Vec2::Zero();  // of the root
  Vec2 velocity = Vec2::Zero();  // m/s, without the sway of single steps
  double heading = 0;            // rad, as it faces now
  double scale = 1;              // of its legs, 1 for the human: distances grow with it
  double cruise_speed = 0.8;     // m/s that suits body and style
  double radius = 0.45;          // m, of the space it wants about its root
};

/// Another character, or a part of a thing, that is nearby.
struct Neighbour {
  Vec2 position = Vec2::Zero();
  Vec2 velocity = Vec2::Zero();
  double radius = 0;  // m, of the space it wants
  bool character = false;
};

/// A thing that cannot be walked over: a rectangle on the ground.
struct Obstacle {
  Vec2 center = Vec2::Zero();
  Vec2 half = Vec2::Zero();  // half extents along its own axes
  double yaw = 0;            // rad
  /// The point of the rectangle nearest to `p`; `p` itself when inside.
  Vec2 nearest(const Vec2& p) const;
};

/// The velocity that a crowd has chosen for somebody (crowd/walkers.h), world frame.
struct CrowdChoice {
  Vec2 velocity;    // m/s, near the wished one: it turns to there
  Vec2 correction;  // m/s, besides: back to where the crowd takes it to be
};

namespace tasks {
class Workplace;
}

struct Surroundings {
  std::span<const Neighbour> neighbours;  // nearest first, at most kMaxNeighbours
  std::span<const Obstacle> obstacles;    // of the whole scene
  /// None: it keeps clear of others by itself.
  std::optional<CrowdChoice> chosen = std::nullopt;
  /// Of a character that does tasks; else null.
  const tasks::Workplace* workplace = nullptr;
};

inline constexpr int kMaxNeighbours = 10;
inline constexpr double kNeighbourRange = 5;     // m, farther ones do not matter
inline constexpr double kPersonalRadius = 0.45;  // m, of the human

/// The beginning of a behaviour.
struct Start {
  std::uint32_t id = 0;          // of the character
  Vec2 position = Vec2::Zero();  // of the character
  double heading = 0;            // rad, as it faces
  Random random = Random();      // a stream of its own, so that it does not depend on others
};

/// Spreads the decisions of a crowd over time by the characters' numbers: 0 to 1, see Avoidance.
inline double stagger_of(std::uint32_t id) { return (id % 7) / 7.0; }

/// One that can be made stands in the list of kinds.h.
class Behaviour : public DenseMemory {
 public:
  virtual ~Behaviour() = default;
  /// The goal for the next `dt` seconds. Allocates nothing.
  virtual control::Goal update(const Self& self, const Surroundings& around, double dt) = 0;
  /// The character was put somewhere else, or set upright again; its task stays.
  virtual void relocated(const Self& self) = 0;
  /// True once after reaching the end of the task.
  virtual bool take_arrived() { return false; }
  /// The velocity, m/s, world, at which it would walk if nobody were in the way, as of the last
  /// update.
  virtual Vec2 wish() const { return Vec2::Zero(); }
  /// Way-points still to come, nearest first.
  virtual void append_path(std::vector<Vec2>& out) const { (void)out; }
  /// Everything that decides the future, the task included.
  virtual void visit(StateVisitor& state) = 0;
};

}  // namespace promenade::behaviour
