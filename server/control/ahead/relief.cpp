#include "control/ahead/relief.h"

#include <algorithm>
#include <cassert>

#include "control/ahead/stretch.h"

namespace promenade::control::ahead {
namespace {

/// One look along a way.
class Scan {
 public:
  Scan(const GroundView& ground, const Way& way, const ReliefLimits& limits, Features& out)
      : ground_(ground),
        way_(way),
        aside_(way.half_width * way.left()),
        limits_(limits),
        out_(out) {}

  void look(double from, double to) {
    const double apart = limits_.spacing, rise = limits_.edge;
    double last = height(from);
    for (double at = from + apart; at < to && !out_.is_full(FeatureKind::kBoard); at += apart) {
      const double here = height(at), base = last;
      last = here;
      if (base - here > rise) add_drop(edge(at, at - apart, here + 0.5 * rise), base, here);
      if (here - base < rise) continue;
      const Fall fall = fall_behind(at, here, base);
      const double near = edge(at - apart, at, base + 0.5 * rise);
      if (!fall.found) {
        add_riser(near, here, base);
        continue;
      }
      const double behind = height(fall.at);
      const Feature board{FeatureKind::kBoard, near,
                          edge(fall.at, fall.at - apart, std::max(base, behind) + 0.5 * rise),
                          fall.top, base};
      if (!is_stepped_over(board)) {
        add_riser(near, here, base);
        continue;
      }
      last = behind;
      at = fall.at;
      if (last - base <= limits_.rise_behind) add_board(board);
    }
  }

 private:
  /// Where the ground falls again behind a rise.
  struct Fall {
    bool found = false;
    double at = 0;   // m, the first place that is low again
    double top = 0;  // m, the highest place before it
  };

  double height(double along) const {
    const Vec2 middle = way_.at(along);
    return std::max(ground_.height(middle + aside_), ground_.height(middle - aside_));
  }
  /// Where the height passes `level` between two places; `high` is on its higher side.
  double edge(double low, double high, double level) const {
    return edge_between(low, high, [&](double along) { return height(along) > level; });
  }
  Fall fall_behind(double at, double here, double base) const {
    // A depth of a whole number of places counts as that, whatever the body's size.
    constexpr double kRounding = 1e-9;
    const int most = int(limits_.most_depth / limits_.spacing + kRounding) + 2;
    Fall fall;
    fall.top = here;
    for (int i = 1; i <= most && !fall.found; ++i) {
      const double next = height(at + i * limits_.spacing);
      fall.found = next < base + limits_.edge && next - base > -limits_.drop_behind;
      fall.at = at + i * limits_.spacing;
      fall.top = std::max(fall.top, next);
    }
    return fall;
  }
  bool is_stepped_over(const Feature& found) const {
    const double high = found.height(), deep = found.far - found.near, slack = limits_.slack;
    if (high > limits_.most_height + slack || deep > limits_.most_depth + slack ||
        high + deep > limits_.most_both + slack)
      return false;
    return high > limits_.stood_on || deep <= limits_.sole + slack;
  }
  void add_board(const Feature& found) {
    const auto boards = out_.of(FeatureKind::kBoard);
    if (boards.size() > 0 && found.near - boards[boards.size() - 1].far < limits_.foot_room)
      return out_.extend_board(found.far, found.top);
    out_.add(found);
  }
  void add_riser(double at, double top, double base) {
    const double high = top - base;
    if (high > limits_.most_riser) return out_.add({FeatureKind::kWall, at, at, top, base});
    if (high >= limits_.least_riser) out_.add({FeatureKind::kRiser, at, at, top, base});
  }
  void add_drop(double at, double top, double base) {
    const double high = top - base;
    if (high <= limits_.most_drop && high >= limits_.least_drop)
      out_.add({FeatureKind::kDrop, at, at, top, base});
  }

  const GroundView ground_;
  const Way way_;
  const Vec2 aside_;  // m, from the middle of the lane to its left side
  const ReliefLimits& limits_;
  Features& out_;
};

}  // namespace

ReliefLimits ReliefLimits::scaled(double by) const {
  ReliefLimits out = *this;
  for (double* length :
       {&out.spacing, &out.edge, &out.slack, &out.most_riser, &out.most_drop, &out.stood_on,
        &out.drop_behind, &out.rise_behind, &out.least_riser, &out.least_drop, &out.most_height,
        &out.most_depth, &out.most_both, &out.sole, &out.foot_room})
    *length *= by;
  return out;
}

void find_relief(const GroundView& ground, const Way& way, double from, double to,
                 const ReliefLimits& limits, Features& out) {
  assert(limits.spacing > 0);
  if (ground.has_relief()) Scan(ground, way, limits, out).look(from, to);
}

}  // namespace promenade::control::ahead
