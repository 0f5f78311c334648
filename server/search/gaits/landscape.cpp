#include "search/gaits/landscape.h"

#include <algorithm>
#include <cmath>

#include "schema/refusal.h"
#include "search/gaits/gait_figures.h"
#include "study/trial/rig/parallel.h"

namespace promenade::search {
namespace {

/// A figure of a point, and how its trials ended.
struct Point {
  double value = 0;
  trial::GaitEnd end = trial::GaitEnd::kWentOn;
};

Point measured(const GaitSurroundings& about, const Vector& places, const GaitFigure& figure,
               const LandscapeOptions& options) {
  Point out;
  for (int start = 0; start < options.starts; ++start) {
    const trial::GaitMeasures m = about.run(places, 1, options.strides, std::uint64_t(start));
    if (m.end != trial::GaitEnd::kWentOn) return {0, m.end};
    out.value += figure.of(run_of(about.trial(), m)) / options.starts;
  }
  return out;
}

}  // namespace

schema::Result<std::array<int, 2>> axes_of(const GaitSpace& space,
                                           const std::vector<std::string>& axes,
                                           const schema::Source& source) {
  const std::vector<std::string> names = space.names();
  const auto refuse = [&](std::string value, std::string allowed) {
    return schema::FileError{source.file, 0, "axes", std::move(value), std::move(allowed), ""};
  };
  if (axes.empty()) return std::array<int, 2>{0, 1};
  if (axes.size() != 2) {
    return refuse(std::to_string(axes.size()) + " names", "two, or none");
  }
  std::array<int, 2> out{};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto found = std::find(names.begin(), names.end(), axes[i]);
    if (found == names.end()) {
      return refuse(schema::in_quotes(axes[i]), schema::listed_names(names));
    }
    out[i] = int(found - names.begin());
  }
  if (out[0] == out[1]) return refuse(schema::in_quotes(axes[0]) + " twice", "two names");
  return out;
}

schema::Result<v1::GaitLandscape> landscape_of(const GaitSurroundings& about,
                                               const LandscapeOptions& options,
                                               const schema::Source& source) {
  const GaitSpace& space = about.space();
  const auto axes = axes_of(space, options.axes, source);
  if (!axes) return axes.error();
  const auto found = plain_figure(options.figure);
  if (!found) {
    schema::FileError error = found.error();
    error.file = source.file;
    return error;
  }
  const GaitFigure* figure = *found;
  v1::GaitLandscape out;
  const int points = std::clamp(options.points, kFewestPoints, kMostPoints);
  const auto place_at = [&](int i) { return double(i) / (points - 1); };
  const std::vector<std::string> names = space.names();
  for (const int axis : *axes) {
    v1::LandscapeAxis& m = *out.add_axes();
    m.set_name(names[std::size_t(axis)]);
    m.set_unit(space.unit(axis));
    m.set_at(space.values(space.start())[std::size_t(axis)]);
    for (int i = 0; i < points; ++i) {
      Vector places = space.start();
      places[axis] = place_at(i);
      m.add_marks(space.values(places)[std::size_t(axis)]);
    }
    m.set_low(m.marks(0));
    m.set_high(m.marks(points - 1));
    for (const bool high : {false, true}) {
      Vector places = space.start();
      places[axis] = high ? 1 : 0;
      control::posegraph::write_states(space.graph(places).cycle, space.creature(),
                                       high ? m.mutable_high_states() : m.mutable_low_states());
    }
  }
  out.set_figure(figure->name);
  out.set_unit(figure->unit);
  out.set_points(std::uint32_t(points));
  for (const char* end : trial::kGaitEnds) out.add_end_names(end);
  std::vector<Point> all(std::size_t(points * points + 1));  // the gait itself comes last
  trial::run_parallel(int(all.size()), options.threads, [&](int i) {
    Vector places = space.start();
    if (i < points * points) {
      places[(*axes)[0]] = place_at(i % points);
      places[(*axes)[1]] = place_at(i / points);
    }
    all[std::size_t(i)] = measured(about, places, *figure, options);
  });
  out.set_value(all.back().value);
  all.pop_back();
  for (const Point& point : all) {
    out.add_values(float(point.value));
    out.add_ends(std::uint32_t(point.end));
  }
  return out;
}

}  // namespace promenade::search
