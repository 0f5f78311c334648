#pragma once

#include <memory>
#include <string>
#include <vector>

#include "world/room/room.h"

namespace promenade::trial {

/// A removal: stacks of boxes that several people carry to another place and stack again there.
struct RemovalSpec {
  int people = 4;
  int stacks = 4, high = 3;
  double mass = 4;       // kg, of each box
  double side = 0.3;     // m
  double way = 6;        // m, between where a stack is and where it is to be
  double between = 1.5;  // m, from stack to stack
};

struct RemovalRun {
  bool done = false;              // all boxes are where they are to be, on one another
  int dropped = 0;                // boxes that fell: out of somebody's hands, or off a stack
  int falls = 0;                  // of people
  double seconds = 0;             // until the last task was over
  double missed = 0;              // m, level, of the box that is furthest from its place
  std::vector<std::string> told;  // "12.3 s: ...": events
};

/// Runs it in an empty room with a list that all share (command share_tasks), for so long at most.
/// Where people begin and the order of the list are drawn from the seed.
/// @param library  of workshop_library()
RemovalRun remove_boxes(const std::shared_ptr<const Library>& library, const RemovalSpec& spec,
                        std::uint64_t seed, double longest);

}  // namespace promenade::trial
