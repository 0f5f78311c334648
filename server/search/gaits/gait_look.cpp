#include "search/gaits/gait_look.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "math/rotation.h"
#include "physics/gravity.h"
#include "search/gaits/gait_figures.h"
#include "study/trial/gait/gait_name.h"

namespace promenade::search {
namespace {

constexpr double kTakeStrides = 2;
constexpr int kTakeFrames = 48;      // of the two strides; one more ends them
constexpr double kRotation = 32767;  // counts of a rotation's number
constexpr double kNoticed = 1;       // of a trait: a difference that has a word

/// A trait that the eye sees.
struct Trait {
  const char* less;  // word for less of it
  const char* more;
  double value = 0;  // in units of a difference that is just noticed
};

double logarithm(double value) { return std::log(std::max(value, 1e-6)); }

// rad, mean tilt of the trunk's long axis, up is more.
double pitch_of(const GaitSurroundings& about, const trial::GaitTake& take) {
  const std::size_t trunk = std::size_t(about.space().creature().trunk);
  double sum = 0;
  for (const auto& frame : take.frames) {
    sum += std::asin(std::clamp((frame[trunk].rotation * Vec3::UnitX()).z(), -1.0, 1.0));
  }
  return take.frames.empty() ? 0 : sum / double(take.frames.size());
}

std::array<Trait, 9> traits_of(const GaitSurroundings& about, const GaitLook& of) {
  const trial::GaitMeasures& m = of.measures;
  const double size = std::max(1e-4, about.space().creature().standing_com_height);
  const double pace = std::sqrt(physics::kGravity * size);
  return {{{"lower", "higher", m.height / (0.06 * size)},
           {"nose down", "nose up", pitch_of(about, of.take) / 0.08},
           {"flatter", "bouncier", m.bounce / (0.06 * size)},
           {"rolls less", "rolls more", std::sqrt(m.rock) * size / pace / 0.05},
           {"quicker steps", "longer steps", logarithm(of.period) / 0.12},
           {"shorter stance", "longer stance", m.footfalls.mean_duty() / 0.07},
           {"slower", "faster", m.forward / (0.06 * pace)},
           {"turns right", "turns left", m.turning * of.period / 0.1},
           {"less effort", "more effort", logarithm(m.effort) / 0.3}}};
}

void put_number(std::string& out, double value) {
  const auto number =
      std::uint16_t(std::int16_t(std::lround(std::clamp(value, -kRotation, kRotation))));
  out.push_back(char(number & 0xff));
  out.push_back(char(number >> 8));
}

void write_take(const trial::GaitTake& take, v1::GaitTake& out) {
  if (take.frames.empty()) return;
  const Vec3 origin(take.frames[0][0].position.x(), take.frames[0][0].position.y(), 0);
  double far = 1e-3;
  for (const auto& frame : take.frames) {
    for (const Pose& link : frame) {
      far = std::max(far, (link.position - origin).cwiseAbs().maxCoeff());
    }
  }
  out.set_links(std::uint32_t(take.frames[0].size()));
  out.set_frame_s(take.frame);
  out.set_unit_m(far / kRotation);
  for (const auto& frame : take.frames) {
    for (const Pose& link : frame) {
      const Vec3 at = (link.position - origin) / out.unit_m();
      for (int k = 0; k < 3; ++k) put_number(*out.mutable_poses(), at[k]);
      const Quat& q = link.rotation;
      for (const double part : {q.x(), q.y(), q.z(), q.w()}) {
        put_number(*out.mutable_poses(), part * kRotation);
      }
    }
  }
}

}  // namespace

GaitLook look_at(const GaitSurroundings& about, const Vector& places, double strides,
                 std::uint64_t seed) {
  GaitLook out;
  out.period = about.space().graph(places).period();
  const double end = trial::time_for(out.period, strides).seconds;
  const double length = kTakeStrides * out.period;
  trial::TakeRecorder recorder(end - length, length, kTakeFrames + 1);
  out.measures = about.run(places, 1, strides, seed,
                           [&](const trial::Rollout& rollout) { recorder.note(rollout); });
  out.take = recorder.take();
  return out;
}

std::vector<double> looks_of(const GaitSurroundings& about, const GaitLook& of) {
  std::vector<double> out;
  for (const Trait& trait : traits_of(about, of)) out.push_back(trait.value);
  // Legs one by one: their phases are behind the first that steps.
  const auto& legs = of.measures.footfalls.legs;
  constexpr double kDuty = 0.1, kPhase = 0.35, kSteps = 0.05;  // just noticed
  const double share = 1 / std::sqrt(std::max<double>(1, double(legs.size())));
  for (const trial::LegPhase& leg : legs) {
    const double angle = kTwoPi * (leg.phase - legs[0].phase);
    const double sure = std::min(1.0, leg.first / kSteps);  // a leg that hardly steps has no phase
    out.push_back(share * leg.duty / kDuty);
    out.push_back(share * sure * std::cos(angle) / kPhase);
    out.push_back(share * sure * std::sin(angle) / kPhase);
  }
  return out;
}

double distance_of(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

std::string words_for(const GaitSurroundings& about, const GaitLook& nominal, const GaitLook& of) {
  constexpr std::size_t kMostWords = 2;
  const auto before = traits_of(about, nominal);
  auto after = traits_of(about, of);
  for (std::size_t i = 0; i < after.size(); ++i) after[i].value -= before[i].value;
  std::stable_sort(after.begin(), after.end(), [](const Trait& a, const Trait& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  std::string out;
  for (std::size_t i = 0; i < kMostWords && std::abs(after[i].value) >= kNoticed; ++i) {
    out += (i ? ", " : "") + std::string(after[i].value < 0 ? after[i].less : after[i].more);
  }
  return out;
}

v1::GaitLook message_of(const GaitSurroundings& about, const GaitLook& look) {
  v1::GaitLook out;
  const trial::GaitMeasures& m = look.measures;
  out.set_kind(std::string(trial::gait_name(about.trial().legs(), m.footfalls)));
  out.set_speed_mps(m.forward);
  out.set_turning_radps(m.turning);
  out.set_stride_s(look.period);
  const GaitRun run = run_of(about.trial(), m);
  for (const char* name :
       {"duty", "airborne", "height", "bounce", "rock", "effort", "unevenness"}) {
    v1::LookFigure& figure = *out.add_figures();
    figure.set_name(name);
    figure.set_value(find_gait_figure(name)->of(run));
  }
  write_take(look.take, *out.mutable_take());
  return out;
}

}  // namespace promenade::search
