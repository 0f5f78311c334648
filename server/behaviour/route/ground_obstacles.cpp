#include "behaviour/route/ground_obstacles.h"

#include <cmath>

namespace promenade::behaviour::route {
namespace {

struct Run {
  int first, last;  // columns, the last one not included
  int from_row;
};

}  // namespace

std::vector<Obstacle> ground_obstacles(const GroundArea& area,
                                       const std::function<bool(const Vec2&)>& walkable) {
  std::vector<Obstacle> out;
  const Vec2 size = area.high - area.low;
  const int columns = int(std::ceil(size.x() / area.cell - 1e-9));
  const int rows = int(std::ceil(size.y() / area.cell - 1e-9));
  const auto add = [&](const Run& run, int end_row) {
    const Vec2 low = area.low + area.cell * Vec2(run.first, run.from_row);
    const Vec2 high = area.low + area.cell * Vec2(run.last, end_row);
    out.push_back({0.5 * (low + high), 0.5 * (high - low), 0});
  };
  std::vector<Run> open, here;
  for (int row = 0; row <= rows; ++row) {
    here.clear();
    for (int column = 0; row < rows && column < columns; ++column) {
      const Vec2 middle = area.low + area.cell * Vec2(column + 0.5, row + 0.5);
      if (walkable(middle)) continue;
      if (!here.empty() && here.back().last == column) {
        ++here.back().last;
      } else {
        here.push_back({column, column + 1, row});
      }
    }
    // A run that is the same as in the row before goes on; the others end here.
    for (const Run& run : open) {
      bool goes_on = false;
      for (Run& next : here) {
        if (next.first != run.first || next.last != run.last) continue;
        next.from_row = run.from_row;
        goes_on = true;
      }
      if (!goes_on) add(run, row);
    }
    open.swap(here);
  }
  return out;
}

}  // namespace promenade::behaviour::route
