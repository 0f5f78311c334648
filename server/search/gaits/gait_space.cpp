#include "search/gaits/gait_space.h"

#include <algorithm>
#include <cctype>
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
constexpr int kUnwound = 2;  // cycles of a gait that become the chain of a leap
// Of a state's duration over the mean: how far the range goes beyond one that lies outside it.
constexpr double kBeyond = 1.25;

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

// Source: Panne1996, "Aperiodic motions": cycles one after the other.
// @param states  of the chain; 0: of two cycles
void unwind(v1::Gait& gait, std::uint32_t states) {
  const int cycle = gait.states_size(), most = int(control::posegraph::kMostStates);
  const int count = states > 0 ? int(states) : std::min(kUnwound, most / cycle) * cycle;
  for (int i = 0; i < count; ++i) *gait.add_chain() = gait.states(i % cycle);
}

std::string name_of(v1::GaitVariant::Use use) {
  std::string name = v1::GaitVariant::Use_Name(use);
  for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// "leap", of a smaller one "leap_40", by its size in hundredths.
std::string name_of_leap(double size) {
  const std::string name = name_of(v1::GaitVariant::LEAP);
  return size == 1 ? name : name + "_" + std::to_string(std::lround(100 * size));
}

}  // namespace

// The gait to begin at and which part of it is free. @return whether all is well
bool GaitSpace::read_part(const v1::GaitSearch& search, schema::Checker& check) {
  variant_ = search.part() == v1::GaitSearch::VARIANT;
  use_ = search.use();
  if (variant_ && !v1::GaitVariant::Use_IsValid(use_)) {
    check.fail("use", std::to_string(int(use_)), "MIX, LEFT, RIGHT, FAST or LEAP");
  } else if (search.part() != v1::GaitSearch::CYCLE && !search.has_from()) {
    check.fail("from", "none", "the gait of which a variant or the feedback is wanted");
  }
  if (search.size() != 0) {
    size_ = search.size();
    check.range("size", size_, 0.01, 1);
    if (!leaps()) check.fail("size", schema::number(size_), "nothing, as only a LEAP has a size");
  }
  if (!check.ok() || !search.has_from()) return check.ok();
  v1::Gait from = search.from();
  // A chain of so many poses is kept, for the leaps that go through it.
  const auto asked = int(search.states());
  const bool other = from.chain().empty() || (asked > 0 && asked != from.chain_size());
  if (leaps() && other && !from.states().empty()) {
    check.range("states", search.states(), 0, double(control::posegraph::kMostStates));
    if (!check.ok()) return false;
    from.clear_chain();
    // What went through the chain before.
    auto& variants = *from.mutable_variants();
    const auto kept = std::remove_if(variants.begin(), variants.end(), [](const auto& one) {
      return one.use() == v1::GaitVariant::LEAP;
    });
    variants.erase(kept, variants.end());
    for (v1::GaitVariant& one : variants) one.clear_chain();
    unwind(from, search.states());
  }
  auto gait = control::posegraph::build_gait(from, *creature_, {});
  if (!gait) {
    check.fail("from." + gait.error().key, gait.error().value, gait.error().allowed);
    return false;
  }
  from_ = *std::move(gait);
  return true;
}

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
  if (!out.read_part(search, check)) return out;
  out.states_ = search.states() ? int(search.states()) : kUsualStates;
  if (search.part() == v1::GaitSearch::FEEDBACK) {
    out.feedback_.emplace(out.from_, out.creature_);
    out.start_ = out.feedback_->start();
    out.period_ = out.from_->graph.period();
    if (out.start_.size() == 0)
      check.fail("creature", schema::in_quotes(search.creature()),
                 "one with legs that have servos");
    return out;
  }
  if (out.variant_) out.states_ = int(out.part_of(out.from_->graph).size());
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
  const Graph begin = out.begin_of(search.period_s(), check);
  if (!check.ok()) return out;
  // A gait stays itself; what is told how long it takes is about that long.
  out.find_tempos(begin, !out.leaps() || search.period_s() == 0);
  out.begin_at(begin);
  return out;
}

// Where the search begins.
// @param period  s, about which the durations of a chain lie; 0: that of the chain
Graph GaitSpace::begin_of(double period, schema::Checker& check) {
  if (!from_) {
    return {{std::size_t(states_), State{period_ / states_, creature_->rest}}, {}};
  }
  const int states = int(part_of(from_->graph).size());
  if (states != states_) {
    check.fail("from.states", std::to_string(states) + " states", std::to_string(states_));
  }
  period_ = 0;
  for (const State& state : part_of(from_->graph)) period_ += state.duration;
  if (leaps() && period > 0) period_ = period;
  return from_->graph;
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

double GaitSpace::ratio_in(const Graph& graph, int state) const {
  return part_of(graph)[std::size_t(state)].duration * states_ / period_;
}

void GaitSpace::find_tempos(const Graph& graph, bool widened) {
  for (int state = 0; state < free_states(); ++state) {
    Tempo tempo{kFaster, kSlower};
    const double ratio = ratio_in(graph, state);
    if (widened && ratio < tempo.low) tempo.low = ratio / kBeyond;
    if (widened && ratio > tempo.high) tempo.high = ratio * kBeyond;
    tempos_.push_back(tempo);
  }
}

void GaitSpace::begin_at(const Graph& graph) {
  start_.resize(Eigen::Index(angles_.size()) + free_states());
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    const Angle& angle = angles_[i];
    const double value =
        part_of(graph)[std::size_t(angle.state)].pose[std::size_t(angle.link)][angle.coordinate];
    start_[Eigen::Index(i)] = place_of(value, angle.low, angle.high);
  }
  for (int state = 0; state < free_states(); ++state) {
    const Tempo& tempo = tempos_[std::size_t(state)];
    start_[Eigen::Index(angles_.size()) + state] =
        place_of(std::log(ratio_in(graph, state)), std::log(tempo.low), std::log(tempo.high));
  }
}

std::vector<bool> GaitSpace::is_duration() const {
  std::vector<bool> out(std::size_t(dimension()), false);
  if (feedback_) return out;
  std::fill(out.begin() + std::ptrdiff_t(angles_.size()), out.end(), true);
  return out;
}

std::vector<std::string> GaitSpace::names() const {
  std::vector<std::string> out;
  const auto in_state = [](int state) { return "state" + std::to_string(state + 1) + "."; };
  for (const Angle& angle : angles_) {
    const std::size_t link = std::size_t(angle.link);
    std::string name = in_state(angle.state) + creature_->joint_names[link];
    if (physics::dof_of(creature_->model->links[link].joint) > 1) {
      name += "." + std::to_string(angle.coordinate + 1);
    }
    out.push_back(std::move(name));
  }
  for (int state = 0; state < free_states(); ++state) out.push_back(in_state(state) + "duration");
  return out;
}

std::vector<int> GaitSpace::coordinates() const {
  std::vector<int> out;
  for (const Angle& angle : angles_) out.push_back(3 * angle.link + angle.coordinate);
  out.resize(std::size_t(dimension()), -1);
  return out;
}

const char* GaitSpace::unit(int number) const {
  if (number >= int(angles_.size())) return "s";
  const auto& link = creature_->model->links[std::size_t(angles_[std::size_t(number)].link)];
  return physics::type_of(link.joint).linear ? "m" : "rad";
}

std::vector<double> GaitSpace::values(const Vector& places) const {
  if (feedback_) return feedback_->values(places);
  std::vector<double> out;
  out.reserve(std::size_t(places.size()));
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    const double value = std::lerp(angles_[i].low, angles_[i].high, places[Eigen::Index(i)]);
    out.push_back(std::clamp(to_pose(value), angles_[i].low, angles_[i].high));
  }
  const double mean = period_ / states_;
  for (std::size_t i = 0; i < tempos_.size(); ++i) {
    const double place = places[Eigen::Index(angles_.size() + i)];
    const double ratio =
        std::exp(std::lerp(std::log(tempos_[i].low), std::log(tempos_[i].high), place));
    out.push_back(std::clamp(to_duration(mean * ratio), control::posegraph::kShortestState,
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
  if (feedback_) return from_->graph;
  const std::vector<double> numbers = values(places);
  std::vector<State> free;
  for (std::size_t state = 0; state < std::size_t(free_states()); ++state) {
    // Joints that are not free stay as the gait has them.
    free.push_back({numbers[angles_.size() + state],
                    variant_ ? part_of(from_->graph)[state].pose : creature_->rest});
  }
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    const Angle& angle = angles_[i];
    free[std::size_t(angle.state)].pose[std::size_t(angle.link)][angle.coordinate] = numbers[i];
  }
  complete(free);
  Graph out;
  if (variant_) out = from_->graph;
  (leaps() ? out.chain : out.cycle) = std::move(free);
  return out;
}

std::shared_ptr<const control::posegraph::Gait> GaitSpace::gait(const Vector& places,
                                                                double weight) const {
  if (feedback_) return feedback_->gait(places);
  auto out = std::make_shared<control::posegraph::Gait>();
  out->creature = creature_->name;
  if (!variant_) {
    out->symmetry = symmetry_;
    out->graph = graph(places);
    return out;
  }
  control::posegraph::Gait whole;
  out->feedback = from_->feedback;
  out->message.mutable_origin()->set_speed_mps(from_->speed());  // what the feedback compares with
  whole.graph = from_->graph;
  whole.variants.push_back({name_of(use_), use_, graph(places), {}, 0});
  control::posegraph::mix(whole, {&weight, 1}, out->graph);
  return out;
}

v1::GaitVariant& GaitSpace::variant_in(v1::Gait& file) const {
  for (v1::GaitVariant& one : *file.mutable_variants()) {
    if (one.use() != use_ || !one.mirror_of().empty()) continue;
    if (!leaps() || (one.size() == 0 ? 1 : one.size()) == size_) return one;
  }
  return *file.add_variants();
}

v1::GaitOrigin& GaitSpace::origin_in(v1::Gait& file) const {
  if (feedback_) return *file.mutable_feedback()->mutable_origin();
  return variant_ ? *variant_in(file).mutable_origin() : *file.mutable_origin();
}

v1::Gait GaitSpace::message(const Vector& places) const {
  if (feedback_) return feedback_->message(places);
  const Graph found = graph(places);
  v1::Gait out;
  if (!variant_) {
    out.set_creature(creature_->name);
    out.set_symmetry(static_cast<v1::Gait::Symmetry>(symmetry_));
    control::posegraph::write_states(found.cycle, *creature_, out.mutable_states());
    return out;
  }
  out = from_->message;
  v1::GaitVariant& variant = variant_in(out);
  variant.Clear();
  variant.set_name(leaps() ? name_of_leap(size_) : name_of(use_));
  variant.set_use(use_);
  if (leaps() && size_ != 1) variant.set_size(size_);
  control::posegraph::write_states(part_of(found), *creature_,
                                   leaps() ? variant.mutable_chain() : variant.mutable_states());
  const bool turns = use_ == v1::GaitVariant::LEFT || use_ == v1::GaitVariant::RIGHT;
  if (!turns || from_->symmetry == Symmetry::kNone) return out;
  const auto other_use =
      use_ == v1::GaitVariant::LEFT ? v1::GaitVariant::RIGHT : v1::GaitVariant::LEFT;
  for (const v1::GaitVariant& one : out.variants()) {
    if (one.use() == other_use) return out;
  }
  const std::string name = variant.name();
  v1::GaitVariant& other = *out.add_variants();
  other.set_name(name_of(other_use));
  other.set_use(other_use);
  other.set_mirror_of(name);
  return out;
}

}  // namespace promenade::search
