#include "study/trial/gait/gait_trial.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "control/posegraph/posegraph.h"
#include "control/registry.h"
#include "math/random.h"
#include "math/rotation.h"
#include "physics/gravity.h"
#include "study/trial/rig/parallel.h"

namespace promenade::trial {
namespace {

constexpr double kBears = 0.01;  // share of the weight that a foot carries at least where it bears
constexpr double kSoon = 0.5, kLate = 3;  // s, between headings of a trial that steers
constexpr double kAbout = 2.5;            // rad, to either side, of one heading after the other
constexpr double kFastest = 100;          // m/s and rad/s: no creature moves so

}  // namespace

/// Adds up what a trial counts, step by step.
class GaitTrialRun::Meter {
 public:
  Meter(const Rollout& rollout, const Legs& legs, double period)
      : legs_(legs),
        period_(period),
        falls_(legs, period),
        audit_(*rollout.body().model, physics::kGravity),
        bears_(legs.limbs.size()) {}

  void audit(const Rollout& rollout) {
    audit_.note(rollout.physics(), rollout.dt(), !rollout.push.isZero());
  }
  const FlightAudit& flights() const { return audit_; }

  void begin(const Rollout& rollout) {
    start_ = last_ = rollout.physics().links()[0].position;
    heading_ = heading_of(rollout.physics().state().root.rotation);
    begun_ = rollout.time();
  }

  void note(const Rollout& rollout) {
    const double dt = rollout.dt();
    const auto links = rollout.physics().links();
    const auto& trunk = links[std::size_t(rollout.body().trunk)];
    const double roll = trunk.omega.dot(trunk.rotation.col(0));
    rock_ += roll * roll * dt;
    const double heading = heading_of(rollout.physics().state().root.rotation);
    turned_ += wrap_angle(heading - heading_);
    heading_ = heading;
    const Vec3 place = rollout.physics().links()[0].position;
    off_ += std::abs(wrap_angle(rollout.goal.heading - heading)) * dt;
    forward_ += Vec2(std::cos(heading), std::sin(heading)).dot((place - last_).head<2>());
    last_ = place;
    const double height = mass_height(rollout);
    height_ += height * dt;
    least_ = std::min(least_, height);
    most_ = std::max(most_, height);
    work_ += work(rollout) * dt;
    const bool anything = find_bearing(legs_, rollout, bears_);
    falls_.note(bears_, anything, rollout.time(), dt);
    if (rollout.time() - begun_ >= period_ * double(strides_ + 1) - 0.5 * dt) note_stride(rollout);
  }

  void write(const Rollout& rollout, GaitMeasures& out) const {
    const double seconds = std::max(1e-9, rollout.time() - begun_);
    const Vec3 way = rollout.physics().links()[0].position - start_;
    out.speed = way.x() / seconds;
    out.sideways = way.y() / seconds;
    out.forward = forward_ / seconds;
    out.off_course = off_ / seconds;
    out.turning = turned_ / seconds;
    out.rock = rock_ / seconds;
    out.effort = work_ / seconds / (rollout.body().model->total_mass * physics::kGravity);
    out.height = height_ / seconds;
    out.bounce = most_ > least_ ? most_ - least_ : 0;
    out.flight = audit_.longest();
    out.unevenness = strides_ > 1 ? std::sqrt(changes_ / double(strides_ - 1)) : 0;
    out.footfalls = falls_.result();
  }

 private:
  void note_stride(const Rollout& rollout) {
    const auto& model = *rollout.body().model;
    const auto& trunk = rollout.physics().links()[std::size_t(rollout.body().trunk)];
    const double size = std::max(model.size, 1e-6), speed = std::sqrt(physics::kGravity * size);
    Eigen::Matrix<double, 7, 1> now;
    // Turned back by the heading: a gait that turns is even, too.
    const Vec3 velocity = rotation_z(heading_).inverse() * trunk.velocity;
    const Vec3 up = rotation_z(heading_).inverse() * Vec3(trunk.rotation.col(2));
    now << mass_height(rollout) / size, velocity / speed, up;
    if (strides_ > 0) changes_ += (now - stride_).squaredNorm();
    stride_ = now;
    ++strides_;
  }
  static double mass_height(const Rollout& rollout) {
    const auto links = rollout.physics().links();
    const auto& model = *rollout.body().model;
    double sum = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      sum += model.links[i].mass * links[i].position.z();
    }
    return sum / model.total_mass;
  }
  // W, of all servos; what brakes costs as much as what drives.
  static double work(const Rollout& rollout) {
    const auto& model = *rollout.body().model;
    const auto& velocity = rollout.physics().state().velocity;
    const auto drives = rollout.drives();
    double power = 0;
    for (std::size_t i = 1; i < drives.size(); ++i) {
      for (int k = 0; k < physics::dof_of(model.links[i].joint); ++k) {
        power += std::abs(drives[i].applied[k] * velocity[std::size_t(model.links[i].dof + k)]);
      }
    }
    return power;
  }

  const Legs& legs_;
  double period_;  // s
  FootfallRecorder falls_;
  FlightAudit audit_;
  std::vector<bool> bears_;
  Vec3 start_ = Vec3::Zero(), last_ = Vec3::Zero();
  double begun_ = 0, heading_ = 0, turned_ = 0;
  double forward_ = 0, off_ = 0, rock_ = 0, work_ = 0, height_ = 0, least_ = 1e9, most_ = -1e9;
  int strides_ = 0;
  Eigen::Matrix<double, 7, 1> stride_;  // at the end of the last stride
  double changes_ = 0;                  // sum of squares
};

/// What the leap of a trial passes over.
class GaitTrialRun::LeapMeter {
 public:
  LeapMeter(const Creature& creature, double high) : span_(creature, high) {}

  void note(const Rollout& rollout, bool in_air, bool leaps) {
    if (leaps && !begun_) begun_ = rollout.physics().links()[0].position.x();
    if (begun_) span_.note(rollout.physics(), in_air);
  }
  ClearSpan::Span result() const {
    ClearSpan::Span out = span_.best();
    out.from -= begun_.value_or(0);
    out.to -= begun_.value_or(0);
    return out;
  }

 private:
  ClearSpan span_;
  std::optional<double> begun_;  // m, where the root was
};

/// Does the deeds of a trial.
class GaitTrialRun::Doer {
 public:
  Doer(const GaitDeeds& deeds, double begin, std::uint64_t seed)
      : deeds_(deeds),
        random_(Random::stream(seed, 0x7a3bULL)),
        leaps_(deeds.leap_at),
        shove_at_(begin) {}

  /// To be called before each step.
  void act(Rollout& rollout) {
    const double now = rollout.time();
    if (deeds_.leap_again && std::exchange(leaping_, rollout.gait_player()->leaps()) && !leaping_) {
      if (leapt_++ == 0) leaps_ = now + *deeds_.leap_again;
    }
    if (deeds_.steers && now >= told_) {
      told_ = now + random_.uniform(kSoon, kLate);
      rollout.goal.heading = wrap_angle(rollout.goal.heading + random_.uniform(-kAbout, kAbout));
    }
    if (leaps_ && now >= *leaps_) {
      leaps_.reset();
      rollout.gait_player()->leap(deeds_.leap_size);
    }
    if (deeds_.shove > 0) shove(rollout);
  }

 private:
  void shove(Rollout& rollout) {
    const double now = rollout.time();
    if (now >= shove_at_ + kShoveTime) {
      rollout.push.setZero();
      shove_at_ = now + deeds_.shove_every * random_.uniform(0.75, 1.25);
    } else if (now >= shove_at_ && rollout.push.isZero()) {
      const double side = random_.uniform() < 0.5 ? -1 : 1;
      const double weight = rollout.body().model->total_mass * physics::kGravity;
      const double heading = heading_of(rollout.physics().state().root.rotation);
      rollout.push = rotation_z(heading) * Vec3(0, side * deeds_.shove * weight, 0);
    }
  }

  GaitDeeds deeds_;
  Random random_;
  std::optional<double> leaps_;  // s
  bool leaping_ = false;
  int leapt_ = 0;    // leaps that have ended
  double told_ = 0;  // s, until when the heading stays
  double shove_at_;  // s, of the next one
};

bool find_bearing(const Legs& legs, const Rollout& rollout, std::vector<bool>& bears) {
  bears.assign(legs.limbs.size(), false);
  const double least = kBears * rollout.body().model->total_mass * physics::kGravity;
  bool anything = false;
  for (const physics::ContactPoint& contact : rollout.physics().contacts()) {
    const int leg = legs.leg_of[std::size_t(contact.link)];
    if (contact.force.norm() < least) continue;
    anything = true;
    if (leg >= 0) bears[std::size_t(leg)] = true;
  }
  return anything;
}

double usual_period(const Creature& creature) {
  return 4 * std::sqrt(std::max(creature.standing_com_height, 1e-4) / physics::kGravity);
}

double usual_hurdle(const Creature& creature) {
  return std::clamp(creature.height / 3, 0.001, 10.0);
}

GaitTime time_for(double period, double strides) {
  // Two strides to get going.
  return {period * (strides + 2), period * 2};
}

GaitTrial::GaitTrial(std::shared_ptr<const Creature> creature, control::Parameters parameters,
                     std::shared_ptr<const physics::Ground> ground)
    : legs_(Legs::of(*creature)) {
  walker_.body = std::move(creature);
  walker_.family = control::find_family("posegraph");
  walker_.parameters = std::move(parameters);
  walker_.ground = ground ? std::move(ground) : std::make_shared<const physics::Ground>();
  walker_.straight_on = true;
}

struct GaitTrialRun::Impl {
  Impl(const Walker& walker, const Legs& legs, GaitTime time_in, std::uint64_t seed,
       const GaitDeeds& deeds)
      : time(time_in),
        rollout(walker, seed),
        meter(rollout, legs, walker.gait->graph.period()),
        doer(deeds, time.settle, seed) {
    if (deeds.leap_over > 0) leap.emplace(*walker.body, deeds.leap_over);
    rollout.walk(Vec2(1, 0));
  }

  bool is_over() const { return rollout.time() >= time.seconds - 0.5 * rollout.dt(); }
  /// Counts a step of the rollout.
  void note();

  GaitTime time;
  Rollout rollout;
  Meter meter;
  Doer doer;
  std::optional<LeapMeter> leap;
  bool counts = false;
  GaitEnd end = GaitEnd::kWentOn;
};

void GaitTrialRun::Impl::note() {
  if (rollout.fallen()) {
    end = GaitEnd::kFell;
    return;
  }
  if (rollout.physics().fastest_point() > kFastest || !rollout.physics().finite()) {
    end = GaitEnd::kBroke;
    return;
  }
  meter.audit(rollout);
  if (leap) leap->note(rollout, meter.flights().in_air(), rollout.gait_player()->leaps());
  if (counts) {
    meter.note(rollout);
  } else if (rollout.time() >= time.settle - 0.5 * rollout.dt()) {
    counts = true;
    meter.begin(rollout);
  }
}

GaitTrialRun::GaitTrialRun(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GaitTrialRun::~GaitTrialRun() = default;
GaitTrialRun::GaitTrialRun(GaitTrialRun&&) noexcept = default;
GaitTrialRun& GaitTrialRun::operator=(GaitTrialRun&&) noexcept = default;

bool GaitTrialRun::done() const { return impl_->end != GaitEnd::kWentOn || impl_->is_over(); }

GaitMeasures GaitTrialRun::measures() const {
  const auto& [time, rollout, meter, doer, leap, counts, end] = *impl_;
  GaitMeasures out;
  out.end = end;
  out.share = std::min(1.0, rollout.time() / time.seconds);
  if (counts && out.end != GaitEnd::kBroke) meter.write(rollout, out);
  if (leap) out.span = leap->result();
  if (out.end == GaitEnd::kWentOn && meter.flights().broken()) out.end = GaitEnd::kFlew;
  return out;
}

GaitTrialRun GaitTrial::begin(std::shared_ptr<const control::posegraph::Gait> gait, GaitTime time,
                              std::uint64_t seed, const GaitDeeds& deeds) const {
  Walker walker = walker_;
  walker.gait = std::move(gait);
  return GaitTrialRun(std::make_unique<GaitTrialRun::Impl>(walker, legs_, time, seed, deeds));
}

GaitMeasures GaitTrial::run(std::shared_ptr<const control::posegraph::Gait> gait, GaitTime time,
                            std::uint64_t seed, const GaitDeeds& deeds,
                            const std::function<void(const Rollout&)>& watch) const {
  GaitTrialRun run = begin(std::move(gait), time, seed, deeds);
  run.impl_->rollout.observer = watch;
  GaitTrialHerd herd;
  GaitTrialRun* const alone = &run;
  while (!run.done()) herd.step({&alone, 1});
  return run.measures();
}

std::vector<GaitMeasures> GaitTrial::run_all(
    const std::shared_ptr<const control::posegraph::Gait>& gait, GaitTime time,
    std::span<const std::uint64_t> seeds, int threads) const {
  std::vector<GaitMeasures> out(seeds.size());
  constexpr int kTogether = physics::kSideBySide;
  run_parallel((int(seeds.size()) + kTogether - 1) / kTogether, threads, [&](int piece) {
    const auto first = std::size_t(piece * kTogether);
    std::vector<GaitTrialRun> runs;
    for (std::size_t i = first; i < std::min(seeds.size(), first + kTogether); ++i) {
      runs.push_back(begin(gait, time, seeds[i]));
    }
    GaitTrialHerd herd;
    std::vector<GaitTrialRun*> going;
    for (;;) {
      going.clear();
      for (GaitTrialRun& run : runs) {
        if (!run.done()) going.push_back(&run);
      }
      if (going.empty()) break;
      herd.step(going);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) out[first + i] = runs[i].measures();
  });
  return out;
}

void GaitTrialHerd::step(std::span<GaitTrialRun* const> runs) {
  rollouts_.clear();
  for (GaitTrialRun* run : runs) {
    run->impl_->doer.act(run->impl_->rollout);
    rollouts_.push_back(&run->impl_->rollout);
  }
  herd_.step(rollouts_);
  for (GaitTrialRun* run : runs) run->impl_->note();
}

}  // namespace promenade::trial
