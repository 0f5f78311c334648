#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

// Private to gbwc/.
namespace promenade::control {

/// A Catmull-Rom curve through five points; as CatmullRom, but it allocates nothing.
struct FivePoints {
  std::array<double, 5> at, value;

  double tangent(std::size_t i) const {
    if (i == 0 || i == 4) return 0;
    return (value[i + 1] - value[i - 1]) / (at[i + 1] - at[i - 1]);
  }
  double operator()(double x) const {
    std::size_t i = 0;
    while (i < 3 && x > at[i + 1]) ++i;
    const double h = at[i + 1] - at[i];
    const double t = std::clamp((x - at[i]) / h, 0.0, 1.0), t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * value[i] + (t3 - 2 * t2 + t) * h * tangent(i) +
           (3 * t2 - 2 * t3) * value[i + 1] + (t3 - t2) * h * tangent(i + 1);
  }
};

}  // namespace promenade::control
