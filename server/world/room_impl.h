#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "behaviour/neighbour_grid.h"
#include "world/entity.h"
#include "world/islands.h"
#include "world/library.h"
#include "world/room.h"
#include "world/worker_pool.h"

// Private to world/: what a room is made of. room.cpp runs the tick, room_characters.cpp says
// who is there, command/ applies commands, room_snapshot.cpp shows the state.
namespace promenade::world {

struct Room::Impl {
  Impl(std::shared_ptr<const Library> library_in, const RoomSettings& settings_in);

  // room.cpp
  void load(std::shared_ptr<const Scene> next);
  std::vector<RoomEvent> tick();
  std::uint64_t state_hash() const;
  std::uint64_t hash_of_digests() const;

  // command/applier.cpp
  CommandResult apply(const Command& command);

  // room_characters.cpp
  /// Creates a character where it is wanted or at the nearest free place.
  Entity& add(const CharacterPlan& plan);
  /// Back to the start place and the first task.
  void restart(Entity& e);
  /// Upright again where it lies or was last well; the task goes on.
  void get_up(Entity& e);
  std::unique_ptr<behaviour::Behaviour> make_behaviour(const Entity& e, const Task& task) const;
  Entity* find(CharacterId id) const;
  void roster_changed() {
    roster.reset();
    ++roster_version;
  }
  /// What the roster's names stand for has changed, but nothing that viewers are told.
  void definitions_changed() { roster.reset(); }

  // room_snapshot.cpp
  std::shared_ptr<Snapshot> make_snapshot() const;
  std::shared_ptr<const Roster> current_roster() const;
  void show(std::size_t index, Snapshot* out) const;

  std::shared_ptr<const Library> library;
  RoomSettings settings;
  std::shared_ptr<const Scene> scene;
  CommandSink sink;

  std::vector<std::unique_ptr<Entity>> entities;  // ascending ids
  CharacterId next_id = 1;
  CharacterId first_id = 1;  // of the scene's own characters
  std::uint64_t tick_number = 0;
  std::uint64_t scene_tick = 0;   // at which the scene was loaded
  std::uint64_t script_done = 0;  // commands of the script done so far, over all its rounds
  std::uint64_t epoch = 0;
  bool paused = false;
  std::uint32_t steps_left = 0;  // single steps, while paused
  double time_scale = 1;
  RoomTimes times;

  double dt() const { return 1.0 / settings.ticks_per_second; }
  void run_script(std::vector<RoomEvent>& events);
  void return_the_fallen(std::vector<RoomEvent>& events);
  void quarantine(Entity& e, std::vector<RoomEvent>& events);
  void run_behaviours(std::vector<RoomEvent>& events);
  void run_physics();
  void divide_work();
  void look_after(std::vector<RoomEvent>& events);
  std::uint64_t get_up_tick() const;
  /// Calls work(index, worker) for every entity, shared out to all threads.
  template <typename Work>
  void each_entity(Work&& work) const {
    constexpr int kPiece = 8;  // entities that one thread takes at a time
    const int count = int(entities.size());
    pool.run((count + kPiece - 1) / kPiece, [&](int piece, int worker) {
      const int end = std::min(count, (piece + 1) * kPiece);
      for (int i = piece * kPiece; i < end; ++i) work(std::size_t(i), workers[std::size_t(worker)]);
    });
  }
  Islands islands;
  behaviour::NeighbourGrid grid;
  StepContext step;
  std::vector<behaviour::Neighbour> everyone;
  std::vector<Eigen::AlignedBox3d> boxes;
  std::vector<Entity*> members;     // of all islands, one after another
  std::vector<std::size_t> pieces;  // of the work: the first member of each, and the end
  struct Worker {
    StepScratch step;
    std::vector<double> scratch;
    double behaviour_s = 0;
    char padding[64];  // apart in memory: each is written by one thread
  };
  // Looking at the state is shared out like changing it.
  mutable WorkerPool pool;
  mutable std::vector<Worker> workers;
  mutable std::vector<std::uint64_t> digests;  // of the entities, as last looked at

  mutable std::shared_ptr<const Roster> roster;  // null: to be made anew
  mutable std::uint64_t roster_version = 0;
};

}  // namespace promenade::world
