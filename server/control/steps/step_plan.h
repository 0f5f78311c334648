#pragma once

#include <cstdint>

#include "math/state.h"

namespace promenade::control::steps {

/// What a step is for.
enum class StepKind : std::uint8_t {
  kOnCourse,    // where balance needs it: no planner has given its foothold
  kNearBoard,   // one of equal steps up to what is stepped over
  kNearFlight,  // one of equal steps up to the first tread of a flight, up or down
  kOver,        // over a board
  kUp,          // onto a higher tread
  kDown,        // onto a lower tread
};
inline constexpr std::uint32_t kStepKinds = 6;

/// Where the swing foot is to land, as a planner has it. Distances along the way, m.
struct StepPlan {
  StepKind kind = StepKind::kOnCourse;
  double place = 0;  // of the swing ankle, where it is to land
  double limit = 0;  // beyond which it is not to land
  double speed = 0;  // m/s, which takes the body there
  double height =
      0;            // m: of the board, or of the tread that it goes up to, nears, or goes down from
  double edge = 0;  // of the tread above, going down
  int board = -1;   // over which it goes, of those ahead; -1: none

  bool is(StepKind is_kind) const { return kind == is_kind; }
  /// Whether the foothold is given.
  bool given() const { return kind != StepKind::kOnCourse; }
  /// Whether it leads onto another tread of a flight.
  bool on_flight() const { return kind == StepKind::kUp || kind == StepKind::kDown; }
  /// Whether it leads over, up or down: the foot has to be where it is sent.
  bool crosses() const { return on_flight() || kind == StepKind::kOver; }

  void visit(StateVisitor& state);
};

}  // namespace promenade::control::steps
