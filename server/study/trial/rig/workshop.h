#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "promenade/v1/scene.pb.h"
#include "world/room/room.h"

namespace promenade::trial {

/// The outcome of the tasks of one trial.
struct WorkRun {
  bool up = false;                  // the worker did not fall
  int done = 0, failed = 0;         // tasks
  std::string why;                  // the reason that the first failed task gave
  double seconds = 0;               // until the last task was over, or the fall
  std::vector<double> reach_error;  // m, of the hand at its point, of each reach
};

/// A box of the workshop. SI.
struct BoxSpec {
  Vec3 size = Vec3(0.3, 0.3, 0.3);  // m
  double mass = 0;                  // kg; 0: fixed to the ground
  double friction = 0.6;
};

/// A task about a thing, if any.
behaviour::tasks::Task task(behaviour::tasks::TaskKind kind, world::CharacterId thing = 0);
/// A task at a place of the ground, m.
behaviour::tasks::Task task_at(behaviour::tasks::TaskKind kind, const Vec2& at,
                               world::CharacterId thing = 0);

/// The shipped data, empty scenes and some more. Throws as DataCopy does.
std::shared_ptr<const Library> workshop_library(const std::filesystem::path& data_dir,
                                                const std::vector<v1::Scene>& more = {});

/// A room with one worker on level ground and boxes. For trials of tasks (Coros2010 §5.4):
/// everything goes through the room's commands, as for anybody else.
class Workshop {
 public:
  /// @param library  of workshop_library()
  /// @param seed     of the worker's place, heading and first second
  Workshop(const std::shared_ptr<const Library>& library, const std::string& body,
           const std::string& style, std::uint64_t seed);
  /// A workshop where nobody is yet.
  /// @param rise  a worker that falls gets up again, and does not stay down
  Workshop(const std::shared_ptr<const Library>& library, std::uint64_t seed, bool rise);
  /// A workshop of that scene.
  Workshop(const std::shared_ptr<const Library>& library, const std::string& scene,
           std::uint64_t seed);
  world::CharacterId spawn(const std::string& body, const std::string& style, const Vec2& at,
                           double heading);
  /// Throws std::runtime_error if refused.
  world::CommandResult apply(const world::Command& command);
  /// Sets a box down on whatever is at that point. Throws std::runtime_error if refused.
  /// @param velocity  m/s, level, with which it begins
  world::CharacterId add(const BoxSpec& box, const Vec2& at, double yaw,
                         const Vec2& velocity = Vec2::Zero());
  /// The pose of the first link of a thing or of the worker.
  Pose pose_of(world::CharacterId id) const;
  /// Gives the tasks and runs until they are over, the worker falls or the time is up.
  /// @param each  called before each tick
  WorkRun work(const std::vector<behaviour::tasks::Task>& tasks, double seconds,
               const std::function<void(world::Room&)>& each = {});
  world::Room& room() { return room_; }
  static constexpr world::CharacterId kWorker = 1;

 private:
  world::Room room_;
};

}  // namespace promenade::trial
