// Projected Gauss-Seidel over all contacts of an island. The points of one rigid link act through
// its six coordinates alone, so the unknowns are the velocities of the links that are touched: a
// point is solved on its link, and what its link was given goes on to the body's other touched
// links before those are solved. In exact arithmetic that is Gauss-Seidel on all coordinates.
// Soft contacts: Catto 2011, "Soft constraints", with stiffness and damping a second, not a step;
// how much of the damper is at the end of the step is fitted as for servos: implicit_share.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "physics/dynamics/link_response.h"
#include "physics/dynamics/work.h"

namespace promenade::physics {
namespace {

constexpr double kMaxCorrection = 1.0;  // m/s, the fastest that overlap is pushed out
constexpr double kBodyFriction = 0.4;   // between characters
// m/s, an iteration that changes no point by more ends it. The rest is left to the next step's warm
// start: docs/decisions/0003-links-not-coordinates.md.
constexpr double kSettled = 3e-4;

/// A link that a contact touches.
struct Touched {
  Spatial velocity;
  int body = 0;  // index in the island
  int link = 0;
  int pressed = 0;  // points of it that overlap
};

/// What of the solver a body has.
struct Member {
  int first = 0, count = 0;         // its touched links
  std::size_t responses = 0;        // [count][count], where they begin
  int group = 0;                    // the first body of those that hang together by contacts
  std::array<int, kMaxLinks> at{};  // [links] index in `touched`, -1 where nothing touches
};

/// What a link has to do with a point: of the normal and of the two tangents.
struct Side {
  Spatial along[3];   // velocity of the point along the direction, over the direction's inertia
  Spatial answer[3];  // change of the link's velocity for a unit impulse
};

/// One point: a unilateral contact with two friction directions.
struct Row {
  int side = 0;  // of a
  std::array<double, 3> impulse{};
  std::array<double, 3> mass{};  // inverse inertia of the directions, the normal's softened
  double keep = 0;               // of the normal impulse, what softness leaves for the next try
  double wanted = 0;             // normal impulse for the wanted velocity
  std::array<double, 2> slip{};  // a normal impulse's part in the tangents' impulses
  double friction = 0;
  Vec3 whole = Vec3::Zero();  // impulse, in the end, N s
};

/// The normal and two tangents of a point.
std::array<Vec3, 3> directions(const Vec3& n) {
  const Vec3 t1 = (std::abs(n.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY()).cross(n).normalized();
  return {n, t1, n.cross(t1)};
}

/// How a point gives way in a step.
struct Softness {
  double give = 0;    // velocity for a unit normal impulse
  double wanted = 0;  // velocity of separation without one, m/s
};

/// @param depth    m, positive when overlapping
/// @param approach m/s, velocity of separation at the start of the step
/// @param answer   of the two bodies at the point: velocity for a unit normal impulse
/// @param together points that press on the same link, itself included
/// Law:    impulse = h (k (depth - h v) - d (s v + (1 - s) approach)), v at the end of the step, s
///         the share for which a speed that contact alone changes decays as it should. A point that
///         does not overlap yet lets the gap close and then has all of its damper at the end.
Softness soft_contact(double depth, double approach, double answer, int together,
                      const StepSettings& settings) {
  const double h = settings.dt, k = settings.contact_stiffness, d = settings.contact_damping;
  if (depth <= 0) return {1 / (h * (h * k + d)), depth / h};
  // As implicit_share in batch_kernels.inc. For the points of a light foot that knew only of
  // themselves the share would be too small: together they would turn its speed round.
  const double x = 0.5 * h * (h * k + d) * answer * together;
  const double share = 0.5 + 0.5 * std::min(1.0, x * (35 + x * x) / (105 + 10 * x * x));
  const double rate = h * k + share * d;
  const double pushed_out = std::min(kMaxCorrection, k * depth / rate);
  return {1 / (h * rate), pushed_out - (1 - share) * d * approach / rate};
}

Vec3 velocity_at(const LinkMotion& link, const Vec3& point) {
  return link.velocity + link.omega.cross(point - link.position);
}

/// Rows that follow each other on the same links.
struct Run {
  int group = 0;
  int first = 0, end = 0;  // rows
  int a = 0, b = -1;       // touched links; b of the other body, -1 for terrain
};

/// Scratch of a thread: emptied, not freed, between islands.
struct Solver {
  std::vector<Member> members;
  std::vector<Touched> touched;
  std::vector<SpatialMatrix> responses;
  std::vector<Row> rows;
  std::vector<Side> sides;  // of the rows; that of b follows that of a where there is another body
  std::vector<Run> runs;
  std::vector<Spatial> impulses;  // [touched]

  void make_room(std::size_t bodies);
  void touch(std::span<ArticulatedBody* const> bodies);
  void press(std::span<ArticulatedBody* const> bodies);
  void make_rows(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                 const StepSettings& settings);
  void hand_on(int from, const Spatial& impulse);
  double solve(const Run& run);
  void start_warm(const Run& run);
  void finish(std::span<ArticulatedBody* const> bodies, const StepSettings& settings);

 private:
  int root_of(int body) const {
    while (members[body].group != body) body = members[body].group;
    return body;
  }
  void make_side(const ArticulatedBody::Work& w, int at, const Vec3& point,
                 const std::array<Vec3, 3>& direction, double sign, Side& side, Row& row);
};

thread_local Solver solver;

const SpatialMatrix& response(const Solver& s, const Member& m, int on, int from) {
  return s.responses[m.responses + std::size_t(on - m.first) * std::size_t(m.count) +
                     std::size_t(from - m.first)];
}

/// Room for all contacts that so many bodies can have, so that only an island of more bodies than
/// any before allocates. Memory that is never written to is none of the machine's.
void Solver::make_room(std::size_t bodies) {
  if (members.capacity() >= bodies) return;
  const std::size_t room = std::bit_ceil(bodies), points = room * kMaxPoints;
  members.reserve(room);
  touched.reserve(room * kMaxLinks);
  impulses.reserve(room * kMaxLinks);
  responses.reserve(room * kMaxLinks * kMaxLinks);
  rows.reserve(points);
  sides.reserve(2 * points);
  runs.reserve(points);
}

/// Which links are touched, how they answer, which bodies hang together.
void Solver::touch(std::span<ArticulatedBody* const> bodies) {
  members.resize(bodies.size());
  touched.clear();
  responses.clear();
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    members[a].group = static_cast<int>(a);
    members[a].at.fill(-1);
  }
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const ArticulatedBody::Work& w = bodies[a]->work();
    for (std::size_t p = 0; p < w.points.size(); ++p) {
      const int other = w.partner[p];
      if (other < 0) continue;
      const int one = root_of(static_cast<int>(a)), two = root_of(other);
      members[std::max(one, two)].group = std::min(one, two);
    }
  }
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const ArticulatedBody::Work& w = bodies[a]->work();
    Member& m = members[a];
    std::array<int, kMaxLinks> links;
    m.first = static_cast<int>(touched.size());
    m.count = 0;
    for (std::size_t i = 0; i < w.links.size(); ++i) {
      if (!(w.touched >> i & 1)) continue;
      m.at[i] = static_cast<int>(touched.size());
      links[m.count++] = static_cast<int>(i);
      touched.push_back(
          {link_velocity(w, static_cast<int>(i)), static_cast<int>(a), static_cast<int>(i), 0});
    }
    const auto count = static_cast<std::size_t>(m.count);
    m.responses = responses.size();
    if (count == 0) continue;
    responses.resize(m.responses + count * count);
    respond(w, {links.data(), count}, responses.data() + m.responses);
  }
}

void Solver::make_side(const ArticulatedBody::Work& w, int at, const Vec3& point,
                       const std::array<Vec3, 3>& direction, double sign, Side& side, Row& row) {
  const SpatialMatrix& own = response(*this, members[touched[at].body], at, at);
  const Vec3 lever = point - w.state.root.position;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 force = sign * direction[k];
    side.along[k] = {lever.cross(force), force};
    side.answer[k] = own * side.along[k];
    row.mass[k] += dot(side.along[k], side.answer[k]);
    if (k > 0) row.slip[k - 1] += dot(side.along[k], side.answer[0]);
  }
}

/// Counts the points that press on each touched link.
void Solver::press(std::span<ArticulatedBody* const> bodies) {
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const ArticulatedBody::Work& w = bodies[a]->work();
    for (std::size_t p = 0; p < w.points.size(); ++p) {
      if (w.points[p].depth <= 0) continue;
      ++touched[members[a].at[w.points[p].link]].pressed;
      if (w.partner[p] >= 0) ++touched[members[w.partner[p]].at[w.partner_link[p]]].pressed;
    }
  }
}

void Solver::make_rows(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                       const StepSettings& settings) {
  rows.clear();
  sides.clear();
  runs.clear();
  std::array<Vec3, 3> direction{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // of the last point
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const ArticulatedBody::Work& w = bodies[a]->work();
    const double longer = w.memory_dt > 0 ? settings.dt / w.memory_dt : 1;
    for (std::size_t p = 0; p < w.points.size(); ++p) {
      const ContactPoint& point = w.points[p];
      Row& row = rows.emplace_back();
      row.side = static_cast<int>(sides.size());
      sides.resize(sides.size() + (w.partner[p] >= 0 ? 2 : 1));
      Side* side = &sides[row.side];
      row.friction = point.on_ground ? terrain.friction() : kBodyFriction;
      if (point.normal != direction[0]) direction = directions(point.normal);
      if (p < w.memory.size() && w.memory[p].key == w.keys[p]) {
        row.impulse = w.memory[p].impulse;  // as mostly: the same points as in the last step
      } else {
        for (const RememberedImpulse& old : w.memory) {
          if (old.key == w.keys[p]) row.impulse = old.impulse;
        }
      }
      for (double& impulse : row.impulse) impulse *= longer;
      const int on_a = members[a].at[point.link];
      make_side(w, on_a, point.position, direction, 1, side[0], row);
      Vec3 approach = velocity_at(w.links[std::size_t(point.link)], point.position);
      int on_b = -1;
      if (w.partner[p] >= 0) {
        const ArticulatedBody::Work& other = bodies[w.partner[p]]->work();
        approach -= velocity_at(other.links[std::size_t(w.partner_link[p])], point.position);
        on_b = members[w.partner[p]].at[w.partner_link[p]];
        make_side(other, on_b, point.position, direction, -1, side[1], row);
      }
      const int together = std::max(touched[on_a].pressed, on_b >= 0 ? touched[on_b].pressed : 0);
      const Softness soft =
          soft_contact(point.depth, point.normal.dot(approach), row.mass[0], together, settings);
      row.mass[0] += soft.give;
      std::array<double, 3> inertia;
      for (std::size_t k = 0; k < 3; ++k) {
        inertia[k] = 1 / row.mass[k];
        side[0].along[k] = side[0].along[k] * inertia[k];
        if (on_b >= 0) side[1].along[k] = side[1].along[k] * inertia[k];
        if (k > 0) row.slip[k - 1] *= inertia[k];
      }
      row.keep = 1 - soft.give * inertia[0];
      row.wanted = soft.wanted * inertia[0];
      const int number = static_cast<int>(rows.size()) - 1;
      if (runs.empty() || runs.back().a != on_a || runs.back().b != on_b) {
        runs.push_back({root_of(static_cast<int>(a)), number, number, on_a, on_b});
      }
      runs.back().end = number + 1;
    }
  }
}

/// What the body's other touched links do when one is given an impulse.
void Solver::hand_on(int from, const Spatial& impulse) {
  const Member& m = members[touched[from].body];
  for (int on = m.first; on < m.first + m.count; ++on) {
    if (on != from) touched[on].velocity += response(*this, m, on, from) * impulse;
  }
}

/// The impulses of the last step, kept by points that are still there.
void Solver::start_warm(const Run& run) {
  Spatial on_a, on_b;
  for (int r = run.first; r < run.end; ++r) {
    const Row& row = rows[r];
    const Side* side = &sides[row.side];
    for (std::size_t k = 0; k < 3; ++k) {
      touched[run.a].velocity.add(side[0].answer[k], row.impulse[k]);
      on_a.add(side[0].along[k], row.impulse[k] * row.mass[k]);
      if (run.b < 0) continue;
      touched[run.b].velocity.add(side[1].answer[k], row.impulse[k]);
      on_b.add(side[1].along[k], row.impulse[k] * row.mass[k]);
    }
  }
  hand_on(run.a, on_a);
  if (run.b >= 0) hand_on(run.b, on_b);
}

/// One step of Gauss-Seidel on a contact: the normal impulse, then friction within the cone. What
/// the normal impulse does to the tangents is taken from `slip` and not read back from the link.
/// @param normal the new impulse
/// @param moving what the tangents' movement asks for, as impulses
/// @return the change of the impulses
[[gnu::always_inline]] inline std::array<double, 3> solve_row(Row& row, double normal,
                                                              const std::array<double, 2>& moving) {
  const std::array<double, 3> before = row.impulse;
  const double change = normal - before[0];
  std::array<double, 2> after{0, 0};
  if (normal > 0) {
    for (std::size_t k = 0; k < 2; ++k) {
      after[k] = (before[k + 1] - moving[k]) - row.slip[k] * change;
    }
    const double limit = row.friction * normal;
    const double square = after[0] * after[0] + after[1] * after[1];
    if (!(square <= limit * limit)) {
      const double scale = limit / std::sqrt(square);
      for (double& impulse : after) impulse *= scale;
    }
  }
  row.impulse = {normal, after[0], after[1]};
  return {change, after[0] - before[1], after[1] - before[2]};
}

/// @return the greatest change of a point's velocity, m/s
template <bool pair>
double solve_run(Solver& s, const Run& run) {
  Spatial velocity_a = s.touched[run.a].velocity, given_a;
  Spatial velocity_b, given_b;
  if constexpr (pair) velocity_b = s.touched[run.b].velocity;
  double greatest = 0;
  for (int r = run.first; r < run.end; ++r) {
    Row& row = s.rows[r];
    const Side* side = &s.sides[row.side];
    const auto moving = [&](std::size_t k) {
      double sum = dot(side[0].along[k], velocity_a);
      if constexpr (pair) sum += dot(side[1].along[k], velocity_b);
      return sum;
    };
    const double normal = std::max(0.0, row.impulse[0] * row.keep + (row.wanted - moving(0)));
    // Points that are watched but not loaded: without a normal impulse there is no friction.
    if (normal == 0 && row.impulse[0] == 0) continue;
    const std::array<double, 3> change = solve_row(row, normal, {moving(1), moving(2)});
    for (std::size_t k = 0; k < 3; ++k) {
      const double faster = change[k] * row.mass[k];
      greatest = std::max(greatest, std::abs(faster));
      velocity_a.add(side[0].answer[k], change[k]);
      given_a.add(side[0].along[k], faster);
      if constexpr (pair) {
        velocity_b.add(side[1].answer[k], change[k]);
        given_b.add(side[1].along[k], faster);
      }
    }
  }
  s.touched[run.a].velocity = velocity_a;
  s.hand_on(run.a, given_a);
  if constexpr (pair) {
    s.touched[run.b].velocity = velocity_b;
    s.hand_on(run.b, given_b);
  }
  return greatest;
}

double Solver::solve(const Run& run) {
  return run.b < 0 ? solve_run<false>(*this, run) : solve_run<true>(*this, run);
}

/// Impulses to the bodies, forces to the points.
void Solver::finish(std::span<ArticulatedBody* const> bodies, const StepSettings& settings) {
  impulses.assign(touched.size(), Spatial());
  for (const Run& run : runs) {
    for (int r = run.first; r < run.end; ++r) {
      Row& row = rows[r];
      const Side* side = &sides[row.side];
      Spatial on_a;
      for (std::size_t k = 0; k < 3; ++k) {
        const double size = row.impulse[k] * row.mass[k];
        on_a.add(side[0].along[k], size);
        if (run.b >= 0) impulses[run.b].add(side[1].along[k], size);
      }
      impulses[run.a] += on_a;
      row.whole = on_a.linear();
    }
  }
  std::size_t r = 0;
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    ArticulatedBody::Work& w = bodies[a]->work();
    const Member& m = members[a];
    w.memory.clear();
    w.memory_dt = settings.dt;
    for (std::size_t p = 0; p < w.points.size(); ++p, ++r) {
      ContactPoint& point = w.points[p];
      point.force = rows[r].whole / settings.dt;
      w.memory.push_back({w.keys[p], rows[r].impulse});
    }
    if (m.count == 0) continue;
    std::array<int, kMaxLinks> links;
    for (int t = 0; t < m.count; ++t) links[t] = touched[m.first + t].link;
    const auto count = static_cast<std::size_t>(m.count);
    apply_impulses(w, {links.data(), count}, {impulses.data() + m.first, count});
  }
}

}  // namespace

void solve_contacts(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                    const StepSettings& settings) {
  solver.make_room(bodies.size());
  solver.touch(bodies);
  solver.press(bodies);
  solver.make_rows(bodies, terrain, settings);
  // Each group stops by itself: others in the island make no difference to it.
  auto& runs = solver.runs;
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return a.group != b.group ? a.group < b.group : a.first < b.first;
  });
  for (std::size_t from = 0, end = 0; from < runs.size(); from = end) {
    while (end < runs.size() && runs[end].group == runs[from].group) ++end;
    for (std::size_t r = from; r < end; ++r) solver.start_warm(runs[r]);
    for (int iteration = 0; iteration < settings.iterations; ++iteration) {
      double greatest = 0;
      for (std::size_t r = from; r < end; ++r) greatest = std::max(greatest, solver.solve(runs[r]));
      if (greatest <= kSettled) break;
    }
  }
  solver.finish(bodies, settings);
}

}  // namespace promenade::physics
