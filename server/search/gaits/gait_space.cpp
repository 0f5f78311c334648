#include "search/gaits/gait_space.h"

#include <algorithm>
#include <cmath>

#include "schema/refusal.h"
#include "study/trial/gait/gait_trial.h"

namespace promenade::search {
namespace {

using control::posegraph::Graph;
using control::posegraph::State;
using control::posegraph::Symmetry;

constexpr double kUsualReach = 0.6;  // rad
constexpr int kUsualStates = 4;

// Never -0, which a file would write as 0.
double to_decimals(double value, double one) { return std::round(value * one) / one + 0.0; }
double to_pose(double value) { return to_decimals(value, 1e4); }
double to_duration(double value) { return to_decimals(value, 1e5); }

// Whether a link belongs to a head or a tail: these keep their rest pose.
bool is_idle(const Creature& creature, int link) {
  for (const Limb& limb : creature.limbs) {
    if (limb.kind != LimbKind::kHead && limb.kind != LimbKind::kTail) continue;
    if (std::find(limb.links.begin(), limb.links.end(), link) != limb.links.end()) return true;
  }
  return false;
}

double place_of(double value, double low, double high) {
  return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
}
double place_of_duration(double ratio) {
  return place_of(std::log(ratio), std::log(GaitSpace::kFaster), std::log(GaitSpace::kSlower));
}
double duration_at(double place) {
  return std::exp(std::lerp(std::log(GaitSpace::kFaster), std::log(GaitSpace::kSlower), place));
}

}  // namespace

GaitSpace GaitSpace::make(const v1::GaitSearch& search, std::shared_ptr<const Creature> creature,
                          schema::Checker& check) {
  GaitSpace out;
  out.creature_ = std::move(creature);
  if (!v1::Gait::Symmetry_IsValid(search.symmetry())) {
    check.fail("symmetry", std::to_string(int(search.symmetry())),
               "NONE, IN_PHASE or OUT_OF_PHASE");
    return out;
  }
  out.symmetry_ = static_cast<Symmetry>(search.symmetry());
  out.states_ = search.states() ? int(search.states()) : kUsualStates;
  check.range("states", out.states_, 1, double(control::posegraph::kMostStates));
  if (out.symmetry_ == Symmetry::kOutOfPhase && out.states_ % 2 != 0) {
    check.fail("states", std::to_string(out.states_), "an even number with the symmetry 180");
  }
  if (out.symmetry_ != Symmetry::kNone) {
    auto mirror = control::posegraph::mirror_of(*out.creature_);
    if (!mirror) {
      check.fail("symmetry", v1::Gait::Symmetry_Name(search.symmetry()),
                 "NONE, because " + out.creature_->name + " has " + mirror.error().value);
      return out;
    }
    out.mirror_ = *std::move(mirror);
  }
  out.period_ = search.period_s() != 0 ? search.period_s() : trial::usual_period(*out.creature_);
  check.range("period_s", out.period_, 0.02, 20, " s");
  const double reach = search.reach_rad() != 0 ? search.reach_rad() : kUsualReach;
  check.range("reach_rad", reach, 0.05, 3.2, " rad");
  if (!check.ok()) return out;
  out.find_angles(reach);
  if (out.angles_.empty()) {
    check.fail("creature", schema::in_quotes(out.creature_->name),
               "one with joints that have servos");
    return out;
  }
  Graph begin;
  if (search.has_from()) {
    const auto gait = control::posegraph::build_gait(search.from(), *out.creature_, {});
    if (!gait) {
      check.fail("from." + gait.error().key, gait.error().value, gait.error().allowed);
      return out;
    }
    begin = (*gait)->graph;
    if (int(begin.cycle.size()) != out.states_) {
      check.fail("from.states", std::to_string(begin.cycle.size()) + " states",
                 std::to_string(out.states_));
      return out;
    }
    out.period_ = begin.period();
  } else {
    begin.cycle.assign(std::size_t(out.states_),
                       State{out.period_ / out.states_, out.creature_->rest});
  }
  out.begin_at(begin);
  return out;
}

int GaitSpace::free_states() const {
  return symmetry_ == Symmetry::kOutOfPhase ? states_ / 2 : states_;
}

void GaitSpace::find_angles(double reach) {
  const auto& links = creature_->model->links;
  for (int state = 0; state < free_states(); ++state) {
    for (int link = 1; link < int(links.size()); ++link) {
      if (!control::posegraph::is_driven(*creature_, link) || is_idle(*creature_, link)) continue;
      const bool paired =
          symmetry_ == Symmetry::kInPhase && mirror_.other[std::size_t(link)] != link;
      if (paired && mirror_.other[std::size_t(link)] < link) continue;
      const physics::LinkModel& model = links[std::size_t(link)];
      for (int k = 0; k < physics::dof_of(model.joint); ++k) {
        // A joint in the middle that would be its own mirror image cannot turn to one side.
        if (symmetry_ == Symmetry::kInPhase && !paired && mirror_.sign[std::size_t(link)][k] < 0) {
          continue;
        }
        const double rest = creature_->rest[std::size_t(link)][k];
        const double low = std::max(model.lower[k], rest - reach);
        const double high = std::min(model.upper[k], rest + reach);
        if (high > low) angles_.push_back({state, link, k, low, high});
      }
    }
  }
}

void GaitSpace::begin_at(const Graph& graph) {
  start_.resize(Eigen::Index(angles_.size()) + free_states());
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    const Angle& angle = angles_[i];
    const double value =
        graph.cycle[std::size_t(angle.state)].pose[std::size_t(angle.link)][angle.coordinate];
    start_[Eigen::Index(i)] = place_of(value, angle.low, angle.high);
  }
  for (int state = 0; state < free_states(); ++state) {
    const double ratio = graph.cycle[std::size_t(state)].duration * states_ / period_;
    start_[Eigen::Index(angles_.size()) + state] = place_of_duration(ratio);
  }
}

std::vector<bool> GaitSpace::is_duration() const {
  std::vector<bool> out(std::size_t(dimension()), false);
  std::fill(out.begin() + std::ptrdiff_t(angles_.size()), out.end(), true);
  return out;
}

std::vector<double> GaitSpace::values(const Vector& places) const {
  std::vector<double> out;
  out.reserve(std::size_t(places.size()));
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    const double value = std::lerp(angles_[i].low, angles_[i].high, places[Eigen::Index(i)]);
    out.push_back(std::clamp(to_pose(value), angles_[i].low, angles_[i].high));
  }
  const double mean = period_ / states_;
  for (Eigen::Index i = Eigen::Index(angles_.size()); i < places.size(); ++i) {
    out.push_back(std::clamp(to_duration(mean * duration_at(places[i])),
                             control::posegraph::kShortestState,
                             control::posegraph::kLongestState));
  }
  return out;
}

void GaitSpace::complete(std::vector<State>& cycle) const {
  if (symmetry_ == Symmetry::kNone) return;
  const auto mirrored = [&](const State& of) {
    State out = of;
    for (std::size_t link = 1; link < out.pose.size(); ++link) {
      out.pose[link] = mirror_.of(int(link), of.pose[std::size_t(mirror_.other[link])]);
    }
    return out;
  };
  if (symmetry_ == Symmetry::kOutOfPhase) {
    const std::size_t half = cycle.size();
    for (std::size_t i = 0; i < half; ++i) cycle.push_back(mirrored(cycle[i]));
    return;
  }
  for (State& state : cycle) {
    for (std::size_t link = 1; link < state.pose.size(); ++link) {
      const int other = mirror_.other[link];
      if (other > int(link)) {
        state.pose[std::size_t(other)] = mirror_.of(other, state.pose[link]);
      }
    }
  }
}

Graph GaitSpace::graph(const Vector& places) const {
  const std::vector<double> numbers = values(places);
  Graph out;
  for (int state = 0; state < free_states(); ++state) {
    out.cycle.push_back({numbers[angles_.size() + std::size_t(state)], creature_->rest});
  }
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    const Angle& angle = angles_[i];
    out.cycle[std::size_t(angle.state)].pose[std::size_t(angle.link)][angle.coordinate] =
        numbers[i];
  }
  complete(out.cycle);
  return out;
}

std::shared_ptr<const control::posegraph::Gait> GaitSpace::gait(const Vector& places) const {
  auto out = std::make_shared<control::posegraph::Gait>();
  out->creature = creature_->name;
  out->symmetry = symmetry_;
  out->graph = graph(places);
  return out;
}

v1::Gait GaitSpace::message(const Vector& places) const {
  v1::Gait out;
  out.set_creature(creature_->name);
  out.set_symmetry(static_cast<v1::Gait::Symmetry>(symmetry_));
  control::posegraph::write_states(graph(places).cycle, *creature_, out.mutable_states());
  return out;
}

}  // namespace promenade::search
