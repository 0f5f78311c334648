#include "study/trial/walk/gait_reference.h"

#include <algorithm>
#include <cmath>

#include "physics/gravity.h"
#include "promenade/v1/gait_reference.pb.h"
#include "schema/check.h"
#include "schema/message.h"

namespace promenade::trial {
namespace {

/// Fills the band of a curve of the file. Says what is wrong with it in `check`.
void fill_band(schema::Checker& check, const std::string& key, const v1::GaitReferenceCurve& curve,
               std::array<GaitReference::Band, kCycleSignals>& bands) {
  int signal = 0;
  while (signal < kCycleSignals && curve.name() != cycle_signal_name(CycleSignal(signal))) ++signal;
  if (signal == kCycleSignals) {
    check.fail(key + ".name", "\"" + curve.name() + "\"",
               "a signal of the gait cycle, such as hip");
    return;
  }
  for (const auto& [name, values] :
       {std::pair{"mean", &curve.mean()}, {"deviation", &curve.deviation()}}) {
    if (values->size() != kCyclePoints) {
      check.fail(key + "." + name, std::to_string(values->size()) + " points",
                 std::to_string(kCyclePoints));
      return;
    }
  }
  GaitReference::Band& band = bands[std::size_t(signal)];
  std::copy(curve.mean().begin(), curve.mean().end(), band.mean.begin());
  std::copy(curve.deviation().begin(), curve.deviation().end(), band.deviation.begin());
}

}  // namespace

schema::Result<GaitReference> GaitReference::load(const std::filesystem::path& data_dir) {
  auto loaded = schema::load_message<v1::GaitReference>(data_dir / "reference" / "walk.json");
  if (!loaded) return loaded.error();
  schema::Checker check(loaded->source);
  GaitReference reference;
  for (int i = 0; i < loaded->message.speeds_size(); ++i) {
    const v1::GaitReferenceSpeed& speed = loaded->message.speeds(i);
    const std::string key = schema::indexed("speeds", i);
    check.range(key + ".froude_speed", speed.froude_speed(), 0.01, 2, "");
    if (i > 0 && speed.froude_speed() <= loaded->message.speeds(i - 1).froude_speed()) {
      check.fail(key + ".froude_speed", schema::number(speed.froude_speed()),
                 "more than that of the speed before");
    }
    Speed& added = reference.speeds_.emplace_back();
    added.froude_speed = speed.froude_speed();
    for (int k = 0; k < speed.curves_size(); ++k) {
      fill_band(check, key + "." + schema::indexed("curves", k), speed.curves(k), added.bands);
    }
  }
  if (reference.speeds_.empty()) check.fail("speeds", "empty", "one speed or more");
  if (!check.ok()) return check.error();
  return reference;
}

GaitReference::Band GaitReference::band(CycleSignal signal, double speed, double leg_length) const {
  const double froude = speed / std::sqrt(physics::kGravity * leg_length);
  std::size_t above = 0;
  while (above < speeds_.size() - 1 && speeds_[above].froude_speed < froude) ++above;
  const Speed& high = speeds_[above];
  const Speed& low = speeds_[above > 0 ? above - 1 : 0];
  const double gap = high.froude_speed - low.froude_speed;
  const double share = gap > 0 ? std::clamp((froude - low.froude_speed) / gap, 0.0, 1.0) : 1;
  const Band& a = low.bands[std::size_t(signal)];
  const Band& b = high.bands[std::size_t(signal)];
  Band out;
  for (std::size_t i = 0; i < kCyclePoints; ++i) {
    out.mean[i] = std::lerp(a.mean[i], b.mean[i], share);
    out.deviation[i] = std::lerp(a.deviation[i], b.deviation[i], share);
  }
  return out;
}

double GaitReference::cadence(double speed) { return 107 * std::pow(speed, 0.43); }

double share_within(const CycleCurve& curve, const GaitReference::Band& band, double deviations) {
  int within = 0;
  for (std::size_t i = 0; i < kCyclePoints; ++i) {
    within += std::abs(curve[i] - band.mean[i]) <= deviations * band.deviation[i];
  }
  return 100.0 * within / kCyclePoints;
}

// In a curve's unit; felt by the force's alone: while a foot swings, people do not differ at all.
constexpr double kLeastDeviation = 0.05;

double distance_in_deviations(const CycleCurve& curve, const GaitReference::Band& band) {
  double sum = 0;
  for (std::size_t i = 0; i < kCyclePoints; ++i) {
    const double off = (curve[i] - band.mean[i]) / std::max(kLeastDeviation, band.deviation[i]);
    sum += off * off;
  }
  return std::sqrt(sum / kCyclePoints);
}

}  // namespace promenade::trial
