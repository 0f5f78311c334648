#pragma once

#include <array>

#include "behaviour/tasks/parts/carried.h"
#include "behaviour/tasks/parts/rest.h"
#include "behaviour/tasks/parts/walk.h"

namespace promenade::behaviour::tasks {

inline constexpr std::size_t kMostCounted = 102;  // more than tries or losses are allowed to be

/// The present try of a task.
struct Attempt {
  double clock = 0;  // s, in the present stage
  int tries = 0;     // that came before, in vain

  void visit(StateVisitor& state) {
    state(clock);
    state.choice(tries, kMostCounted);
  }
};

/// What became of a task in an update.
struct Outcome {
  enum class Kind : std::uint8_t { kGoesOn, kDone, kFailed };
  Kind kind = Kind::kGoesOn;
  double error = 0;      // m, of kDone: by which the goal was missed
  const char* why = "";  // of kFailed
};

/// What who pushes or pulls goes on with from one thing to the next.
struct HaulStance {
  double askew = 0;   // rad, by which it was turned from the way
  double beside = 0;  // m, to the left of the way on which it goes

  void visit(StateVisitor& state) { state(askew, beside); }
};

/// What a worker's tasks work with one after another: the try of the present one, the legs, what is
/// in the hands, and what they are to do.
struct Work {
  explicit Work(double stagger = 0) : walk(stagger) { orders.fill(HandOrder{}); }

  Attempt attempt;
  Walk walk;
  Rest rest;
  Carried carried;
  HaulStance haul_stance;
  std::array<HandOrder, 2> orders;  // of this update
  Outcome outcome;                  // of this update
  bool more_to_do = false;          // whether another task comes after the present one

  void done(double error) { outcome = {Outcome::Kind::kDone, error, ""}; }
  void failed(const char* why) { outcome = {Outcome::Kind::kFailed, 0, why}; }
  bool goes_on() const { return outcome.kind == Outcome::Kind::kGoesOn; }
  /// The task begins again with its first stage.
  void begin_again() {
    attempt.clock = 0;
    ++attempt.tries;
    walk.begin_again();
  }
  void let_go();
  /// Lets one hand let go of what is carried.
  void put_from_hand(std::size_t side) {
    orders[side] = {HandOrder::Kind::kLetGo, carried.thing, Vec3::Zero()};
  }
  /// Walks to where it is to stand with what it carries.
  /// @param speed   m/s, asked for; 0: one that suits
  /// @param except  the thing that it is about; 0: none
  control::Goal walk_on(const Now& now, double speed, ThingId except) {
    return walk.update(now, carried, speed, except);
  }
  /// Whether the way has taken longer than anybody would need who can get there.
  bool walks_too_long(const Now& now, const Task& task) const {
    return walk.takes_too_long(now, task.speed, attempt.clock);
  }
  /// Stands with nothing to do.
  control::Goal stand_by(const Now& now);
  void visit(StateVisitor& state);
};

}  // namespace promenade::behaviour::tasks
