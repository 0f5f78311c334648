#pragma once

#include <cstdint>
#include <vector>

namespace promenade::world {

/// Figures of the flow of a room. They decide nothing: they are no part of the state.
struct FlowFigures {
  std::vector<std::uint64_t> entered;  // [entrances] people, since the flow became what it is
  std::vector<std::uint64_t> left;     // [exits] people, since then
  std::vector<std::uint32_t> in_line;  // [queues] now
  std::uint32_t people = 0;            // in the scene, now
  std::uint32_t waiting = 0;           // for room to come in, now
  std::uint32_t lost = 0;              // no route leads on from where they stand, now
  std::uint64_t turned_away = 0;       // parties
  double mean_speed = 0;               // m/s, of its people, now

  template <typename Archive>
  void exchange(Archive& archive) {
    archive(entered, left, in_line, people, waiting, lost, turned_away, mean_speed);
  }
};

}  // namespace promenade::world
