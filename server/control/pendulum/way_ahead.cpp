#include "control/pendulum/way_ahead.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace promenade::control::pendulum {
namespace {

constexpr double kGrid = 0.05;  // m, between places
constexpr int kFar = 46;        // places to each side that a way can reach
constexpr int kWays = WaysAhead::kMost;
constexpr double kNarrow = 0.055;  // m, least, between the lines of two feet one behind the other
constexpr double kBeside = 0.1;    // m, least, between those of two feet beside each other
constexpr double kLong = 0.22;     // m, ahead: the feet are not beside each other
constexpr double kAcross = 0.2;    // m, from a place in a crack to ground on both sides
constexpr double kHalts = 0.05;    // m, of a stride that leads nowhere

/// The ground, looked at once at each place.
class Places {
 public:
  Places(const physics::GroundNow& ground, const WaySearch& search)
      : ground_(ground), aside_(-search.ahead.y(), search.ahead.x()) {
    hold_.forward = search.ahead;
    hold_.level = search.stand.z();
    hold_.step_up = search.step_up;
    hold_.step_down = WayAhead::kSteps * search.step_down;
    hold_.radius = search.radius;
    origin_ = search.stand.head<2>();
    height_.fill(kUnknown);
  }
  Vec2 at(int i, int j) const { return origin_ + kGrid * (i * hold_.forward + j * aside_); }
  /// m; NaN: no foot can stand there.
  float height(int i, int j) {
    if (std::abs(i) > kFar || std::abs(j) > kFar) return kNone;
    float& known = height_[std::size_t((i + kFar) * (2 * kFar + 1) + j + kFar)];
    if (known == kUnknown) {
      Foothold found;
      known = bears_foot(ground_, hold_, at(i, j), found) ? float(found.position.z()) : kNone;
    }
    return known;
  }

 private:
  static constexpr float kUnknown = std::numeric_limits<float>::infinity();
  static constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  const physics::GroundNow& ground_;
  Vec2 aside_, origin_;
  FootholdSearch hold_;
  std::array<float, std::size_t((2 * kFar + 1) * (2 * kFar + 1))> height_;
};

struct Node {
  int i = 0, j = 0, before = 0;
  float height = 0;
  double cost = 0;  // of its steps
  double rank = 0;  // and of how far it stays behind
};

/// The best ways of one length, at most one to each place.
struct Ways {
  std::array<Node, kWays> nodes;
  int count = 0;

  void add(const Node& node) {
    if (count == kWays && node.rank >= nodes[kWays - 1].rank) return;
    int at = 0;
    while (at < count && (nodes[std::size_t(at)].i != node.i || nodes[std::size_t(at)].j != node.j))
      ++at;
    if (at < count) {
      if (nodes[std::size_t(at)].rank <= node.rank) return;
    } else if (count < kWays) {
      at = count++;
    } else {
      at = kWays - 1;
    }
    for (; at > 0 && nodes[std::size_t(at - 1)].rank > node.rank; --at)
      nodes[std::size_t(at)] = nodes[std::size_t(at - 1)];
    nodes[std::size_t(at)] = node;
  }
  std::span<const Node> all() const { return std::span(nodes).first(std::size_t(count)); }
};

/// @param due  m, that as many steady steps go
void add_steps(Places& places, const WaySearch& search, const Node& from, int index, double side,
               const Vec2& steady, const Vec2& due, Ways& out) {
  const WayTuning& tuning = *search.tuning;
  const auto near = [](double x) { return int(std::lround(x / kGrid)); };
  const int low = near(steady.x() - tuning.most_along);
  const int high = near(steady.x() + tuning.most_along);
  const int left = near(steady.y() - tuning.most_across);
  const int right = near(steady.y() + tuning.most_across);
  for (int di = low; di <= high; ++di) {
    const double x = di * kGrid;
    const double narrow = std::abs(x) < kLong ? kBeside : kNarrow;
    const double along = (x - steady.x()) / tuning.along;
    for (int dj = left; dj <= right; ++dj) {
      const double y = dj * kGrid;
      if (side * y < narrow || x * x + y * y > search.longest * search.longest) continue;
      const double across = (y - steady.y()) / tuning.across;
      const double cost = from.cost + along * along + across * across;
      const double gone =
          kGrid * Vec2(from.i + di, from.j + dj).dot(due) / std::max(1e-6, due.norm());
      const double behind = std::max(0.0, due.norm() - gone) / tuning.along;
      const double rank = cost + behind * behind;
      if (out.count == kWays && rank >= out.nodes[kWays - 1].rank) continue;
      const float height = places.height(from.i + di, from.j + dj);
      const double rise = double(height) - double(from.height);
      if (!(rise < search.step_up && rise > -search.step_down)) continue;
      out.add({from.i + di, from.j + dj, index, height, cost, rank});
    }
  }
}

/// A steady step of the foot on that side, heading frame.
Vec2 steady_step(const WaySearch& search, double side) {
  return search.stride + Vec2(0, side * search.width);
}

/// Whether the ground between two places, that is far below at the second, breaks off somewhere:
/// down stairs and slopes it goes on, and steps become shorter.
bool breaks_off(const physics::GroundNow& ground, const WaySearch& search, const Vec2& to) {
  const Vec2 from = search.stand.head<2>();
  const int pieces = std::max(1, int(std::ceil((to - from).norm() / kGrid)));
  double level = search.stand.z();
  for (int i = 1; i <= pieces; ++i) {
    const Vec2 place = from + (to - from) * (double(i) / pieces);
    const physics::GroundPoint here = ground.bearing(place.x(), place.y(), level + search.step_up);
    if (!here.there || here.height < level - search.step_down) return true;
    level = here.height;
  }
  return false;
}

/// Whether the hole that the k-th of the next feet meets is a crack: the foot can stand further on,
/// by no more than is a reason to plan, and there is ground on two opposite sides.
/// @param at    where the foot would be
/// @param hole  a place under it without ground
bool is_crack(const physics::GroundNow& ground, const WaySearch& search, int k, const Vec2& at,
              const Vec2& hole) {
  const double near = search.tuning->near;
  if (near <= 0) return false;
  FootholdSearch hold;
  hold.wanted = at;
  hold.forward = search.ahead;
  hold.level = search.stand.z();
  hold.step_up = (k + 1) * search.step_up;
  hold.step_down = (k + 1) * search.step_down;
  hold.radius = search.radius;
  hold.ahead = near;
  hold.behind = 0;
  if (!find_foothold(ground, hold).found) return false;
  const auto bears = [&](const Vec2& place) {
    const physics::GroundPoint there =
        ground.bearing(place.x(), place.y(), hold.level + hold.step_up);
    return there.there && there.height > hold.level - hold.step_down;
  };
  const Vec2 along = kAcross * search.ahead, aside(-along.y(), along.x());
  return (bears(hole + along) && bears(hole - along)) ||
         (bears(hole + aside) && bears(hole - aside));
}

}  // namespace

bool meets_hole(const physics::GroundNow& ground, const WaySearch& search) {
  const Vec2 left(-search.ahead.y(), search.ahead.x());
  const auto in_world = [&](const Vec2& v) { return Vec2(v.x() * search.ahead + v.y() * left); };
  Vec2 at = search.stand.head<2>();
  double side = search.side;
  const double out = search.radius;
  // Whether the k-th of the next feet would meet a hole at a place.
  const auto is_hole = [&](int k, const Vec2& place) {
    if (ground.is_bare(place.x(), place.y())) return false;
    const physics::GroundPoint here =
        ground.bearing(place.x(), place.y(), search.stand.z() + (k + 1) * search.step_up);
    if (!here.there) return true;
    return here.height < search.stand.z() - (k + 1) * search.step_down &&
           breaks_off(ground, search, place);
  };
  for (int k = 0; k < WayAhead::kSteps; ++k, side = -side) {
    at += in_world(k == 0 ? search.first : steady_step(search, side));
    for (const Vec2& off : {Vec2(0, 0), Vec2(out, 0), Vec2(-out, 0)}) {
      const Vec2 place = at + in_world(off);
      if (is_hole(k, place) && !is_crack(ground, search, k, at, place)) return true;
    }
  }
  return false;
}

void find_ways(const physics::GroundNow& ground, const WaySearch& search, WaysAhead& out) {
  Places places(ground, search);
  std::array<Ways, WayAhead::kSteps> ways;
  const Node begin{0, 0, 0, float(search.stand.z()), 0, 0};
  double side = search.side;
  int steps = 0;
  for (int k = 0; k < WayAhead::kSteps; ++k, side = -side) {
    const Vec2 steady = k == 0 ? search.first : steady_step(search, side);
    const auto from = k == 0 ? std::span(&begin, 1) : ways[std::size_t(k - 1)].all();
    for (std::size_t n = 0; n < from.size(); ++n)
      add_steps(places, search, from[n], int(n), side, steady, (k + 1) * search.stride,
                ways[std::size_t(k)]);
    if (ways[std::size_t(k)].count == 0) break;
    steps = k + 1;
  }
  out.count = steps > 0 ? ways[std::size_t(steps - 1)].count : 0;
  const double stride = search.stride.norm();
  for (int w = 0; w < out.count; ++w) {
    const Node* node = &ways[std::size_t(steps - 1)].nodes[std::size_t(w)];
    WayAhead& way = out.ways[std::size_t(w)];
    way.count = steps;
    way.cost = node->rank;
    const double gone = kGrid * Vec2(node->i, node->j).dot(search.stride);
    way.share = stride < kHalts ? 1 : gone / (WayAhead::kSteps * stride * stride);
    for (int k = steps - 1; k >= 0; --k) {
      const Vec2 at = places.at(node->i, node->j);
      way.foothold[std::size_t(k)] = Vec3(at.x(), at.y(), double(node->height));
      if (k > 0) node = &ways[std::size_t(k - 1)].nodes[std::size_t(node->before)];
    }
  }
}

WayAhead rest_of(const WayAhead& way, const WaySearch& search) {
  const WayTuning& tuning = *search.tuning;
  WayAhead out;
  out.count = std::max(0, way.count - 1);
  const Vec2 left(-search.ahead.y(), search.ahead.x());
  Vec3 from = search.stand;
  double side = search.side, gone = 0;
  for (int k = 0; k < out.count; ++k, side = -side) {
    const Vec3& at = out.foothold[std::size_t(k)] = way.foothold[std::size_t(k + 1)];
    const Vec2 step = (at - from).head<2>(), steady = steady_step(search, side);
    const Vec2 off(step.dot(search.ahead) - steady.x(), step.dot(left) - steady.y());
    out.cost += std::pow(off.x() / tuning.along, 2) + std::pow(off.y() / tuning.across, 2);
    gone += Vec2(step.dot(search.ahead), step.dot(left)).dot(search.stride);
    from = at;
  }
  const double stride = search.stride.norm();
  if (out.count > 0 && stride >= kHalts) out.share = gone / (out.count * stride * stride);
  // The last step that it lacks counts as one on the spot.
  out.cost += std::pow(stride / tuning.along, 2);
  return out;
}

}  // namespace promenade::control::pendulum
