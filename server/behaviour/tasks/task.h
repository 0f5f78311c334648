#pragma once

#include <cstdint>

#include "math/state.h"
#include "math/types.h"

// What somebody does with things and places. Source: Coros2010 §5.4.
namespace promenade::behaviour::tasks {

/// Of a thing or character, as the world numbers them; 0: none.
using ThingId = std::uint32_t;

enum class TaskKind : std::uint8_t {
  kGoTo,
  kReach,
  kPickUp,
  kPutDown,
  kPushTo,
  kPullTo,
  kClimb,
  kSitOut,
  kCarry,
  kHandOver,
  kTakeOver
};
inline constexpr std::size_t kTaskKinds = 11;
inline constexpr std::size_t kMostTasks = 64;  // of one character

enum class HandChoice : std::uint8_t { kEither, kLeft, kRight, kBoth };
inline constexpr std::size_t kHandChoices = 4;

/// A goal of proto/promenade/v1/task.proto as plain values. World frame, SI; a kind reads the
/// members that its message has.
struct Task {
  TaskKind kind = TaskKind::kSitOut;
  ThingId thing = 0;          // that it is about
  ThingId somebody = 0;       // kHandOver: to whom; kTakeOver: from whom, 0: anybody
  ThingId on = 0;             // on top of which thing it is to be put; 0: `point` says
  int coordinates = 0;        // of `point` that are given: 0, 2 or 3
  Vec3 point = Vec3::Zero();  // m; kReach: in the frame of `thing`'s `link` if there is one
  bool turned = false;        // whether `heading` is given
  double heading = 0;         // rad
  HandChoice hand = HandChoice::kEither;
  std::uint32_t link = 0;  // kReach: of `thing`
  bool grip = false;
  double seconds = 0;
  double speed = 0;  // m/s; 0: one that suits

  bool operator==(const Task&) const = default;
  void visit(StateVisitor& state);
  /// Hands over every member, for other processes.
  template <typename Archive>
  void exchange(Archive& archive) {
    archive(kind, thing, somebody, on, coordinates, point, turned, heading, hand, link, grip,
            seconds, speed);
  }
};

/// Name of the task's field in the message: "pick_up".
const char* task_name(TaskKind kind);

}  // namespace promenade::behaviour::tasks
