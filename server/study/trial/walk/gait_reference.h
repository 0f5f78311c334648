#pragma once

#include <filesystem>
#include <vector>

#include "schema/error.h"
#include "study/trial/walk/gait_cycle.h"

namespace promenade::trial {

/// How people walk: curves over the gait cycle with the deviation between people, at several
/// speeds.
class GaitReference {
 public:
  /// Mean and standard deviation of one signal over the cycle.
  struct Band {
    CycleCurve mean{}, deviation{};
  };

  /// Reads `data_dir`/reference/walk.json.
  static schema::Result<GaitReference> load(const std::filesystem::path& data_dir);

  /// Between the measured speeds linearly, beyond them as at the nearest.
  /// @param speed       m/s
  /// @param leg_length  m, hip to ankle
  Band band(CycleSignal signal, double speed, double leg_length) const;
  /// Whether people were measured for it: all but the foot's pitch.
  static bool has(CycleSignal signal) { return signal != CycleSignal::kFootPitch; }

  /// Steps a minute of an adult at a speed, m/s.
  /// Law:    cadence = 107 speed^0.43, fitted to 95 at 0.8, 117 at 1.21, 126 at 1.55 m/s
  /// Source: BMClab's collected statistics of 51 young adults
  static double cadence(double speed);
  /// m, of an adult at a speed, m/s.
  static double step_length(double speed) { return 60 * speed / cadence(speed); }

 private:
  struct Speed {
    double froude_speed = 0;
    std::array<Band, kCycleSignals> bands;
  };
  std::vector<Speed> speeds_;
};

/// % of the cycle in which a curve is within `deviations` standard deviations of people's mean.
double share_within(const CycleCurve& curve, const GaitReference::Band& band, double deviations);
/// Root mean square over the cycle of the difference to people's mean, in standard deviations.
double distance_in_deviations(const CycleCurve& curve, const GaitReference::Band& band);

}  // namespace promenade::trial
