#include "search/walking/objective.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "command/nearest.h"
#include "math/random.h"
#include "math/rotation.h"
#include "schema/check.h"
#include "schema/refusal.h"
#include "study/trial/rig/ground.h"

namespace promenade::search {
namespace {

using schema::Checker;

constexpr int kMostTrials = 100, kMostTerms = 50;
constexpr double kMostSeeds = 1000;
constexpr int kStairs = 12;
constexpr double kTread = 0.4;          // m, of a stair
constexpr double kBeforePush = 6;       // s of walking before a push, about
constexpr double kUsualWalk = 12;       // s, of a walk that says none
constexpr double kUsualSettle = 4;      // s at its beginning that do not count
constexpr double kUsualFriction = 0.8;  // Coulomb's, of the ground

/// Checks an objective, key by key.
class ObjectiveReader {
 public:
  ObjectiveReader(const v1::Objective& message, const schema::Source& source,
                  const Library& library, std::shared_ptr<const trial::GaitReference> people)
      : message_(message), library_(library), people_(std::move(people)), check_(source) {}

  schema::Result<Objective> run() {
    Objective made;
    made.description = message_.description();
    made.worst = message_.worst() == 0 ? 10 : message_.worst();
    check_.range("worst", made.worst, 0.1, 1000);
    check_.range("seeds", message_.seeds(), 0, kMostSeeds);
    check_.range("fresh_seeds", message_.fresh_seeds(), 0, kMostSeeds);
    if (message_.seeds() + message_.fresh_seeds() == 0) {
      check_.fail("seeds", "0", "from 1 to 1000, or 0 with fresh_seeds");
    }
    const int count = message_.trials_size();
    if (count < 1 || count > kMostTrials) {
      check_.fail("trials", std::to_string(count) + " trials",
                  "1 to " + std::to_string(kMostTrials));
    }
    for (int i = 0; i < count && check_.ok(); ++i) {
      made.trials.emplace_back();
      read_trial(i, made.trials);
    }
    if (!check_.ok()) return check_.error();
    return made;
  }

 private:
  bool read_trial(int i, std::vector<Trial>& trials) {
    const v1::ObjectiveTrial& message = message_.trials(i);
    const std::string key = schema::indexed("trials", std::size_t(i));
    Trial& trial = trials.back();
    trial.people = people_;
    trial.name = message.name();
    if (!check_.name(key + ".name", trial.name)) return false;
    for (const Trial& other : trials) {
      if (&other != &trial && other.name == trial.name) {
        return check_.fail(key + ".name", schema::in_quotes(trial.name), "a name of its own");
      }
    }
    check_.range(key + ".seeds", message.seeds(), 0, kMostSeeds);
    trial.seeds = static_cast<int>(message.seeds() ? message.seeds() : message_.seeds());
    trial.fresh_seeds = static_cast<int>(message_.fresh_seeds());
    if (!read_walker(message, key, trial)) return false;
    switch (message.kind_case()) {
      case v1::ObjectiveTrial::kWalk:
        trial.kind = TrialKind::kWalk;
        trial.walk = message.walk();
        read_walk(key + ".walk", trial.walk);
        break;
      case v1::ObjectiveTrial::kPush:
        trial.kind = TrialKind::kPush;
        trial.push = message.push();
        read_push(key + ".push", trial.push);
        break;
      case v1::ObjectiveTrial::KIND_NOT_SET:
        return check_.fail(key, "no kind", "with walk or push", "it has neither walk nor push");
    }
    trial.ground = message.ground();
    read_ground(key + ".ground", trial.ground);
    const int count = message.terms_size();
    if (count < 1 || count > kMostTerms) {
      check_.fail(key + ".terms", std::to_string(count) + " terms",
                  "1 to " + std::to_string(kMostTerms));
    }
    for (int t = 0; t < count && check_.ok(); ++t) {
      read_term(message.terms(t), key + "." + schema::indexed("terms", std::size_t(t)), trial);
    }
    return check_.ok();
  }

  bool read_walker(const v1::ObjectiveTrial& message, const std::string& key, Trial& trial) {
    const std::string body = message.body().empty() ? "human" : message.body();
    trial.style = message.style().empty() ? "normal" : message.style();
    std::vector<std::string> bipeds;
    for (const std::string& name : library_.bodies().names()) {
      if (biped_of(*library_.bodies().find(name)->body)) bipeds.push_back(name);
    }
    if (std::find(bipeds.begin(), bipeds.end(), body) == bipeds.end()) {
      return check_.fail(key + ".body", schema::in_quotes(body), schema::listed_names(bipeds),
                         "is not a body that walks" + command::meant(body, bipeds));
    }
    const std::vector<std::string>& styles = library_.styles().names();
    if (!library_.styles().find(trial.style)) {
      return check_.fail(key + ".style", schema::in_quotes(trial.style),
                         schema::listed_names(styles),
                         "is not a style" + command::meant(trial.style, styles));
    }
    trial.walker = trial::Walker::of(library_, body, trial.style);
    return true;
  }

  void read_walk(const std::string& key, v1::ObjectiveWalk& walk) {
    if (walk.seconds() == 0) walk.set_seconds(kUsualWalk);
    if (!walk.has_settle_s()) walk.set_settle_s(kUsualSettle);
    check_.range(key + ".forward_mps", walk.forward_mps(), -2, 3, " m/s");
    check_.range(key + ".left_mps", walk.left_mps(), -1, 1, " m/s");
    check_.range(key + ".settle_s", walk.settle_s(), 0, 60, " s");
    check_.range(key + ".seconds", walk.seconds(), walk.settle_s() + trial::kJudged, 600, " s");
  }

  void read_push(const std::string& key, v1::ObjectivePush& push) {
    if (push.duration_s() == 0) push.set_duration_s(0.1);
    if (push.watch_s() == 0) push.set_watch_s(8);
    check_.range(key + ".speed_mps", push.speed_mps(), -2, 3, " m/s");
    check_.range(key + ".force_n", push.force_n(), 1, 5000, " N");
    check_.range(key + ".duration_s", push.duration_s(), 0.01, 5, " s");
    check_.range(key + ".direction_deg", push.direction_deg(), -180, 180, " degrees");
    check_.range(key + ".watch_s", push.watch_s(), trial::kJudged, 600, " s");
  }

  void read_ground(const std::string& key, v1::ObjectiveGround& ground) {
    if (ground.friction() == 0) ground.set_friction(kUsualFriction);
    check_.range(key + ".friction", ground.friction(), 0.02, 2);
    check_.range(key + ".slope_deg", ground.slope_deg(), -30, 30, " degrees");
    check_.range(key + ".hillside_deg", ground.hillside_deg(), -30, 30, " degrees");
    check_.range(key + ".kerb_m", ground.kerb_m(), -0.3, 0.3, " m");
    check_.range(key + ".stairs_m", ground.stairs_m(), -0.3, 0.3, " m");
    if (ground.shape_case() == v1::ObjectiveGround::kUnevenM) {
      check_.range(key + ".uneven_m", ground.uneven_m(), 0.003, 0.2, " m");
    }
  }

  bool read_term(const v1::ObjectiveTerm& message, const std::string& key, Trial& trial) {
    Term term;
    term.figure = find_figure(message.figure());
    if (!term.figure || !term.figure->has(trial.kind)) {
      const std::vector<std::string> names = figure_names(trial.kind);
      std::string all;
      for (const std::string& name : names) all += (all.empty() ? "one of " : ", ") + name;
      return check_.fail(key + ".figure", schema::in_quotes(message.figure()), all,
                         std::string("is not a figure of a ") +
                             (trial.kind == TrialKind::kWalk ? "walk" : "push") +
                             command::meant(message.figure(), names));
    }
    switch (message.want_case()) {
      case v1::ObjectiveTerm::kTarget:
        term.want = Term::Want::kTarget;
        term.wanted = message.target();
        break;
      case v1::ObjectiveTerm::kAtLeast:
        term.want = Term::Want::kAtLeast;
        term.wanted = message.at_least();
        break;
      case v1::ObjectiveTerm::kAtMost:
        term.want = Term::Want::kAtMost;
        term.wanted = message.at_most();
        break;
      case v1::ObjectiveTerm::WANT_NOT_SET:
        return check_.fail(key, "no wish", "with target, at_least or at_most",
                           "it does not say what is wanted");
    }
    term.scale = message.scale();
    check_.positive(key + ".scale", term.scale,
                    *term.figure->unit ? std::string(" ") + term.figure->unit : "");
    term.weight = message.weight() == 0 ? 1 : message.weight();
    check_.range(key + ".weight", term.weight, 0, 1e6);
    trial.terms.push_back(term);
    return check_.ok();
  }

  const v1::Objective& message_;
  const Library& library_;
  const std::shared_ptr<const trial::GaitReference> people_;
  Checker check_;
};

std::shared_ptr<const physics::Ground> ground_of(const v1::ObjectiveGround& asked,
                                                 std::uint64_t seed) {
  switch (asked.shape_case()) {
    case v1::ObjectiveGround::kSlopeDeg:
      return trial::long_slope(asked.slope_deg() * kRadFromDeg);
    case v1::ObjectiveGround::kHillsideDeg:
      return trial::hillside(asked.hillside_deg() * kRadFromDeg);
    case v1::ObjectiveGround::kUnevenM:
      return trial::rough_track(asked.uneven_m(), seed);
    case v1::ObjectiveGround::kKerbM:
      return trial::kerb(asked.kerb_m());
    case v1::ObjectiveGround::kStairsM:
      return trial::stairs(asked.stairs_m(), kStairs, kTread);
    case v1::ObjectiveGround::SHAPE_NOT_SET:
      break;
  }
  return std::make_shared<const physics::Ground>();
}

}  // namespace

double penalty_of(double deviation, double worst) {
  // A figure that is not finite gets the worst, too: no comparison holds for it.
  return std::isfinite(deviation) ? deviation / (1 + deviation / worst) : worst;
}

double penalty_of_fall(double share, double worst) {
  return worst * (2 - std::clamp(share, 0.0, 1.0));
}

double Term::deviation(double value) const {
  double off = (value - wanted) / scale;
  if (want == Want::kAtLeast) off = std::min(off, 0.0);
  if (want == Want::kAtMost) off = std::max(off, 0.0);
  return off * off;
}

double Trial::seconds() const {
  return kind == TrialKind::kWalk ? walk.seconds()
                                  : kBeforePush + push.duration_s() + push.watch_s();
}

trial::Walker Trial::walker_of(const Candidate& candidate) const {
  trial::Walker made = walker;
  if (candidate.parameters) made.parameters = candidate.parameters;
  if (const auto found = candidate.styles.find(style); found != candidate.styles.end()) {
    made.style = found->second;
  }
  return made;
}

void Trial::put_on_ground(trial::Walker& subject, std::uint64_t seed) const {
  const bool shaped = ground.shape_case() != v1::ObjectiveGround::SHAPE_NOT_SET;
  if (!shaped && ground.friction() == kUsualFriction) return;
  subject.ground = ground_of(ground, seed);
  if (ground.friction() != kUsualFriction) {
    subject.ground = trial::with_friction(*subject.ground, ground.friction());
  }
  subject.straight_on = shaped;
  if (ground.believed_level()) subject.believed_ground = std::make_shared<const physics::Ground>();
}

std::vector<TermOfRun> Trial::run(const trial::Walker& candidate, std::uint64_t seed,
                                  double worst) const {
  trial::Walker subject = candidate;
  put_on_ground(subject, seed);
  RunResult result;
  if (kind == TrialKind::kWalk) {
    result.asked = Vec2(walk.forward_mps(), walk.left_mps());
    const bool cycle = std::any_of(terms.begin(), terms.end(),
                                   [](const Term& term) { return term.figure->of_cycle; });
    const trial::SteadyWalk done =
        trial::walk_steadily(subject, result.asked, walk.seconds(), walk.settle_s(), seed, cycle);
    result.up = done.up;
    result.share = done.seconds / walk.seconds();
    result.walk = &done;
    result.people = people.get();
    result.leg_length = subject.body->leg_length;
    return judge(result, worst);
  }
  trial::PushCase how;
  how.speed = push.speed_mps();
  how.standing = push.standing();
  how.force = push.force_n();
  how.duration = push.duration_s();
  how.direction = push.direction_deg() * kRadFromDeg;
  if (push.any_direction()) how.direction = Random::stream(seed, 0xd12ULL).uniform(-kPi, kPi);
  how.watch = push.watch_s();
  how.look = std::any_of(terms.begin(), terms.end(),
                         [](const Term& term) { return term.figure->of_looks; });
  const trial::PushOutcome done = trial::push_once(subject, how, seed);
  result.up = done.up;
  result.share = done.seconds / done.whole;
  result.push = &done;
  return judge(result, worst);
}

std::vector<TermOfRun> Trial::judge(const RunResult& run, double worst) const {
  std::vector<TermOfRun> out;
  for (const Term& term : terms) {
    TermOfRun& of_term = out.emplace_back();
    const double value = term.figure->value(run);
    of_term.has_value = std::isfinite(value) && (run.up || term.figure->of_the_fallen);
    if (of_term.has_value) of_term.value = value;
    of_term.penalty =
        run.up ? penalty_of(term.deviation(value), worst) : penalty_of_fall(run.share, worst);
  }
  return out;
}

schema::Result<Objective> Objective::make(const v1::Objective& message,
                                          const schema::Source& source, const Library& library,
                                          std::shared_ptr<const trial::GaitReference> people) {
  return ObjectiveReader(message, source, library, std::move(people)).run();
}

int Objective::term_count() const {
  int count = 0;
  for (const Trial& trial : trials) count += static_cast<int>(trial.terms.size());
  return count;
}

}  // namespace promenade::search
