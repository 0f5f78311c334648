#include "control/posegraph/gait.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "control/posegraph/mirror.h"
#include "schema/check.h"
#include "schema/refusal.h"

namespace promenade::control::posegraph {
namespace {

using google::protobuf::RepeatedField;
using google::protobuf::RepeatedPtrField;
using physics::LinkModel;

constexpr double kSamePose = 1e-6;  // rad or m: poses that differ by less are the same

bool is_linear(const LinkModel& link) { return physics::type_of(link.joint).linear; }

/// Builds the states of one gait for one creature.
class StateBuilder {
 public:
  StateBuilder(const Creature& creature, schema::Checker& check)
      : creature_(creature), check_(check) {}

  std::vector<State> states(const std::string& key, const RepeatedPtrField<v1::GaitState>& list) {
    std::vector<State> out;
    if (list.size() > int(kMostStates)) {
      check_.fail(key, std::to_string(list.size()) + " states",
                  "up to " + std::to_string(kMostStates));
      return out;
    }
    for (int i = 0; i < list.size() && check_.ok(); ++i) {
      out.push_back(state(schema::indexed(key, std::size_t(i)), list[i]));
    }
    return out;
  }

 private:
  State state(const std::string& key, const v1::GaitState& m) {
    State out;
    out.duration = m.duration_s();
    out.pose = creature_.rest;
    check_.range(key + ".duration_s", m.duration_s(), kShortestState, kLongestState, " s");
    for (int i = 0; i < m.pose_size() && check_.ok(); ++i) {
      joint(schema::indexed(key + ".pose", std::size_t(i)), m.pose(i), out);
    }
    return out;
  }

  void joint(const std::string& key, const v1::JointPose& m, State& out) {
    const int link = creature_.find_joint(m.joint());
    if (link < 0 || !is_driven(creature_, link)) {
      check_.fail(key + ".joint", schema::in_quotes(m.joint()),
                  schema::listed_names(driven_names()));
      return;
    }
    const LinkModel& model = creature_.model->links[std::size_t(link)];
    const bool linear = is_linear(model);
    const RepeatedField<double>& at = linear ? m.at_m() : m.at_rad();
    const std::string field = key + (linear ? ".at_m" : ".at_rad");
    if (!check_.count(field, std::size_t(at.size()), std::size_t(physics::dof_of(model.joint))))
      return;
    for (int k = 0; k < at.size(); ++k) {
      const double low = model.lower[k], high = model.upper[k];
      check_.range(schema::indexed(field, std::size_t(k)), at[k], std::max(low, -100.0),
                   std::min(high, 100.0), linear ? " m" : " rad");
      out.pose[std::size_t(link)][k] = at[k];
    }
  }

  std::vector<std::string> driven_names() const {
    std::vector<std::string> names;
    for (std::size_t i = 1; i < creature_.joint_names.size(); ++i) {
      if (is_driven(creature_, int(i))) names.push_back(creature_.joint_names[i]);
    }
    return names;
  }

  const Creature& creature_;
  schema::Checker& check_;
};

/// A graph in the mirror, begun half a cycle later where the symmetry says so. The chain, which
/// begins where a cycle ends, is the mirror image alone.
Graph mirrored(const Graph& graph, Symmetry symmetry, const Mirror& mirror) {
  Graph out = graph;
  const auto turn = [&](const std::vector<State>& from, std::size_t later, std::vector<State>& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const State& other = from[(i + later) % from.size()];
      to[i].duration = other.duration;
      for (std::size_t link = 1; link < to[i].pose.size(); ++link) {
        to[i].pose[link] = mirror.of(int(link), other.pose[std::size_t(mirror.other[link])]);
      }
    }
  };
  turn(graph.cycle, symmetry == Symmetry::kOutOfPhase ? graph.cycle.size() / 2 : 0, out.cycle);
  turn(graph.chain, 0, out.chain);
  return out;
}

/// Checks that each side does what the other does, at once or half a cycle later.
void check_symmetry(const std::string& key, Symmetry symmetry, const std::vector<State>& cycle,
                    const Creature& creature, const Mirror& mirror, schema::Checker& check) {
  const std::size_t half = symmetry == Symmetry::kOutOfPhase ? cycle.size() / 2 : 0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const State& one = cycle[i];
    const State& other = cycle[(i + half) % cycle.size()];
    const std::string at = schema::indexed(key, i);
    if (std::abs(one.duration - other.duration) > kSamePose) {
      check.fail(at + ".duration_s", schema::number(one.duration),
                 schema::number(other.duration) + ", as half a cycle later");
      return;
    }
    for (std::size_t link = 1; link < one.pose.size(); ++link) {
      const Vec3 wanted = mirror.of(int(link), other.pose[std::size_t(mirror.other[link])]);
      if ((one.pose[link] - wanted).norm() <= kSamePose) continue;
      check.fail(at + ".pose", schema::in_quotes(creature.joint_names[link]) + " differs",
                 "what the other side does, as the symmetry says");
      return;
    }
  }
}

std::vector<LeapReach> build_reaches(const std::string& key, const v1::GaitVariant& m,
                                     const Gait& gait, schema::Checker& check) {
  std::vector<LeapReach> out;
  if (m.reaches().empty()) return out;
  const std::string count = std::to_string(m.reaches_size()) + " reaches";
  if (m.use() != v1::GaitVariant::LEAP || gait.graph.chain.empty()) {
    check.fail(key + ".reaches", count, "none, as only a LEAP with a chain has them");
  } else if (m.reaches_size() > int(kMostReaches)) {
    check.fail(key + ".reaches", count, "up to " + std::to_string(kMostReaches));
  }
  for (int i = 0; i < m.reaches_size() && check.ok(); ++i) {
    const v1::LeapReach& one = m.reaches(i);
    const std::string at = schema::indexed(key + ".reaches", std::size_t(i));
    check.range(at + ".height_m", one.height_m(), 0.001, 10, " m");
    check.range(at + ".from_m", one.from_m(), -10, 10, " m");
    check.range(at + ".to_m", one.to_m(), one.from_m(), 10, " m");
    out.push_back({one.height_m(), one.from_m(), one.to_m()});
  }
  return out;
}

double size_of(const std::string& key, const v1::GaitVariant& m, const Gait& gait,
               schema::Checker& check) {
  const double size = m.size() == 0 ? 1 : m.size();
  check.range(key + ".size", size, 0.001, 1);
  if (m.use() != v1::GaitVariant::LEAP) {
    if (m.size() != 0)
      check.fail(key + ".size", schema::number(m.size()), "nothing, as only a LEAP has a size");
    return size;
  }
  for (const Gait::Variant& one : gait.variants) {
    if (one.use != v1::GaitVariant::LEAP || one.size != size) continue;
    check.fail(key + ".size", schema::number(size),
               "a size that no leap before it has, as " + schema::in_quotes(one.name) + " does");
  }
  return size;
}

Gait::Variant build_variant(const std::string& key, const v1::GaitVariant& m, const Gait& gait,
                            const std::optional<Mirror>& mirror, StateBuilder& build,
                            schema::Checker& check) {
  Gait::Variant out{m.name(),     m.use(),
                    gait.graph,   build_reaches(key, m, gait, check),
                    m.recovery(), size_of(key, m, gait, check)};
  check.range(key + ".recovery", m.recovery(), 0, double(kLongestRecovery));
  check.name(key + ".name", m.name());
  const auto& before = gait.variants;
  const auto namesake = [&](const std::string& name) {
    return std::find_if(before.begin(), before.end(),
                        [&](const Gait::Variant& one) { return one.name == name; });
  };
  if (namesake(m.name()) != before.end()) {
    check.fail(key + ".name", schema::in_quotes(m.name()), "a name that no variant before it has");
  }
  if (!m.mirror_of().empty()) {
    const auto of = namesake(m.mirror_of());
    if (!mirror) {
      check.fail(key + ".mirror_of", schema::in_quotes(m.mirror_of()),
                 "nothing, because the gait has no symmetry");
    } else if (of == before.end()) {
      check.fail(key + ".mirror_of", schema::in_quotes(m.mirror_of()), "a variant before it");
    } else if (!m.states().empty() || !m.chain().empty()) {
      check.fail(key + ".states", "states of its own", "none, as it is a mirror image");
    } else {
      out.graph = mirrored(of->graph, gait.symmetry, *mirror);
    }
    return out;
  }
  const auto take = [&](const char* field, const RepeatedPtrField<v1::GaitState>& states,
                        std::vector<State>& into) {
    if (states.empty()) return;
    if (std::size_t(states.size()) != into.size()) {
      check.fail(key + "." + field, std::to_string(states.size()) + " states",
                 std::to_string(into.size()) + ", as many as the gait has");
      return;
    }
    into = build.states(key + "." + field, states);
  };
  take("states", m.states(), out.graph.cycle);
  take("chain", m.chain(), out.graph.chain);
  return out;
}

std::vector<Gait::Entry> build_entries(const v1::Gait& m, std::size_t states,
                                       schema::Checker& check) {
  std::vector<Gait::Entry> out;
  if (m.entries_size() > int(kMostEntries)) {
    check.fail("entries", std::to_string(m.entries_size()) + " entries",
               "up to " + std::to_string(kMostEntries));
    return out;
  }
  for (int i = 0; i < m.entries_size(); ++i) {
    const v1::GaitEntry& entry = m.entries(i);
    const std::string key = schema::indexed("entries", std::size_t(i));
    check.name(key + ".from", entry.from());
    const auto same = [&](const Gait::Entry& one) { return one.from == entry.from(); };
    if (std::any_of(out.begin(), out.end(), same) || entry.from() == m.name()) {
      check.fail(key + ".from", schema::in_quotes(entry.from()),
                 "another gait, which no entry before it has");
    }
    if (entry.leave() >= kMostStates) {
      check.fail(key + ".leave", std::to_string(entry.leave()),
                 "0 to " + std::to_string(kMostStates - 1));
    }
    if (entry.enter() >= states) {
      check.fail(key + ".enter", std::to_string(entry.enter()),
                 "a state of the gait, 0 to " + std::to_string(states - 1));
    }
    out.push_back({entry.from(), entry.leave(), entry.enter()});
  }
  return out;
}

}  // namespace

double Graph::period() const {
  double sum = 0;
  for (const State& state : cycle) sum += state.duration;
  return sum;
}

int Gait::variant_for(v1::GaitVariant::Use use) const {
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (variants[i].use == use) return int(i);
  }
  return -1;
}

int Gait::leap_of(double size) const {
  int nearest = -1;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (variants[i].use != v1::GaitVariant::LEAP) continue;
    const auto off = [&](std::size_t k) { return std::abs(variants[k].size - size); };
    if (nearest < 0 || off(i) < off(std::size_t(nearest))) nearest = int(i);
  }
  return nearest;
}

bool Gait::leaps_by_itself() const {
  return std::any_of(variants.begin(), variants.end(), [](const Variant& one) {
    return one.use == v1::GaitVariant::LEAP && !one.reaches.empty();
  });
}

const Gait::Entry* Gait::entry_from(std::string_view other) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.from == other; });
  return found == entries.end() ? nullptr : &*found;
}

bool is_driven(const Creature& creature, int link) {
  const auto i = std::size_t(link);
  return link > 0 && creature.gains[i].kp > 0 && !creature.gains[i].passive;
}

int driven_dof(const Creature& creature) {
  int count = 0;
  for (std::size_t i = 1; i < creature.model->links.size(); ++i) {
    if (is_driven(creature, int(i))) count += physics::dof_of(creature.model->links[i].joint);
  }
  return count;
}

schema::Result<std::shared_ptr<const Gait>> build_gait(const v1::Gait& m, const Creature& creature,
                                                       const schema::Source& source) {
  schema::Checker check(source);
  check.name("name", m.name());
  if (m.creature() != creature.name) {
    check.fail("creature", schema::in_quotes(m.creature()), schema::in_quotes(creature.name));
    return check.error();
  }
  auto out = std::make_shared<Gait>();
  out->name = m.name();
  out->title = m.title().empty() ? m.name() : m.title();
  out->creature = m.creature();
  out->message = m;
  if (!v1::Gait::Symmetry_IsValid(m.symmetry())) {
    check.fail("symmetry", std::to_string(int(m.symmetry())), "NONE, IN_PHASE or OUT_OF_PHASE");
    return check.error();
  }
  out->symmetry = static_cast<Symmetry>(m.symmetry());
  StateBuilder build(creature, check);
  out->graph = {build.states("states", m.states()), build.states("chain", m.chain())};
  const std::size_t states = out->graph.cycle.size();
  if (states == 0) check.fail("states", "none", "1 to " + std::to_string(kMostStates));
  if (out->symmetry == Symmetry::kOutOfPhase && states % 2 != 0) {
    check.fail("states", std::to_string(states) + " states",
               "an even number of them with the symmetry OUT_OF_PHASE");
  }
  if (m.variants_size() > int(kMostVariants)) {
    check.fail("variants", std::to_string(m.variants_size()) + " variants",
               "up to " + std::to_string(kMostVariants));
  }
  std::optional<Mirror> mirror;
  if (check.ok() && out->symmetry != Symmetry::kNone) {
    auto made = mirror_of(creature);
    if (!made) {
      check.fail("symmetry", v1::Gait::Symmetry_Name(m.symmetry()),
                 "NONE, because " + creature.name + " has " + made.error().value);
    } else {
      mirror = *std::move(made);
      check_symmetry("states", out->symmetry, out->graph.cycle, creature, *mirror, check);
    }
  }
  for (int i = 0; i < m.variants_size() && check.ok(); ++i) {
    const std::string key = schema::indexed("variants", std::size_t(i));
    out->variants.push_back(build_variant(key, m.variants(i), *out, mirror, build, check));
  }
  out->feedback = build_feedback(m.feedback(), creature, check);
  if (check.ok()) out->entries = build_entries(m, states, check);
  if (!check.ok()) return check.error();
  return std::shared_ptr<const Gait>(std::move(out));
}

std::shared_ptr<const Gait> refitted(const v1::Gait& message, const Creature& creature) {
  if (message.states().empty()) return nullptr;
  v1::Gait fitting = message;
  fitting.set_creature(creature.name);
  auto built = build_gait(fitting, creature, {});
  return built ? *built : nullptr;
}

void write_states(const std::vector<State>& states, const Creature& creature,
                  RepeatedPtrField<v1::GaitState>* out) {
  for (const State& state : states) {
    v1::GaitState* m = out->Add();
    m->set_duration_s(state.duration);
    for (std::size_t link = 1; link < state.pose.size(); ++link) {
      if (!is_driven(creature, int(link))) continue;
      const LinkModel& model = creature.model->links[link];
      v1::JointPose* pose = m->add_pose();
      pose->set_joint(creature.joint_names[link]);
      auto* at = is_linear(model) ? pose->mutable_at_m() : pose->mutable_at_rad();
      for (int k = 0; k < physics::dof_of(model.joint); ++k) at->Add(state.pose[link][k]);
    }
  }
}

void mix(const Gait& gait, std::span<const double> weights, Graph& out) {
  out = gait.graph;
  for (std::size_t v = 0; v < gait.variants.size() && v < weights.size(); ++v) {
    const double weight = weights[v];
    if (weight == 0) continue;
    const auto add = [weight](const std::vector<State>& base, const std::vector<State>& other,
                              std::vector<State>& sum) {
      for (std::size_t i = 0; i < base.size(); ++i) {
        sum[i].duration += weight * (other[i].duration - base[i].duration);
        for (std::size_t k = 0; k < base[i].pose.size(); ++k) {
          sum[i].pose[k] += weight * (other[i].pose[k] - base[i].pose[k]);
        }
      }
    };
    add(gait.graph.cycle, gait.variants[v].graph.cycle, out.cycle);
    add(gait.graph.chain, gait.variants[v].graph.chain, out.chain);
  }
  for (std::vector<State>* states : {&out.cycle, &out.chain}) {
    for (State& state : *states) {
      state.duration = std::clamp(state.duration, kShortestState, kLongestState);
    }
  }
}

}  // namespace promenade::control::posegraph
