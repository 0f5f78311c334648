#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "behaviour/behaviour.h"
#include "world/entity/occupant.h"

namespace promenade::world {

/// A thing of a room: a body without a controller. It falls asleep when it has been at rest for a
/// while and then costs nothing until something wakes it.
struct Prop : Occupant {
  Prop(CharacterId id_in, std::shared_ptr<const CreatureDefinition> definition, std::string color);

  std::string color;      // "#rrggbb"
  bool of_scene = false;  // part of the scene: if it is lost it comes back to its start
  double size = 1;        // m, half the diagonal of its box
  // m, of the box round it in its rest pose, in the frame of its first link.
  Vec3 box_center = Vec3::Zero(), box_half = Vec3::Zero();
  bool asleep = false;
  double quiet_s = 0;             // for how long it has been at rest
  std::uint64_t slept_at = 0;     // tick at which it last fell asleep
  std::uint64_t returned_at = 0;  // tick at which it last was brought back; 0: never

  // Of a sleeper: things that it lies on or leans against, ascending. They sleep, too.
  std::vector<CharacterId> supports;
  // Of a sleeper: N, the sum of the forces of awake things that lie on it; negative: to be found.
  double load = kUnknownLoad;
  static constexpr double kUnknownLoad = -1;

  void settle(const StepContext& context) override;

  /// Puts it at rest with its first link at a pose and its joints in the rest pose of the file.
  void place(const Pose& root);
  /// Places it as place() does, with velocities, and remembers this as its start.
  void start(const Pose& root, const Vec3& velocity, const Vec3& omega);
  /// Puts it back to its start.
  void restart();
  void fall_asleep(std::uint64_t tick);
  void wake();
  /// Its load has changed without a blow: the load is found anew.
  void forget_load();
  /// Whether the touches in the last tick would have moved it, had it been awake.
  /// @param by_mover  false: the bodies that touch it rest, and only shift their weight
  bool is_disturbed(bool by_mover);
  /// Whether it has fallen out of the world: all of it far below the lowest ground.
  bool is_out(const physics::Ground& ground) const;
  /// Speed below which it counts as at rest, m/s.
  /// Law: 0.015 sqrt(g size), g gravity; sqrt(g size) is the speed of free motions of that size
  double rest_speed() const;

  /// Speed of its fastest point, m/s, of a single body by its mean velocity: a thing that trembles
  /// between others is fast for a moment, but does not get anywhere.
  double drift() const;

  /// Whether it has become faster since it came to rest, as at the turning point of a swing or
  /// where it begins to slide: something moves it, however slow it is as yet.
  bool gathers_speed() const;

  /// Discs on the ground that walkers keep clear of; none where it is low enough to step over.
  std::span<const behaviour::Neighbour> discs() const { return {discs_.data(), disc_count_}; }

  /// A hash of everything that decides its future. Computed only once while it sleeps.
  std::uint64_t digest() const;
  /// Visits everything that decides its future, except its definition.
  void visit(StateVisitor& state);

 private:
  bool is_still(double tick_s);
  void find_discs(const StepContext& context);
  physics::ArticulationState state_at(const Pose& root) const;

  Pose start_;
  Vec3 start_velocity_ = Vec3::Zero(), start_omega_ = Vec3::Zero();
  std::array<behaviour::Neighbour, 4> discs_;
  std::size_t disc_count_ = 0;
  // Velocity of the first link, rate of turning: means over the last kMeanTime.
  Vec3 mean_velocity_ = Vec3::Zero(), mean_omega_ = Vec3::Zero();
  // The same means when it came to rest.
  Vec3 rest_velocity_ = Vec3::Zero(), rest_omega_ = Vec3::Zero();
  mutable std::uint64_t digest_ = 0;  // while asleep; 0: not found yet
};

}  // namespace promenade::world
