#include "physics/constraints/contact_rows.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>

namespace promenade::physics {
namespace {

constexpr double kFastestPushOut = 1.0;  // m/s, greatest speed at which overlap is pushed out
// Share of a body's size. Bodies larger than people sink in further, and kFastestPushOut is too
// slow for them: overlap of this depth is still pushed out with its full force.
constexpr double kFullDepth = 0.05;
constexpr double kRolling = 0.04;  // share of a round link's radius: lever that resists its rolling

/// The normal and two tangents of a point.
std::array<Vec3, 3> directions(const Vec3& n) {
  const Vec3 t1 = (std::abs(n.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY()).cross(n).normalized();
  return {n, t1, n.cross(t1)};
}

/// One body at a point.
struct PointOn {
  const SpatialMatrix* own = nullptr;  // its link's answer to impulses on itself; null: none there
  Vec3 lever = Vec3::Zero();           // of the point, from the body's origin
};

/// Velocities of a point for unit impulses along two directions.
struct Answers {
  double first = 0, second = 0;  // along the direction of the impulse
  double other = 0;              // along the first for an impulse along the second
};

Answers answers_along(const PointOn& on, const Vec3& one, const Vec3& two) {
  if (!on.own) return {};
  const Spatial first(on.lever.cross(one), one), second(on.lever.cross(two), two);
  const Spatial moved = *on.own * second;
  return {dot(first, *on.own * first), dot(second, moved), dot(first, moved)};
}

/// Turns the tangents of a point that can move along one tangent direction only, such as that of a
/// planar body on the ground: one along that direction, one across it. Rows along two other
/// directions would work against each other. Tangents of points that move along both stay.
void turn_tangents(const PointOn& a, const PointOn& b, std::array<Vec3, 3>& direction) {
  const Vec3 &one = direction[1], &two = direction[2];
  const Answers on_a = answers_along(a, one, two), on_b = answers_along(b, one, two);
  const double p = on_a.first + on_b.first, q = on_a.second + on_b.second;
  const double r = on_a.other + on_b.other;
  // Principal answers of the matrix (p r; r q).
  const double mean = 0.5 * (p + q), apart = std::hypot(0.5 * (p - q), r);
  constexpr double kAlone = 1e-3;
  if (mean - apart > kAlone * (mean + apart)) return;
  const double angle = 0.5 * std::atan2(2 * r, p - q);
  Vec3 along = std::cos(angle) * one + std::sin(angle) * two;
  // Of the two opposite directions always the same is taken, as impulses along it are kept for the
  // next step.
  if (along.dot(one) + 0.618 * along.dot(two) < 0) along = -along;
  direction = {direction[0], along, direction[0].cross(along)};
}

/// A contact point of an island and the two bodies that meet there.
struct Meeting {
  const ArticulatedBody::Work& a;
  const ContactPoint& point;
  ArticulatedBody::Work* b;  // the other body; null: the ground
  int link_b;                // of the other body
  int on_a, on_b;            // touched links; on_b is -1 where nothing moves: the other body sleeps

  Vec3 lever_a() const { return point.position - a.state.root.position; }
  Vec3 lever_b() const { return point.position - b->state.root.position; }
  /// Two hard surfaces.
  bool is_hard() const { return a.model->hard && (!b || b->model->hard); }
  /// Thickness of the thinner link, m.
  double thickness() const {
    const double one = a.model->links[std::size_t(point.link)].thickness;
    return b ? std::min(one, b->model->links[std::size_t(link_b)].thickness) : one;
  }
  /// Neither body has a free root.
  bool is_tied() const {
    const auto is_free = [](const ArticulatedBody::Work& w) {
      return w.model->links[0].joint == JointKind::kFree;
    };
    return !is_free(a) && !(on_b >= 0 && is_free(*b));
  }
};

Meeting meeting_at(std::span<ArticulatedBody* const> bodies, std::size_t a, std::size_t p,
                   const TouchedLinks& links) {
  const ArticulatedBody::Work& w = bodies[a]->work();
  const int b = w.partner[p];
  Meeting m{w, w.points[p], nullptr, 0, links.at(int(a), w.points[p].link), -1};
  if (b < 0) return m;
  m.b = &bodies[std::size_t(b)]->work();
  m.link_b = w.partner_link[p];
  m.on_b = links.at(b, m.link_b);
  return m;
}

/// Directions of one point after the other. Points in a row often have the same normal.
class Directions {
 public:
  const std::array<Vec3, 3>& of(const Meeting& m, const TouchedLinks& links) {
    const bool tied = m.is_tied();
    if (tied || turned_ || m.point.normal != direction_[0]) {
      direction_ = directions(m.point.normal);
    }
    if (tied) {
      const PointOn one{&links.own_response(m.on_a), m.lever_a()};
      PointOn two;
      if (m.on_b >= 0) two = {&links.own_response(m.on_b), m.lever_b()};
      turn_tangents(one, two, direction_);
    }
    turned_ = tied;
    return direction_;
  }

 private:
  std::array<Vec3, 3> direction_{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  bool turned_ = false;
};

/// How a point gives way in a step.
struct Softness {
  double give = 0;    // velocity for a unit normal impulse
  double wanted = 0;  // velocity of separation without one, m/s
};

/// Contacts with the springs of StepSettings.
/// @param depth    m, positive when overlapping
/// @param approach m/s, velocity of separation at the start of the step
/// @param answer   of the two bodies at the point: velocity for a unit normal impulse
/// @param together points that press on the same link, this one included
/// @param surface  N/m, of the softer surface
/// @param group    scales stiffness k and damping d
/// Law:    impulse = h (k (depth - h v) - d (s v + (1 - s) approach)), h the step, v the velocity
///         of separation at its end, and s the share of the damper that acts at the end, chosen
///         so that a speed that the contact alone changes decays exponentially. At a point that
///         does not overlap yet the gap may close, and the whole damper acts at the end. A soft
///         surface is a second spring in a row, k = k1 k2 / (k1 + k2), and d goes with the root
///         of k.
Softness soft_contact(double depth, double approach, double answer, int together, double surface,
                      const TouchedLinks::Member& group, const StepSettings& settings) {
  const double h = settings.dt;
  double k = group.stiffness_scale * settings.contact_stiffness;
  double d = group.damping_scale * settings.contact_damping;
  if (surface < kRigid) {
    const double given = 1 / (1 + settings.contact_stiffness / surface);
    k *= given;
    d *= std::sqrt(given);
  }
  if (depth <= 0) return {1 / (h * (h * k + d)), depth / h};
  // See implicit_share in batch_kernels.inc. All points on the link count: by itself, each point of
  // a light foot would get too small a share, and together they would reverse the foot's speed.
  const double x = 0.5 * h * (h * k + d) * answer * together;
  const double share = 0.5 + 0.5 * std::min(1.0, x * (35 + x * x) / (105 + 10 * x * x));
  const double rate = h * k + share * d;
  const double fastest = group.stiffness_scale > 1
                             ? std::max(kFastestPushOut, k * kFullDepth * group.size / rate)
                             : kFastestPushOut;
  const double pushed_out = std::min(fastest, k * depth / rate);
  return {1 / (h * rate), pushed_out - (1 - share) * d * approach / rate};
}

/// As soft_contact, for two hard surfaces: as stiff as the mass m at the point allows, with the
/// whole damper at the end of the step, and damped enough that a tower does not sway.
/// Law: impulse = h (k (depth - h v) - d v), k = m w^2, d = 2 z m w, z kDamping,
///      w^2 = g / (kSink thickness)
/// A thing that rests on corners then sinks in by the share kSink of the thinner one's thickness.
/// With one w for all sizes, planks in a pile sink in by half their thickness and towers of small
/// cubes lean.
/// @param heaviest  kg, the heaviest body of the group, which light bodies must carry, too
/// @param thickness m, of the thinner of the two links
/// @param surface   N/m, of the softer surface: k is no greater
Softness hard_contact(double depth, double answer, double heaviest, double thickness,
                      double surface, double h) {
  constexpr double kSink = 1.2e-4;
  constexpr double kSlowest = 400, kFastest = 1600;  // 1/s, bounds of w
  constexpr double kDamping = 10;                    // z, damping ratio
  constexpr double kCorner = 0.2;                    // share of a box's mass that a corner shows
  const double mass = std::max(1 / answer, kCorner * heaviest);
  const double w =
      std::min(std::clamp(std::sqrt(kGravity / (kSink * thickness)), kSlowest, kFastest),
               std::sqrt(surface / mass));
  const double rate = mass * w * (h * w + 2 * kDamping);  // h k + d
  if (depth <= 0) return {1 / (h * rate), depth / h};
  return {1 / (h * rate), std::min(kFastestPushOut, mass * w * w * depth / rate)};
}

/// Bodies that bounce off do so in one step, without giving way.
/// Law:    v' = e v, v the speed of approach. At a depth d, negative where the surfaces meet only
///         within this step, v'^2 = e^2 v^2 + 2 (1 - e^2) g d rises as high as from the surface.
/// Source: Newton's law of restitution. A body slower than some steps of falling counts as resting.
/// @param approach m/s, velocity of separation at the start of the step
/// @param fall     m/s^2, gravity against the normal
/// @param soft     replaced where it bounces
void bounce(double restitution, double depth, double approach, double fall, double h,
            Softness& soft) {
  constexpr double kSteps = 10;
  if (restitution <= 0 || -approach < kSteps * h * kGravity || depth - h * approach <= 0) return;
  const double kept = restitution * restitution;
  const double square = kept * approach * approach + 2 * (1 - kept) * std::max(0.0, fall) * depth;
  soft = {0, std::sqrt(std::max(0.0, square))};
}

/// Softness of a point between the two surfaces that meet there.
/// @param approach velocity of the first body's surface from the other's, m/s, start of the step
/// @param answer   velocity for a unit normal impulse
Softness softness_of(const Meeting& m, const Vec3& approach, double answer,
                     const TouchedLinks::Member& group, const TouchedLinks& links,
                     const StepSettings& settings) {
  const ContactPoint& point = m.point;
  const double separation = point.normal.dot(approach);
  Softness soft;
  if (m.is_hard()) {
    soft = hard_contact(point.depth, answer, group.heaviest, m.thickness(),
                        point.material.stiffness, settings.dt);
  } else {
    int together = links.touched[std::size_t(m.on_a)].pressed;
    if (m.on_b >= 0) {
      together = std::max(together, links.touched[std::size_t(m.on_b)].pressed);
    }
    soft = soft_contact(point.depth, separation, answer, together, point.material.stiffness, group,
                        settings);
  }
  // Controllers know how feet meet the ground; things bounce off everybody.
  if (m.a.model->hard || (m.b && m.b->model->hard)) {
    const double fall = m.on_b < 0 ? settings.gravity * point.normal.z() : 0;
    bounce(point.material.restitution, point.depth, separation, fall, settings.dt, soft);
  }
  return soft;
}

[[gnu::always_inline]] inline void add_side(const SpatialMatrix& own, const Vec3& lever,
                                            const std::array<Vec3, 3>& direction, double sign,
                                            ContactSide& side, ContactRow& row) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 force = sign * direction[k];
    side.along[k] = {lever.cross(force), force};
    side.answer[k] = own * side.along[k];
    row.mass[k] += dot(side.along[k], side.answer[k]);
    if (k > 0) row.slip[k - 1] += dot(side.along[k], side.answer[0]);
  }
}

/// Writes all of a row but the impulse that it starts from.
/// @param side room for that of the first body and, where it moves, that of the other
void make_row(const Meeting& m, const std::array<Vec3, 3>& direction,
              const TouchedLinks::Member& group, const TouchedLinks& links,
              const StepSettings& settings, ContactSide* side, ContactRow& row) {
  const ContactPoint& point = m.point;
  row.friction = point.material.friction;
  row.mass = {};
  row.slip = {};
  add_side(links.own_response(m.on_a), m.lever_a(), direction, 1, side[0], row);
  Vec3 approach =
      velocity_at(m.a.links[std::size_t(point.link)], point.position) - point.surface_velocity;
  if (m.on_b >= 0) {
    approach -= velocity_at(m.b->links[std::size_t(m.link_b)], point.position);
    add_side(links.own_response(m.on_b), m.lever_b(), direction, -1, side[1], row);
  } else if (m.b && point.depth > 0) {
    m.b->disturbance.speed = std::max(m.b->disturbance.speed, -point.normal.dot(approach));
  }
  const Softness soft = softness_of(m, approach, row.mass[0], group, links, settings);
  // A root that is tied to the world leaves no movement along this direction, only rounding: the
  // row gets no impulse.
  const double least = 1e-9 * (row.mass[0] + row.mass[1] + row.mass[2]);
  row.mass[0] += soft.give;
  std::array<double, 3> inertia;
  for (std::size_t k = 0; k < 3; ++k) {
    inertia[k] = row.mass[k] > least ? 1 / row.mass[k] : 0;
    side[0].along[k] = side[0].along[k] * inertia[k];
    if (m.on_b >= 0) side[1].along[k] = side[1].along[k] * inertia[k];
    if (k == 0) continue;
    row.slip[k - 1] *= inertia[k];
    row.drift[k - 1] = direction[k].dot(point.surface_velocity) * inertia[k];
  }
  row.keep = 1 - soft.give * inertia[0];
  row.wanted = (soft.wanted + point.normal.dot(point.surface_velocity)) * inertia[0];
}

/// The radius on which a link rolls, that of its thickest shape, m; 0 for a link with corners.
double rolling_radius(const ArticulatedBody::Work& w, int link) {
  double radius = 0;
  for (const Shape& shape : w.model->links[std::size_t(link)].shapes) {
    if (shape.kind == Shape::Kind::kBox) return 0;
    radius = std::max(radius, shape.radius);
  }
  return radius;
}

/// Adds a row to the last run, or begins a new run if the row is of other links.
void add_to(std::vector<ContactRun>& runs, const Meeting& m, int group, int row,
            const TouchedLinks& links) {
  if (runs.empty() || runs.back().a != m.on_a || runs.back().b != m.on_b) {
    runs.push_back({group, row, row, m.on_a, m.on_b, 0,
                    links.is_alone(m.on_a) && (m.on_b < 0 || links.is_alone(m.on_b))});
    if (m.is_hard()) runs.back().rolling = kRolling * rolling_radius(m.a, m.point.link);
  }
  runs.back().end = row + 1;
}

/// Counts the points that press on each touched link.
void press(std::span<ArticulatedBody* const> bodies, TouchedLinks& links) {
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const ArticulatedBody::Work& w = bodies[a]->work();
    if (w.asleep) continue;
    for (std::size_t p = 0; p < w.points.size(); ++p) {
      if (w.points[p].depth <= 0) continue;
      ++links.touched[std::size_t(links.at(int(a), w.points[p].link))].pressed;
      if (w.partner[p] < 0) continue;
      const int on_b = links.at(w.partner[p], w.partner_link[p]);
      if (on_b >= 0) ++links.touched[std::size_t(on_b)].pressed;
    }
  }
}

/// The impulse of the same point in the last step, or zero.
std::array<double, 3> remembered(const ArticulatedBody::Work& w, std::size_t p) {
  // The usual case: the points are those of the last step.
  if (p < w.memory.size() && w.memory[p].key == w.keys[p]) return w.memory[p].impulse;
  std::array<double, 3> impulse{};
  for (const RememberedImpulse& old : w.memory) {
    if (old.key == w.keys[p]) impulse = old.impulse;
  }
  return impulse;
}

/// Position of a point in its link's frame, m.
Vec3 on_link(const ArticulatedBody::Work& w, const ContactPoint& point) {
  const LinkMotion& m = w.links[std::size_t(point.link)];
  return m.rotation.transpose() * (point.position - m.position);
}

/// The same for a hard body, whose points have no lasting names: the order of the island changes as
/// things come and go, and clipped faces list their corners in any order. So a point takes the
/// impulse of the nearest remembered point on the link. Only where none is near, as under a rolling
/// ball, the name is used.
/// @param at    m, of the point in the link's frame
/// @param taken remembered points whose impulse has been taken already
std::array<double, 3> remembered_near(const ArticulatedBody::Work& w, std::size_t p, const Vec3& at,
                                      std::bitset<kMaxPoints>& taken) {
  constexpr double kNear = 0.05;             // share of the link's reach
  constexpr std::uint64_t kShape = 0xffff0;  // bits of a key: link and shape
  const double reach = w.model->links[std::size_t(w.points[p].link)].reach;
  const double near = kNear * kNear * reach * reach;
  std::size_t best = w.memory.size(), named = best;
  double nearest = near;
  for (std::size_t m = 0; m < w.memory.size(); ++m) {
    const RememberedImpulse& old = w.memory[m];
    if (taken[m] || ((old.key ^ w.keys[p]) & kShape) != 0) continue;
    if (old.key == w.keys[p]) named = m;
    const double apart = (old.at - at).squaredNorm();
    if (apart < nearest) {
      nearest = apart;
      best = m;
    }
  }
  if (best == w.memory.size()) best = named;
  if (best == w.memory.size()) return {};
  taken.set(best);
  return w.memory[best].impulse;
}

/// One step of Gauss-Seidel on a contact: the normal impulse, then friction within the cone. The
/// effect of the normal impulse on the tangents is taken from `slip`, not read back from the link.
/// @param normal the new normal impulse
/// @param moving velocities along the tangents, as the impulses that would stop them
/// @return the change of the impulses
[[gnu::always_inline]] inline std::array<double, 3> solve_row(ContactRow& row, double normal,
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

/// @tparam alone  no other links of the two bodies are touched: nothing is handed on
/// @return the greatest change of a point's velocity, m/s
template <bool pair, bool alone>
double solve_run(std::vector<ContactRow>& rows, const std::vector<ContactSide>& sides,
                 const ContactRun& run, TouchedLinks& links) {
  Spatial velocity_a = links.touched[std::size_t(run.a)].velocity, given_a;
  Spatial velocity_b, given_b;
  if constexpr (pair) velocity_b = links.touched[std::size_t(run.b)].velocity;
  double greatest = 0;
  for (int r = run.first; r < run.end; ++r) {
    ContactRow& row = rows[std::size_t(r)];
    const ContactSide* side = &sides[std::size_t(row.side)];
    const auto moving = [&](std::size_t k) {
      double sum = dot(side[0].along[k], velocity_a);
      if constexpr (pair) sum += dot(side[1].along[k], velocity_b);
      return sum;
    };
    const double normal = std::max(0.0, row.impulse[0] * row.keep + (row.wanted - moving(0)));
    // A point without load: without a normal impulse there is no friction.
    if (normal == 0 && row.impulse[0] == 0) continue;
    const std::array<double, 3> change =
        solve_row(row, normal, {moving(1) - row.drift[0], moving(2) - row.drift[1]});
    for (std::size_t k = 0; k < 3; ++k) {
      const double faster = change[k] * row.mass[k];
      greatest = std::max(greatest, std::abs(faster));
      velocity_a.add(side[0].answer[k], change[k]);
      if constexpr (pair) velocity_b.add(side[1].answer[k], change[k]);
      if constexpr (alone) continue;
      given_a.add(side[0].along[k], faster);
      if constexpr (pair) given_b.add(side[1].along[k], faster);
    }
  }
  links.touched[std::size_t(run.a)].velocity = velocity_a;
  if constexpr (!alone) links.hand_on(run.a, given_a);
  if constexpr (pair) links.touched[std::size_t(run.b)].velocity = velocity_b;
  if constexpr (pair && !alone) links.hand_on(run.b, given_b);
  return greatest;
}

}  // namespace

void ContactRows::make_room(std::size_t bodies) {
  const std::size_t points = bodies * kMaxPoints;
  if (runs.capacity() >= points) return;
  const std::size_t room = std::bit_ceil(bodies) * kMaxPoints;
  rows.reserve(room);
  sides.reserve(2 * room);
  runs.reserve(room);
}

void ContactRows::join(std::span<ArticulatedBody* const> bodies, TouchedLinks& links) {
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const ArticulatedBody::Work& w = bodies[a]->work();
    if (w.asleep) continue;
    for (const int other : w.partner) {
      if (other >= 0 && !bodies[std::size_t(other)]->work().asleep) links.join(int(a), other);
    }
  }
  // Light bodies must not give way under heavy ones that stand on them.
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    TouchedLinks::Member& group = links.members[std::size_t(links.group_of(int(a)))];
    group.stiffness_scale = std::max(group.stiffness_scale, bodies[a]->model().stiffness_scale);
    group.damping_scale = std::max(group.damping_scale, bodies[a]->model().damping_scale);
    group.size = std::max(group.size, bodies[a]->model().size);
    group.heaviest = std::max(group.heaviest, bodies[a]->model().total_mass);
    if (bodies[a]->model().hard) {
      group.thinnest = std::min(group.thinnest, bodies[a]->model().thinnest);
    }
  }
}

void ContactRows::make(std::span<ArticulatedBody* const> bodies, const StepSettings& settings,
                       TouchedLinks& links) {
  press(bodies, links);
  std::size_t used = 0, used_sides = 0;
  runs.clear();
  Directions directions;
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const ArticulatedBody::Work& w = bodies[a]->work();
    if (w.asleep) continue;
    const int group = links.group_of(int(a));
    std::bitset<kMaxPoints> taken;
    const double longer = w.memory_dt > 0 ? settings.dt / w.memory_dt : 1;
    for (std::size_t p = 0; p < w.points.size(); ++p) {
      const Meeting m = meeting_at(bodies, a, p, links);
      if (used == rows.size()) rows.emplace_back();
      if (used_sides + 2 > sides.size()) sides.resize(used_sides + 2);
      ContactRow& row = rows[used];
      row.side = static_cast<int>(used_sides);
      used_sides += m.on_b >= 0 ? 2 : 1;
      make_row(m, directions.of(m, links), links.members[std::size_t(group)], links, settings,
               &sides[std::size_t(row.side)], row);
      row.at = w.model->hard ? on_link(w, m.point) : Vec3::Zero();
      row.impulse = w.model->hard ? remembered_near(w, p, row.at, taken) : remembered(w, p);
      for (double& impulse : row.impulse) impulse *= longer;
      add_to(runs, m, group, static_cast<int>(used), links);
      ++used;
    }
  }
  std::sort(runs.begin(), runs.end(), [](const ContactRun& a, const ContactRun& b) {
    return a.group != b.group ? a.group < b.group : a.first < b.first;
  });
}

void ContactRows::start_warm(const ContactRun& run, TouchedLinks& links) const {
  Spatial on_a, on_b;
  Spatial& velocity_a = links.touched[std::size_t(run.a)].velocity;
  for (int r = run.first; r < run.end; ++r) {
    const ContactRow& row = rows[std::size_t(r)];
    const ContactSide* side = &sides[std::size_t(row.side)];
    for (std::size_t k = 0; k < 3; ++k) {
      velocity_a.add(side[0].answer[k], row.impulse[k]);
      on_a.add(side[0].along[k], row.impulse[k] * row.mass[k]);
      if (run.b < 0) continue;
      links.touched[std::size_t(run.b)].velocity.add(side[1].answer[k], row.impulse[k]);
      on_b.add(side[1].along[k], row.impulse[k] * row.mass[k]);
    }
  }
  links.hand_on(run.a, on_a);
  if (run.b >= 0) links.hand_on(run.b, on_b);
}

double ContactRows::sweep(std::span<const ContactRun> group, TouchedLinks& links) {
  double greatest = 0;
  for (const ContactRun& run : group) {
    double change = 0;
    if (run.b < 0) {
      change = run.alone ? solve_run<false, true>(rows, sides, run, links)
                         : solve_run<false, false>(rows, sides, run, links);
    } else {
      change = run.alone ? solve_run<true, true>(rows, sides, run, links)
                         : solve_run<true, false>(rows, sides, run, links);
    }
    greatest = std::max(greatest, change);
  }
  return greatest;
}

void ContactRows::resist_rolling(TouchedLinks& links) const {
  for (const ContactRun& run : runs) {
    double normal = 0;
    if (run.rolling > 0) {
      for (int r = run.first; r < run.end; ++r) normal += rows[std::size_t(r)].impulse[0];
    }
    if (normal == 0) continue;
    Vec3 turning = links.touched[std::size_t(run.a)].velocity.angular();
    if (run.b >= 0) turning -= links.touched[std::size_t(run.b)].velocity.angular();
    const double rate = turning.norm();
    if (!(rate > 0)) continue;
    const Spatial about(turning / rate, Vec3::Zero());
    double answer = dot(about, links.own_response(run.a) * about);
    if (run.b >= 0) answer += dot(about, links.own_response(run.b) * about);
    const Spatial torque = about * -std::min(run.rolling * normal, rate / answer);
    links.give(run.a, torque);
    links.impulses[std::size_t(run.a)] += torque;
    if (run.b < 0) continue;
    links.give(run.b, torque * -1);
    links.impulses[std::size_t(run.b)] += torque * -1;
  }
}

void ContactRows::finish(std::span<ArticulatedBody* const> bodies, const StepSettings& settings,
                         TouchedLinks& links) {
  for (const ContactRun& run : runs) {
    for (int r = run.first; r < run.end; ++r) {
      ContactRow& row = rows[std::size_t(r)];
      const ContactSide* side = &sides[std::size_t(row.side)];
      Spatial on_a;
      for (std::size_t k = 0; k < 3; ++k) {
        const double size = row.impulse[k] * row.mass[k];
        on_a.add(side[0].along[k], size);
        if (run.b >= 0) links.impulses[std::size_t(run.b)].add(side[1].along[k], size);
      }
      links.impulses[std::size_t(run.a)] += on_a;
      row.whole = on_a.linear();
    }
  }
  std::size_t r = 0;
  for (ArticulatedBody* body : bodies) {
    ArticulatedBody::Work& w = body->work();
    if (w.asleep) continue;
    w.memory.clear();
    w.memory_dt = settings.dt;
    for (std::size_t p = 0; p < w.points.size(); ++p, ++r) {
      w.points[p].force = rows[r].whole / settings.dt;
      w.memory.push_back({w.keys[p], rows[r].impulse, rows[r].at});
      if (w.partner[p] < 0) continue;
      ArticulatedBody::Work& other = bodies[std::size_t(w.partner[p])]->work();
      if (other.asleep) other.pressed += rows[r].whole.norm();
    }
  }
}

}  // namespace promenade::physics
