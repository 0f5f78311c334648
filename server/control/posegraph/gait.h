#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/posegraph/feedback.h"
#include "creature/creature.h"
#include "promenade/v1/gait.pb.h"
#include "schema/error.h"
#include "schema/message.h"

// Gaits as pose-control graphs. Source: Panne1996, "Pose-control graphs".
namespace promenade::control::posegraph {

inline constexpr std::size_t kMostStates = 16;                       // of a cycle, and of a chain
inline constexpr std::size_t kMostVariants = 16;                     // of a gait
inline constexpr std::size_t kMostEntries = 32;                      // of a gait
inline constexpr std::size_t kMostReaches = 64;                      // of a variant
inline constexpr std::size_t kLongestRecovery = 100;                 // cycles
inline constexpr double kShortestState = 0.005, kLongestState = 10;  // s

/// The pose that joints work towards, and for how long.
struct State {
  double duration = 0;     // s
  std::vector<Vec3> pose;  // [links] of the joint to the parent, rad or m, as Creature::rest
};

/// States that follow one another by time alone: a cycle, and a chain that can be put in once.
struct Graph {
  std::vector<State> cycle, chain;

  double period() const;  // s, of the cycle
};

enum class Symmetry : std::uint8_t { kNone, kInPhase, kOutOfPhase };

/// What a leap passes over: whatever is at most `height` high and lies between `from` and `to`
/// ahead of the root's place at its start, m.
struct LeapReach {
  double height = 0, from = 0, to = 0;
};

/// A gait and its variants, checked against the creature. Never changed once made.
struct Gait {
  struct Variant {
    std::string name;
    v1::GaitVariant::Use use = v1::GaitVariant::MIX;
    Graph graph;
    std::vector<LeapReach> reaches;
    std::size_t recovery = 0;  // cycles from one leap of its own accord to the next
    double size = 1;           // of a leap: its length over that of the longest
  };
  /// The moment at which another gait becomes this one, by numbers of states.
  struct Entry {
    std::string from;       // the other gait's name
    std::size_t leave = 0;  // of the other's cycle: it is left at the end of this one
    std::size_t enter = 0;  // of this cycle
  };
  std::string name, title;
  std::string creature;
  Symmetry symmetry = Symmetry::kNone;
  Graph graph;
  std::vector<Variant> variants;
  Feedback feedback;
  std::vector<Entry> entries;
  v1::Gait message;  // that it was built from; empty of one that was not

  /// The first variant of this use, by its index; -1: none.
  int variant_for(v1::GaitVariant::Use use) const;
  /// The leap whose size is nearest to this one, by its index; of two the first. -1: none.
  int leap_of(double size) const;
  /// Whether it leaps what lies ahead of its own accord: a variant for LEAP has reaches.
  bool leaps_by_itself() const;
  /// Null: none is known.
  const Entry* entry_from(std::string_view other) const;
  /// m/s, forward, that its search or that of a variant found; 0: not known.
  double speed() const { return message.origin().speed_mps(); }
  double speed_of_variant(int index) const { return message.variants(index).origin().speed_mps(); }
};

/// Whether the poses of a gait drive the joint of a link: it has a servo, and is not passive.
bool is_driven(const Creature& creature, int link);
/// Degrees of freedom of joints that are driven.
int driven_dof(const Creature& creature);

/// Checks a gait and builds it for a creature: states and their durations, joints and their limits,
/// the symmetry.
/// @return the first mistake, with the line and key of `source`
schema::Result<std::shared_ptr<const Gait>> build_gait(const v1::Gait& message,
                                                       const Creature& creature,
                                                       const schema::Source& source);
/// The same gait for another creature with joints of the same names, as one that was edited. Null:
/// it does not fit.
std::shared_ptr<const Gait> refitted(const v1::Gait& message, const Creature& creature);
/// The message of a graph's states, with the joints that are driven.
void write_states(const std::vector<State>& states, const Creature& creature,
                  google::protobuf::RepeatedPtrField<v1::GaitState>* out);

/// The graph that lies between a gait and its variants.
/// Law: P = P_0 + sum_i w_i (P_i - P_0), w_i weight of variant i, P durations and poses; within the
/// source's convex
///      combinations while all w_i are at least 0 and their sum at most 1, else it extrapolates
/// Source: Panne1996, "Parameterizing motions"
/// @param weights  [variants]
/// @param out      of the shape of the gait's graph once it has been mixed into; then nothing is
/// allocated
void mix(const Gait& gait, std::span<const double> weights, Graph& out);

}  // namespace promenade::control::posegraph
