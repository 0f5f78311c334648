#pragma once

namespace promenade::control::pendulum {

/// How a pendulum of constant height goes, step by step the same, in one direction: relative to
/// the foot that stands, at the end of single support.
///
/// A step has single support of S seconds, with the centre of pressure under the foot, and double
/// support of D seconds, in which it moves at an even pace from one foot to the next. The mass
/// obeys x'' = w^2 (x - p), w = fall_rate(height), p the centre of pressure.
/// Source: Kenwright2014 §3.4 for steps without double support; solved for the time that steps
/// take, as in Kajita et al. 2003, whose model of constant height is the same.
struct OrbitPoint {
  double offset = 0;    // m, of the mass from the foot
  double velocity = 0;  // m/s
};

struct StepTiming {
  double single = 0.4;  // S, s
  double both = 0.1;    // D, s; at least kLeastBoth is used
  double whole() const { return single + both; }
};
inline constexpr double kLeastBoth = 1e-3;

/// The steady walks of one height and timing.
class Orbits {
 public:
  Orbits(double rate, const StepTiming& timing);
  /// Going ahead by `length` m each step.
  OrbitPoint ahead(double length) const {
    return {length * sinh_ * a_, length * cosh_ * a_ * rate_};
  }
  /// Swaying between two feet, `width` m apart, the foot that stands being at +width/2. The offset
  /// is negative: the mass stays between the feet.
  OrbitPoint sway(double width) const { return {-width * cosh_ * c_, -width * sinh_ * c_ * rate_}; }
  /// How far the foot is put aside for each metre that the mass would be off course at the end of
  /// the next step: that much brings it back in one step.
  /// Law: e^(w D) / (1 + c), c = (e^(w D) - 1 - w D) / (w D), from the part of the motion that
  /// grows, x + x' / w.
  double placing_gain() const { return gain_; }

 private:
  double rate_, sinh_, cosh_;  // of half of single support
  double a_, c_;               // per m of length, of width
  double gain_;
};

/// The way of a pendulum in some time, with the centre of pressure at rest.
class Fall {
 public:
  Fall(double rate, double time);
  /// @param offset, velocity  before; the offset from the centre of pressure
  OrbitPoint from(double offset, double velocity) const {
    const double away = 0.5 * (offset + velocity / rate_) * grown_;
    const double back = 0.5 * (offset - velocity / rate_) * shrunk_;
    return {away + back, rate_ * (away - back)};
  }

 private:
  double rate_, grown_, shrunk_;
};

}  // namespace promenade::control::pendulum
