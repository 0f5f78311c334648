#pragma once

#include <optional>

namespace promenade::control::ahead {

/// A part of a way, m along it.
struct Stretch {
  double near = 0, far = 0;
};

/// The first run of places along a way that are inside of something, found by looking at places
/// `spacing` m apart, from the nearest on.
/// @param begins  m, a run that begins there or later is not looked for
/// @param ends    m, where a run must be over
/// @param inside  whether a place is inside, by its distance along the way; called once a place
/// @return the first and the last place that is inside; none: there is no run, or it does not end
template <typename Inside>
std::optional<Stretch> first_stretch(double from, double begins, double ends, double spacing,
                                     const Inside& inside) {
  std::optional<Stretch> found;
  for (int i = 0;; ++i) {
    const double at = from + i * spacing;
    if (!(at < (found ? ends : begins))) return std::nullopt;
    if (inside(at)) {
      if (!found) found = {at, at};
      found->far = at;
    } else if (found) {
      return found;
    }
  }
}

/// Where something begins between a place outside and one inside, m along the way: to an eighth of
/// their distance, on the inner side.
template <typename Inside>
double edge_between(double outside, double inside, const Inside& is_inside) {
  constexpr int kHalvings = 3;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (outside + inside);
    (is_inside(middle) ? inside : outside) = middle;
  }
  return inside;
}

}  // namespace promenade::control::ahead
