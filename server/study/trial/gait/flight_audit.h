#pragma once

#include <optional>

#include "physics/articulated_body.h"

namespace promenade::trial {

/// Watches whether a creature that touches nothing moves as a body in the air must. A search finds
/// every error of a simulation that pays, so a trial that flies by one must score nothing. Laws,
/// from one step in the air to the next: the momentum of the whole changes by weight times dt, the
/// angular momentum
///       about the mass centre stays, and energy grows by no more than the servos' work.
class FlightAudit {
 public:
  /// @param gravity  m/s^2
  FlightAudit(const physics::ArticulationModel& model, double gravity);
  /// To be called after each step of dt seconds.
  /// @param pushed  by a force besides gravity and the ground: a flight ends where that begins
  void note(const physics::ArticulatedBody& body, double dt, bool pushed = false);

  /// What the flights have gained without cause, the worst of them, as shares: of the momentum at a
  /// speed of sqrt(g size), of the angular momentum at that speed and size, of the energy at that
  /// speed. 0: nothing.
  double momentum_error() const { return momentum_error_; }
  double turning_error() const { return turning_error_; }
  double energy_error() const { return energy_error_; }
  /// Whether a flight gained more than what the rounding of its steps explains.
  bool broken() const;

  /// The longest flight so far.
  struct Flight {
    double seconds = 0;
    double length = 0;  // m, of the mass centre over the ground
    double rise = 0;    // m, of the mass centre above where it took off
  };
  const Flight& longest() const { return longest_; }
  bool in_air() const { return take_off_.has_value(); }

  static constexpr double kMostError = 0.1;

 private:
  struct Moment {
    Vec3 com, momentum, turning;  // m, kg m/s, kg m^2/s
    double energy = 0;            // J
  };
  Moment moment_of(const physics::ArticulatedBody& body) const;
  double work_of(const physics::ArticulatedBody& body, double dt) const;

  const physics::ArticulationModel& model_;
  double gravity_, speed_;
  std::optional<Moment> take_off_;  // none: something touches
  double seconds_ = 0, work_ = 0, rise_ = 0;
  Flight longest_;
  double momentum_error_ = 0, turning_error_ = 0, energy_error_ = 0;
};

}  // namespace promenade::trial
