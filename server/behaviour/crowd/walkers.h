#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "behaviour/crowd/disc_grid.h"
#include "behaviour/crowd/half_planes.h"
#include "behaviour/crowd/intention.h"
#include "behaviour/crowd/walls.h"
#include "math/state.h"

namespace promenade::behaviour::crowd {

/// Laws of a crowd's avoidance.
struct AvoidanceLaw {
  float range = 5;         // m, others further away do not matter
  int neighbours = 10;     // at most, the nearest; up to 24
  float horizon = 3;       // s, ahead, for others
  float wall_horizon = 1;  // s, for walls
  float step = 0.05f;      // s, between decisions
  bool pace = true;        // whether they move as people do in a crowd: see Intention
  float right = 0.2f;      // see avoid_disc()
  float waver = 0.02f;     // of the preferred velocity, at random, so that no tie lasts
  std::uint64_t seed = 1;  // of these
};

/// A crowd on the ground: discs that choose their velocities together, each from the state that
/// all were in. A disc that heeds others by a share greater than 0 touches no wall and no other
/// such disc (see keep_apart()), as long as it moves as chosen.
///
/// A disc with a lag answers late. Others are avoided from where each would come to rest if it
/// stopped now, q = x + T v: x position, v velocity, T lag. With move(), q goes by exactly step *
/// u, u the choice, as a disc without lag does; and x, a mean of where q has been, keeps clear of
/// others as q does, up to a centimetre where two turn about each other. Walls are avoided from
/// x, as a mean of places beside a corner may lie in it.
///
/// A step is: the caller sets discs(); sort(); choose() for all slots, by any number of threads;
/// the caller moves the discs, or lets move() do it. The result does not depend on how the slots
/// are divided.
class Walkers {
 public:
  struct Disc {
    Vec2f position = Vec2f::Zero();   // m
    Vec2f velocity = Vec2f::Zero();   // m/s, now
    Vec2f preferred = Vec2f::Zero();  // m/s, where nobody is in the way
    float radius = 0.25f;             // m
    float fastest = 1.6f;             // m/s
    /// Of an evasion, in proportion to the other's. People in full physics, who answer slowly, and
    /// people who stand have less; 0: avoids nobody, as a thing or a visitor's object.
    float share = 0.5f;
    float lag = 0;  // s, of the answer: see move()
    /// Unit vector: to where the body faces; zero: it goes any way alike.
    Vec2f facing = Vec2f::Zero();
    float sideways = 0, backward = 0;  // m/s, at most so fast to either side and back
    float held = 0;  // s, for how long it has hardly moved though it wants to; choose() counts
    float news = 0;  // 0 to 1, of people who come the other way: see Intention; choose() sets it
  };

  explicit Walkers(const AvoidanceLaw& law) : law_(law) {}

  std::vector<Disc>& discs() { return discs_; }
  const std::vector<Disc>& discs() const { return discs_; }
  const AvoidanceLaw& law() const { return law_; }
  void set_walls(Walls walls);
  const Walls& walls() const { return walls_; }

  /// Takes the state that choices are made from. Allocates nothing once the crowd has been as
  /// large. @pre positions and velocities are finite
  void sort() { sort(steps_ + 1); }
  /// @param step  that this is, counted by the caller: decides what is left to luck
  void sort(std::uint64_t step);
  /// Chooses new velocities for some, several threads at once. @pre sort(), discs() as then
  /// Allocates nothing.
  /// @param first, count  slots, of as many as there are discs: near discs have near slots
  /// @param out           [crowd] m/s, by index in discs()
  void choose(std::size_t first, std::size_t count, std::span<Vec2f> out);
  /// Moves all by a step as chosen, each with its lag: for discs without physics.
  void move(std::span<const Vec2f> chosen);

  /// Discs and time. Laws and walls are the caller's.
  void visit(StateVisitor& state);

 private:
  struct Planes;
  struct Sorted : Disc {
    Vec2f ahead;  // m, where it comes to rest
  };
  Intention intention_of(const Sorted& self, std::span<const DiscGrid::Near> near) const;
  Intention::Luck luck_of(std::uint32_t index) const;
  void add_walls(const Sorted& self, Planes& planes) const;
  /// How fast it can go to the side and back; never given up, as walls.
  static void add_gait(const Sorted& self, Planes& planes);
  void add_touches(const Sorted& self, std::span<const DiscGrid::Near> near, float close,
                   Planes& planes) const;
  void add_others(const Sorted& self, std::span<const DiscGrid::Near> near, float horizon,
                  Planes& planes) const;
  void choose_one(std::uint32_t slot, std::span<Vec2f> out);

  AvoidanceLaw law_;
  std::vector<Disc> discs_;
  std::uint64_t steps_ = 0;  // taken so far
  Walls walls_;

  // Made by sort().
  DiscGrid grid_;
  std::vector<Vec2f> places_;   // [crowd] where they come to rest, m
  std::vector<Sorted> sorted_;  // [crowd] by slot
  float widest_ = 0;            // m, greatest radius
  float willing_ = 0;           // greatest share
};

}  // namespace promenade::behaviour::crowd
