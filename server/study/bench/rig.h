#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "math/thread_clock.h"
#include "stream/frame.h"
#include "world/command/command.h"
#include "world/library/library.h"
#include "world/room/room.h"

namespace promenade::study {

/// Times of a room while it was measured.
struct BenchFigures {
  int characters = 0;
  int threads = 1;
  double simulated = 0, wall = 0;     // s
  double tick_p50 = 0, tick_p99 = 0;  // ms of wall clock: tick, snapshot, and encoding where due
  double cpu_p50 = 0, cpu_p99 = 0;    // ms of this thread's CPU, the same: all of it with 1 thread
  double cpu = 0;                     // s, of all threads
  // Seconds in the parts by the wall clock, summed over threads: their proportions count.
  double behaviour = 0, control = 0, physics = 0, snapshot = 0, encode = 0;
  double bytes_per_character_frame = 0;  // mean over frames
  std::size_t largest_frame = 0;         // bytes
  double walking = 0;                    // share of characters' time neither standing nor fallen
  int falls = 0;

  double real_time_factor() const { return wall > 0 ? simulated / wall : 0; }
  double parts() const { return behaviour + control + physics + snapshot + encode; }
  /// Share of a part in all that was measured.
  double share(double part) const { return parts() > 0 ? part / parts() : 0; }
  /// Characters that one core carries in real time, everything included.
  double characters_a_core() const { return cpu > 0 ? characters * simulated / cpu : 0; }
  /// CPU time of a part for a simulated second of one character, us.
  double us_a_character_second(double part) const {
    return simulated > 0 && characters > 0 ? 1e6 * cpu * share(part) / (simulated * characters) : 0;
  }
};

/// s after which a crowd walks steadily. All start at once, which costs more for a while.
inline constexpr double kInStride = 5;

/// The commands that add a walker of a crowd.
struct CrowdWalker {
  world::Spawn spawn;
  world::FollowPath round;  // of the spawned walker: its id is still to be set
};
/// The walkers of crowds, on a grid so that more can be added later: bipeds of all bodies and
/// styles in turn, each with a round of its own without end.
CrowdWalker crowd_walker(const Library& library, int i);

/// A room of `count` light bipeds at 0.25 / m^2, each on a round of its own of some metres.
/// @param more  others that the room may have
std::unique_ptr<world::Room> light_crowd(const std::shared_ptr<const Library>& library, int count,
                                         int threads, int more = 0);

/// A room as a server runs it with one viewer: a snapshot every tick, a frame encoded 30 times a
/// simulated second. Ticks as fast as it can.
class BenchRig {
 public:
  /// The scene as it is.
  BenchRig(std::shared_ptr<const Library> library, const std::string& scene, int threads);
  /// `count` bipeds of all bodies and styles in turn on level ground, each walking a round of its
  /// own without end, 4 m from the next.
  static BenchRig crowd(const std::shared_ptr<const Library>& library, int count, int threads);
  /// Adds such a crowd to the room.
  void add_walkers(const Library& library, int count);

  /// Ticks without measuring, until all walk and buffers have grown.
  void warm_up(double seconds);
  /// Measures until `seconds` are simulated or `wall_limit` seconds have passed.
  BenchFigures measure(double seconds, double wall_limit);
  /// Ticks, snapshots, frames as in measure().
  void run(int ticks);

  world::Room& room() { return *room_; }

 private:
  void tick_and_show();

  std::unique_ptr<world::Room> room_;
  stream::FrameEncoder encoder_;
  long long every_ = 2, ticked_ = 0;
};

/// Times of several pieces of work, done in turn so that other work on the machine disturbs all of
/// them alike. Turns should be short: on a busy machine some of them are then undisturbed.
/// @param work  [pieces], each called once a round
/// @param cpu   whether CPU seconds of the process count; else the wall clock does
/// @return      [pieces] s, the time that `percent` % of a piece's turns are faster than
std::vector<double> times_in_turn(std::span<const std::function<void()>> work, int rounds, bool cpu,
                                  double percent);

/// Seconds of a clock that only goes forward.
double wall_s();
/// CPU seconds of this process so far, of all threads. Unlike wall-clock time it is about the same
/// on a busy machine.
double process_cpu_s();
/// Resident memory of this process, bytes.
std::size_t resident_bytes();

/// "4 cores of Some Processor 3000", as Linux names them.
std::string machine_name();

}  // namespace promenade::study
