#include "physics/ground/pits.h"

#include <algorithm>
#include <cmath>

namespace promenade::physics {
namespace {

constexpr double kNoFloor = -std::numeric_limits<double>::infinity();

/// The values in ascending order, each once.
std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

PitMap::PitMap(const GroundPlan& plan) {
  if (!plan.plane) return;
  pits_ = plan.pits;
  std::vector<double> xs, ys;
  for (const Pit& pit : pits_) {
    const Vec2 low = pit.center - 0.5 * pit.size, high = pit.center + 0.5 * pit.size;
    bounds_.extend(low).extend(high);
    xs.insert(xs.end(), {low.x(), high.x()});
    ys.insert(ys.end(), {low.y(), high.y()});
  }
  xs = sorted(std::move(xs));
  ys = sorted(std::move(ys));
  // All edges of pits, prolonged, make a grid with a level floor in each cell. There is an edge
  // where a cell is less deep than the next one; neighbouring cells share a longer edge.
  for (int axis = 0; axis < 2; ++axis) {
    const std::vector<double>& across = axis == 0 ? xs : ys;
    const std::vector<double>& along = axis == 0 ? ys : xs;
    for (std::size_t i = 0; i < across.size(); ++i) {
      const double before = i > 0 ? 0.5 * (across[i - 1] + across[i]) : across[i] - 1;
      const double after =
          i + 1 < across.size() ? 0.5 * (across[i] + across[i + 1]) : across[i] + 1;
      bool open = false;  // whether the last edge goes on into this cell
      for (std::size_t k = 0; k + 1 < along.size(); ++k) {
        const double middle = 0.5 * (along[k] + along[k + 1]);
        const auto floor_on = [&](double at) {
          return axis == 0 ? floor(at, middle) : floor(middle, at);
        };
        const double one = floor_on(before), other = floor_on(after);
        if (one == other) {
          open = false;
          continue;
        }
        const double top = std::max(one, other), bottom = std::min(one, other);
        const double sign = one > other ? 1 : -1;
        const Vec3 into = axis == 0 ? Vec3(sign, 0, 0) : Vec3(0, sign, 0);
        const auto place = [&](double at) {
          return axis == 0 ? Vec3(across[i], at, top) : Vec3(at, across[i], top);
        };
        if (open && edges_.back().from.z() == top && edges_.back().bottom == bottom &&
            edges_.back().into == into) {
          edges_.back().to = place(along[k + 1]);
        } else {
          edges_.push_back({place(along[k]), place(along[k + 1]), into, bottom});
        }
        open = true;
      }
    }
  }
}

double PitMap::floor(double x, double y) const {
  double height = 0;
  for (const Pit& pit : pits_) {
    if (std::abs(x - pit.center.x()) < 0.5 * pit.size.x() &&
        std::abs(y - pit.center.y()) < 0.5 * pit.size.y()) {
      if (pit.depth <= 0) return kNoFloor;
      height = std::min(height, -pit.depth);
    }
  }
  return height;
}

}  // namespace promenade::physics
