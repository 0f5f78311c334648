#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "world/library.h"
#include "world/room.h"

namespace promenade::app {

/// Where the time of a room went while a stretch of it was measured.
struct BenchFigures {
  int characters = 0;
  int threads = 1;
  double simulated = 0, wall = 0;     // s
  double tick_p50 = 0, tick_p99 = 0;  // ms of wall clock: tick, snapshot, and encoding where due
  double cpu = 0;                     // s, of all threads
  // Seconds in the parts by the wall clock, summed over threads: their proportions count.
  double behaviour = 0, control = 0, physics = 0, snapshot = 0, encode = 0;
  double bytes_per_character_frame = 0;  // mean over frames
  std::size_t largest_frame = 0;         // bytes
  int falls = 0;

  double real_time_factor() const { return wall > 0 ? simulated / wall : 0; }
  double parts() const { return behaviour + control + physics + snapshot + encode; }
  /// Share of a part in all that was measured.
  double share(double part) const { return parts() > 0 ? part / parts() : 0; }
  /// Characters that one core carries in real time, everything included.
  double characters_a_core() const { return cpu > 0 ? characters * simulated / cpu : 0; }
  /// us of CPU that a part takes of a second of a character's life.
  double us_a_character_second(double part) const {
    return simulated > 0 && characters > 0 ? 1e6 * cpu * share(part) / (simulated * characters) : 0;
  }
};

/// A room as a server runs it with one viewer: a snapshot every tick, a frame encoded 30 times a
/// simulated second. Ticks as fast as it can.
class BenchRig {
 public:
  /// The scene as it is.
  BenchRig(std::shared_ptr<const Library> library, const std::string& scene, int threads);
  /// `count` bipeds of all bodies and styles in turn, each strolling about its place in a grid of
  /// 3 m, on level ground.
  static BenchRig crowd(std::shared_ptr<const Library> library, int count, int threads);

  /// Ticks without measuring: until everybody walks, and buffers have grown.
  void warm_up(double seconds);
  /// Measures until `seconds` are simulated or `wall_limit` seconds have passed.
  BenchFigures measure(double seconds, double wall_limit);

 private:
  std::unique_ptr<world::Room> room_;
};

/// "4 cores of Some Processor 3000", from what Linux tells.
std::string machine_name();

}  // namespace promenade::app
