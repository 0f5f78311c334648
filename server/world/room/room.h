#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "world/command/command.h"
#include "world/showing/onlookers.h"
#include "world/showing/snapshot.h"

namespace promenade {
class Library;
namespace v1 {
class Checkpoint;
}
}  // namespace promenade

namespace promenade::world {

class Preparation;

struct RoomSettings {
  std::string scene = "square";
  std::uint64_t seed = 0;     // 0: the scene's own
  int threads = 1;            // workers that step islands, 1 to 64; no effect on results
  int substeps = 8;           // physics steps a tick, 1 to 100
  int ticks_per_second = 60;  // 10 to 1000
  int max_characters = 1000;
  // Bytes of all styles and bodies in use that are not built in, encoded; 0: no such limit. It
  // protects a server and is no part of the simulation: a replay has none.
  std::size_t max_definition_bytes = 0;
};

/// Thrown where a room cannot be made: unknown scene, a setting out of range. The text is for
/// people and says what is allowed.
struct RoomError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Seconds that workers spent in the parts of ticks, summed over workers, since the room was made.
struct RoomTimes {
  double behaviour = 0, control = 0, physics = 0;
};

/// A world of characters and things, stepped tick by tick on the caller's thread (RoomRunner owns
/// a thread for it). The same binary, settings and commands at the same ticks give the same state
/// hash with any number of threads.
class Room {
 public:
  /// Called for each command that took effect, with the tick before which it did.
  using CommandSink = std::function<void(std::uint64_t tick, const Command& command)>;

  /// Throws RoomError.
  Room(std::shared_ptr<const Library> library, const RoomSettings& settings);
  ~Room();

  /// Applies a command now, before the next tick, and hands it to the sink. Nothing changes on
  /// error.
  /// @param prepared  what prepare() said that the command needs, made by now; null: nothing. It
  ///                  makes no difference but to the time that this takes.
  CommandResult apply(const Command& command, Preparation* prepared = nullptr);
  /// The preparation of a command that takes longer than a tick may; null: none is needed.
  std::unique_ptr<Preparation> prepare(const Command& command);
  /// Whether what was prepared is still what the command needs.
  bool fits(const Command& command, const Preparation& prepared) const;
  void set_command_sink(CommandSink sink);

  /// Advances one tick, paused or not (see wants_tick). @return events of that tick
  std::vector<RoomEvent> tick();
  /// Whether the room's clock should run: not paused, or single steps are left.
  bool wants_tick() const;

  std::uint64_t tick_count() const;
  double tick_seconds() const;
  bool paused() const;
  double time_scale() const;
  std::size_t character_count() const;
  std::size_t thing_count() const;
  /// Links that a tick steps: of all characters, and of the things that are awake.
  std::size_t moving_links() const;
  /// How many are in full physics by nearness; 0: all. See SetDetail.
  std::uint32_t in_physics() const;
  /// How many people its flow lets in at once; 0 where nobody comes and goes.
  std::size_t most_of_flow() const;
  /// Number of links of a character or thing; 0 if it is not there.
  std::size_t links_of(CharacterId id) const;
  const RoomSettings& settings() const;  // with the seed in use
  RoomTimes times() const;

  std::shared_ptr<const Snapshot> snapshot() const;
  /// A snapshot whose clock fields (server_time_us, real_time_factor) the caller fills in.
  /// @param with_hash  to leave it out saves a good part of a large crowd's tick, as do
  /// @param onlookers  of rooms that are not small
  std::shared_ptr<Snapshot> make_snapshot(bool with_hash = true,
                                          const Onlookers& onlookers = {}) const;

  /// A hash of everything that decides the future: tick, ids, states of bodies, controllers and
  /// behaviours, pushes, ties, random numbers. Pausing and the time scale are not part of it.
  std::uint64_t state_hash() const;

  /// Everything that decides the future, between two ticks. The restored room has the same hash and
  /// the same future, in another process too.
  v1::Checkpoint save() const;
  /// Goes on from a saved state, made by this version with the same data and steps.
  /// @param prepared  as for apply()
  /// @return why it cannot; then nothing has changed
  std::optional<CommandError> restore(const v1::Checkpoint& checkpoint,
                                      Preparation* prepared = nullptr);
  std::unique_ptr<Preparation> prepare(std::shared_ptr<const v1::Checkpoint> checkpoint) const;

  /// Test hook: replaces a character's state as it is, finite or not. @return false if not there
  bool set_state_for_test(CharacterId character, const physics::ArticulationState& state);
  const physics::ArticulatedBody* body_for_test(CharacterId character) const;

 private:
  friend struct Applier;
  struct Impl;
  explicit Room(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace promenade::world
