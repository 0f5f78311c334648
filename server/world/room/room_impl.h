#pragma once

#include <Eigen/Geometry>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "behaviour/neighbour_grid.h"
#include "physics/ground/tops.h"
#include "promenade/v1/checkpoint.pb.h"
#include "world/crowd/courses.h"
#include "world/crowd/crowd.h"
#include "world/crowd/levels.h"
#include "world/entity/occupants.h"
#include "world/hands/shared_tasks.h"
#include "world/library/library.h"
#include "world/room/room.h"
#include "world/room/tick_view.h"
#include "world/showing/kept_roster.h"
#include "world/showing/shown_poses.h"
#include "world/showing/snapshot_pool.h"
#include "world/sleep/sleep.h"
#include "world/step/islands.h"
#include "world/step/stepping.h"
#include "world/step/workers.h"
#include "world/ties/ties.h"

// Private to world/: the conductor of a room. It owns the parts, runs the tick as a list of steps,
// and hands commands to the part that they concern. Parts (Ties, Sleep, Crowd, Courses, Levels,
// Hands, SharedTasks) do not know it: what they may see comes as a TickView, what they may change
// stands in their constructors or arguments. room.cpp runs the tick, room_characters.cpp and
// room_things.cpp add and remove, room_snapshot.cpp makes snapshots, command/ applies commands,
// checkpoint/ saves and restores.
namespace promenade {
class Random;
}

namespace promenade::world {

class Preparation;

struct Room::Impl final : PeopleMaker {
  Impl(std::shared_ptr<const Library> library_in, const RoomSettings& settings_in);
  struct Empty {};
  /// One without a scene: load() or restore() must follow.
  Impl(std::shared_ptr<const Library> library_in, const RoomSettings& settings_in, Empty);

  // room.cpp
  void load(std::shared_ptr<const Scene> next);
  /// Another flow in place of the one there is.
  void set_flow(SceneFlow next);
  std::vector<RoomEvent> tick();
  std::uint64_t state_hash() const;
  static std::uint64_t common_digest(const Crowd& crowd, const Levels& levels,
                                     const SharedTasks& shared, const Courses& courses);
  /// A room's time and the ids that it gives next.
  struct Moment {
    std::uint64_t tick, scene_tick, script_done;
    CharacterId first_id, next_id;
    TieId first_tie, next_tie;
  };
  static std::uint64_t hash_of(const Moment& moment, const Scene& scene, std::uint64_t seed,
                               std::span<const std::uint64_t> digests, const IdList<RoomTie>& ties,
                               std::uint64_t common_digest);

  // checkpoint/checkpoint.cpp
  v1::Checkpoint save() const;
  std::optional<CommandError> restore(const v1::Checkpoint& checkpoint);

  // command/applier.cpp
  /// @param prepared  for this command, and fits(); null: nothing
  CommandResult apply(const Command& command, Preparation* prepared = nullptr);

  // room_beside.cpp
  /// The preparation of a command that takes longer than a tick may; null: none is needed.
  std::unique_ptr<Preparation> prepare(const Command& command);
  std::unique_ptr<Preparation> prepare(std::shared_ptr<const v1::Checkpoint> checkpoint) const;
  /// Makes a room with another scene, for this one's place. To be called on any thread.
  std::function<std::unique_ptr<Room>()> with_scene(std::shared_ptr<const Scene> next) const;
  /// Whether what was prepared is still what the command needs.
  bool fits(const Command& command, const Preparation& prepared) const;
  /// Takes the place of the room before: its clock, its threads, and its listeners.
  /// @param same_time  it goes on at the tick of the room before; else it has a tick of its own
  void take_the_place_of(Impl& before, bool same_time);
  /// The first number of a scene that takes another's place, so that it is known in good time.
  static std::uint32_t first_number_after(std::uint32_t next);
  /// An edit of a style or body, put together with what others have changed: a command that has the
  /// whole outcome as its definition, and so needs nothing of the room to be carried out again
  /// (command/merging.cpp). Nothing for a command without a `based_on`, and one whose character is
  /// not there; an error if the outcome is no style or body.
  std::optional<std::variant<Command, CommandError>> merged(const Command& command) const;

  // room_characters.cpp
  /// Creates a character where it is wanted or at the nearest free place.
  Entity& add(const CharacterPlan& plan);
  /// Creates a character that is nowhere yet: set_down() must follow.
  Entity& make(const CharacterPlan& plan) override;
  /// Sets a character upright at a place, following its first order.
  void set_down(Entity& e, const Vec2& place, double heading) override;
  /// Takes one of the flow out of the scene until it comes in again.
  void send_away(Entity& e);
  /// Puts a character back to its start place and first order.
  void restart(Entity& e);
  /// Sets a character upright where it lies or was before it fell; its task goes on.
  void get_up(Entity& e);
  /// Lets a character do what it was told at first.
  void follow_start_order(Entity& e) const;
  /// To be called where bodies have come, gone or changed places.
  void bodies_changed() {
    sleep.places_changed();
    roster.changed();
  }

  // room_things.cpp
  Prop& add(const ThingPlan& plan);
  void add_heap(const HeapPlan& heap, Random& random);
  /// Position of the first link of a thing that is set down at a point, on the ground or on things.
  Vec3 resting_place(const Prop& prop, const Vec2& at, const Quat& rotation) const;
  void restart(Prop& prop);
  /// Removes a character or thing, and all ties that hold it.
  void remove(CharacterId id);
  void return_prop(Prop& prop, std::vector<RoomEvent>& events);
  void look_after_things(std::vector<RoomEvent>& events);

  // room_physics.cpp
  void run_physics();
  /// Finds the tops of things on which characters outside the physics can stand.
  void find_tops();
  /// Makes those characters press on the things that they stand on.
  void press_on_things();
  void press_on_things(const control::FootPress& foot);

  // room_snapshot.cpp
  void show_things(Snapshot* out) const;
  void add_things(Roster& made, std::size_t built_in) const;
  TaskListSnapshot task_list_of(CharacterId id, const behaviour::tasks::Worker& worker) const;
  std::shared_ptr<Snapshot> make_snapshot(bool with_hash, const Onlookers& onlookers) const;
  std::shared_ptr<const Roster> make_roster() const;
  void show(std::size_t index, const Onlookers& onlookers, Snapshot* out) const;
  void show_pose(std::size_t index, const Onlookers& onlookers, Snapshot* out) const;

  std::shared_ptr<const Library> library;
  RoomSettings settings;
  std::shared_ptr<const Scene> scene;
  CommandSink sink;

  Occupants occupants;
  mutable KeptRoster roster;
  Sleep sleep{occupants};
  Ties ties{occupants, sleep, roster};
  std::uint64_t tick_number = 0;
  std::uint64_t scene_tick = 0;   // at which the scene was loaded
  std::uint64_t script_done = 0;  // commands of the script done so far, over all its rounds
  std::uint64_t epoch = 0;
  bool paused = false;
  std::uint32_t steps_left = 0;  // single steps, while paused
  double time_scale = 1;
  RoomTimes times;

  double dt() const { return 1.0 / settings.ticks_per_second; }
  /// What the room's parts may see of it now. To be made anew for each call.
  TickView view() const {
    return {*scene,        courses.ground(), occupants,  courses.obstacles(),
            settings.seed, tick_number,      scene_tick, dt()};
  }
  /// The ground with the things as they are now, for a light character that begins.
  physics::GroundNow ground_and_tops() {
    find_tops();
    return {courses.ground(), view().time(), &tops};
  }
  /// Makes the ground anew, of the scene and of what is on its courses.
  void lay_courses();
  void run_script(std::vector<RoomEvent>& events);
  /// Sets characters upright that are due, takes bad states out, and sends away those that leave.
  void tend(std::vector<RoomEvent>& events);
  void quarantine(Entity& e, std::vector<RoomEvent>& events);
  /// Lets all behaviours decide, and moves the characters that the physics does not move.
  void decide_and_move(std::vector<RoomEvent>& events);
  void see_everyone();
  void decide(std::size_t index, const TickView& now);
  void gather_boxes();
  void divide_work();
  void look_after(std::vector<RoomEvent>& events);
  std::uint64_t get_up_tick(double delay) const;

  Crowd crowd;
  Levels levels;
  Hands hands{library->tasks()};
  SharedTasks shared;
  Courses courses;
  Islands islands;
  behaviour::NeighbourGrid grid;
  StepContext step;
  physics::Tops tops;
  std::vector<behaviour::Neighbour> everyone;
  std::vector<Eigen::AlignedBox3d> boxes;
  std::vector<Occupant*> members;  // of all islands, one after another
  std::vector<Islands::Pair> joined;
  std::vector<std::size_t> pieces;  // of the work: the first member of each, and the end
  // Mutable, as const functions that read the whole state share their work out, too.
  mutable Workers workers;
  mutable std::vector<std::uint64_t> digests;  // of the entities, then the things, as last seen

  mutable SnapshotPool snapshots;
  mutable ShownPoses shown;
};

}  // namespace promenade::world
