#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "control/posegraph/gait.h"
#include "study/trial/gait/clear_span.h"
#include "study/trial/gait/flight_audit.h"
#include "study/trial/gait/footfalls.h"
#include "study/trial/rig/rollout.h"

namespace promenade::trial {

/// How a trial of a gait ended.
enum class GaitEnd : std::uint8_t {
  kWentOn,  // it was up to the end
  kFell,
  kFlew,   // it moved through the air as no body can: an error of the physics
  kBroke,  // its numbers left every bound
};
inline constexpr std::array<const char*, 4> kGaitEnds = {
    "went on", "fell", "flew by an error of the physics", "broke the physics"};

/// What a trial of a gait came to. Forward is the heading at the start.
struct GaitMeasures {
  GaitEnd end = GaitEnd::kWentOn;
  double share = 0;       // of its time that it was up, 0 to 1
  double speed = 0;       // m/s, forward, without the first strides, as all that follows
  double sideways = 0;    // m/s, to the left
  double forward = 0;     // m/s, along the heading of the moment
  double turning = 0;     // rad/s, to the left
  double off_course = 0;  // rad, mean distance of the heading from the one that is asked for
  double rock = 0;  // rad^2/s^2, mean square of the turning about the trunk's long axis (Panne1996,
                    // lateral rock)
  double effort =
      0;  // mean power of the servos over weight, m/s: the speed of a lift that takes the same
  double height = 0;  // m, mean of the mass centre above the ground
  double bounce = 0;  // m, greatest height of the mass centre less its least
  /// How much one stride differs from the next, root mean square: of height over size, velocity
  /// over sqrt(g size) and the trunk's axis, at the ends of strides. 0: it repeats itself and can
  /// go on for ever.
  double unevenness = 0;
  FlightAudit::Flight flight;  // the longest one
  /// What the leap passed over, from the root's place where its chain began, m.
  ClearSpan::Span span;
  Footfalls footfalls;
};

/// Time of a trial.
struct GaitTime {
  double seconds = 4;
  double settle = 1;  // s, at the beginning, that no measure counts
};
/// What is done to a creature in a trial besides the gait.
struct GaitDeeds {
  std::optional<double> leap_at;     // s: a leap is asked for
  double leap_size = 1;              // 0 to 1
  std::optional<double> leap_again;  // s after the first leap's end: another one is asked for
  double leap_over = 0;              // m, height of what it is to pass over; 0: not measured
  double shove = 0;                  // of the weight, see kShoveTime; 0: none
  double shove_every = 2;            // s, about, from one to the next
  bool steers = false;               // it is told to head elsewhere at random, again and again
};
/// A shove goes to a random side, on the trunk.
inline constexpr double kShoveTime = 0.1;  // s
/// Height of what a creature's leaps are to pass over, m: a third of its own at rest.
double usual_hurdle(const Creature& creature);
/// Strides that show what a gait is like: Panne1996 has "six to eight cycles".
/// @param period  s, of a stride
GaitTime time_for(double period, double strides);

/// A trial that is under way.
class GaitTrialRun {
 public:
  ~GaitTrialRun();
  GaitTrialRun(GaitTrialRun&&) noexcept;
  GaitTrialRun& operator=(GaitTrialRun&&) noexcept;

  /// Whether it has ended. No step may follow.
  bool done() const;
  /// @pre done()
  GaitMeasures measures() const;

 private:
  friend class GaitTrial;
  friend class GaitTrialHerd;
  class Meter;
  class Doer;
  class LeapMeter;
  struct Impl;
  explicit GaitTrialRun(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Steps trials of one creature together: see Herd.
class GaitTrialHerd {
 public:
  /// @pre none of them is done
  void step(std::span<GaitTrialRun* const> runs);

 private:
  Herd herd_;
  std::vector<Rollout*> rollouts_;
};

/// Runs gaits of one creature. Creature, ground and gains are shared by threads.
class GaitTrial {
 public:
  /// @param creature  any
  /// @param parameters  of the family posegraph
  GaitTrial(std::shared_ptr<const Creature> creature, control::Parameters parameters,
            std::shared_ptr<const physics::Ground> ground = nullptr);

  /// @param seed   as Rollout's, but that the heading is 0
  /// @param watch  called after every step; may be empty
  GaitMeasures run(std::shared_ptr<const control::posegraph::Gait> gait, GaitTime time,
                   std::uint64_t seed, const GaitDeeds& deeds = {},
                   const std::function<void(const Rollout&)>& watch = {}) const;
  /// The same from several starts, on threads. @param threads  0: one for each core
  /// @return [seeds]
  std::vector<GaitMeasures> run_all(const std::shared_ptr<const control::posegraph::Gait>& gait,
                                    GaitTime time, std::span<const std::uint64_t> seeds,
                                    int threads) const;
  /// The same, under way. @pre this outlives it
  GaitTrialRun begin(std::shared_ptr<const control::posegraph::Gait> gait, GaitTime time,
                     std::uint64_t seed, const GaitDeeds& deeds = {}) const;
  const Legs& legs() const { return legs_; }
  const Creature& creature() const { return *walker_.body; }
  /// The walker without a gait.
  const Walker& walker() const { return walker_; }

 private:
  Walker walker_;
  Legs legs_;
};

/// Which legs bear on something after a step: their soles carry more than a hundredth of the
/// weight.
/// @param bears  [legs] is filled in
/// @return whether any part of the creature touches anything with that much
bool find_bearing(const Legs& legs, const Rollout& rollout, std::vector<bool>& bears);

/// Time of a stride that suits a creature's size.
/// Law: T = 4 sqrt(h / g), h height of the mass centre at rest. A cat's is 0.6 s, a lamp's of 0.6 m
/// 0.8 s.
double usual_period(const Creature& creature);

}  // namespace promenade::trial
