#include "physics/constraints/tie_rows.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "math/rotation.h"

namespace promenade::physics {
namespace {

constexpr double kStiffRate = 480;    // 1/s, of ties without a stiffness of their own
constexpr double kFastestPull = 2.0;  // m/s, the fastest that a stiff tie pulls together

/// Impulse = -h (k x + d0 v0 + d1 v1): see Tie.
struct SpringAndDamper {
  double k = 0, d0 = 0, d1 = 0;
};

/// Law: the closed form of m x'' = -k x - d x' gives x_{n+1} = p x_n - q x_{n-1}, x_n at the end of
///      step n of length h, with q = exp(-d h / m), 1 + q - p = 1 - 2 exp(-d h / 2m) cos(w h) + q
///      and w the frequency of the damped oscillation. A step that moves by the speed at its end
///      gives the same x_n if 1 + h d1 / m = h^2 k / m / (1 + q - p) = A and 1 - h d0 / m = q A.
/// @param mass that the ends show along the row, kg (or kg m^2)
SpringAndDamper fitted(double mass, double k, double d, double h) {
  constexpr double kFastest = 2;  // rad a step: faster oscillations are damped instead of followed
  const double square = k * h * h / mass;  // square of the undamped phase in a step, rad^2
  double half = 0.5 * d * h / mass;        // decay of the amplitude in a step
  if (square > half * half + kFastest * kFastest) half = std::sqrt(square - kFastest * kFastest);
  const double q = std::exp(-2 * half);
  double pull = 0;  // 1 + q - p
  if (square > half * half) {
    pull = 1 - 2 * std::exp(-half) * std::cos(std::sqrt(square - half * half)) + q;
  } else {
    const double apart = std::sqrt(half * half - square);
    pull = std::expm1(-half - apart) * std::expm1(-square / (half + apart));
  }
  const double by = square / pull;
  return {k, mass * (1 - q * by) / h, mass * (by - 1) / h};
}

/// Plan of a row: a force along a direction, or a torque about it.
struct RowPlan {
  int slot = 0;
  Vec3 direction;
  double apart = 0;  // m or rad
};

/// The planned rows of a tie, and where its forces act.
struct TiePlan {
  std::array<RowPlan, kMaxTieRows> rows;
  int count = 0, linear = 0;
  Vec3 on_a, on_b;  // world

  void add(int slot, const Vec3& direction, double apart) {
    rows[std::size_t(count++)] = {slot, direction, apart};
  }
};

/// Whether b is a rail in the world on which a slides. Then the directions across are those of the
/// rail: far along it, the lever to its origin would make the body too light to be held across it.
bool slides_on_rail(const Tie& tie) {
  return tie.kind == TieKind::kSlider && tie.b.body == nullptr;
}

TiePlan plan_of(const Tie& tie) {
  TiePlan plan;
  const Pose a = tie.a.in_world(), b = tie.b.in_world();
  const bool on_rail = slides_on_rail(tie);
  const Mat3 axes = (on_rail ? b : a).rotation.toRotationMatrix();
  const Vec3 apart = a.position - b.position;
  plan.on_a = a.position;
  plan.on_b = b.position;
  if (tie.kind == TieKind::kSpring) {
    const double distance = apart.norm();
    const Vec3 line = distance > 0 ? Vec3(apart / distance) : Vec3::UnitZ();
    plan.add(0, line, distance - tie.length);
    plan.linear = 1;
    return plan;
  }
  // The directions across a slider turn with one end, so the force acts at the position of the
  // other.
  if (tie.kind == TieKind::kSlider)
    (on_rail ? plan.on_b : plan.on_a) = on_rail ? a.position : b.position;
  for (int k = tie.kind == TieKind::kSlider ? 1 : 0; k < 3; ++k) {
    plan.add(k, axes.col(k), axes.col(k).dot(apart));
  }
  plan.linear = plan.count;
  if (tie.kind == TieKind::kBall) {
    for (int k = 0; k < 3 && tie.turn_damping > 0; ++k) plan.add(3 + k, axes.col(k), 0);
    return plan;
  }
  if (tie.kind == TieKind::kHinge) {
    const Vec3 turn = (b.rotation * Vec3::UnitX()).cross(axes.col(0));
    for (int k = 1; k < 3; ++k) plan.add(3 + k, axes.col(k), axes.col(k).dot(turn));
    return plan;
  }
  const Vec3 turn = rotation_vector(a.rotation * b.rotation.conjugate());
  for (int k = 0; k < 3; ++k) plan.add(3 + k, axes.col(k), axes.col(k).dot(turn));
  return plan;
}

/// Velocities of an end at the start of the step, and the given velocities of an end in the world.
struct EndMotion {
  Vec3 velocity = Vec3::Zero(), omega = Vec3::Zero();
};

EndMotion motion_of(const TieEnd& end, const Vec3& point) {
  if (end.body == nullptr) {
    return {end.velocity + end.omega.cross(point - end.frame.position), end.omega};
  }
  const ArticulatedBody::Work& w = end.body->work();
  if (w.asleep) return {};
  const LinkMotion& m = w.links[std::size_t(end.link)];
  return {velocity_at(m, point), m.omega};
}

int touched_at(const TieEnd& end, const TouchedLinks& links) {
  return end.body == nullptr ? -1 : links.at(end.body->work().place, end.link);
}

void fill_side(TieSide& side, const TieEnd& end, const TiePlan& plan, const Vec3& point,
               double sign) {
  if (side.at < 0) return;
  const Vec3 lever = point - end.body->work().state.root.position;
  for (int r = 0; r < plan.count; ++r) {
    const Vec3 along = sign * plan.rows[std::size_t(r)].direction;
    side.along[std::size_t(r)] =
        r < plan.linear ? Spatial(lever.cross(along), along) : Spatial(along, Vec3::Zero());
  }
}

using Square = std::array<std::array<double, kMaxTieRows>, kMaxTieRows>;

/// Adds velocities of the rows of `to` for unit impulses on `from`.
void add_answers(const TieSide& to, const TieSide& from, const SpatialMatrix& response, int count,
                 Square& out) {
  for (std::size_t c = 0; c < std::size_t(count); ++c) {
    const Spatial answer = response * from.along[c];
    for (std::size_t r = 0; r < std::size_t(count); ++r) out[r][c] += dot(to.along[r], answer);
  }
}

Square answers_of(const TieBlock& block, const TouchedLinks& links) {
  Square out{};
  const TieSide &a = block.a, &b = block.b;
  if (a.at >= 0) add_answers(a, a, links.own_response(a.at), block.count, out);
  if (b.at >= 0) add_answers(b, b, links.own_response(b.at), block.count, out);
  if (a.at < 0 || b.at < 0) return out;
  const int body = links.touched[std::size_t(a.at)].body;
  if (body != links.touched[std::size_t(b.at)].body) return out;
  const TouchedLinks::Member& m = links.members[std::size_t(body)];
  add_answers(a, b, links.response(m, a.at, b.at), block.count, out);
  add_answers(b, a, links.response(m, b.at, a.at), block.count, out);
  return out;
}

/// L D L^T in place: see TieBlock::factor.
void factorize(Square& m, int count) {
  const auto n = std::size_t(count);
  for (std::size_t j = 0; j < n; ++j) {
    double d = m[j][j];
    for (std::size_t k = 0; k < j; ++k) d -= m[j][k] * m[j][k] / m[k][k];
    m[j][j] = 1 / d;
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = m[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= m[i][k] * m[j][k] / m[k][k];
      m[i][j] = sum * m[j][j];
    }
  }
}

/// Solves in place with what factorize left.
void solve_factored(const Square& m, int count, std::array<double, kMaxTieRows>& x) {
  const auto n = std::size_t(count);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= m[i][k] * x[k];
  }
  for (std::size_t i = 0; i < n; ++i) x[i] *= m[i][i];
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= m[k][i] * x[k];
  }
}

/// The impulse on a side's link for changes of the rows' impulses.
Spatial sum_of(const TieSide& side, const std::array<double, kMaxTieRows>& size, int count) {
  Spatial out;
  for (std::size_t r = 0; r < std::size_t(count); ++r) out.add(side.along[r], size[r]);
  return out;
}

/// Size of the impulse of the rows from `begin` to before `end`.
double size_of(const TieBlock& block, int begin, int end) {
  double square = 0;
  for (auto r = std::size_t(begin); r < std::size_t(end); ++r) {
    square += block.impulse[r] * block.impulse[r];
  }
  return std::sqrt(square);
}

double linear_size(const TieBlock& block) { return size_of(block, 0, block.linear); }

void keep_within(TieBlock& block, int begin, int end, double limit) {
  if (limit == 0) return;
  const double size = size_of(block, begin, end);
  if (size <= limit) return;
  for (auto r = std::size_t(begin); r < std::size_t(end); ++r) block.impulse[r] *= limit / size;
}

/// Keeps the impulses within the tie's limits.
void keep_within_limit(TieBlock& block) {
  keep_within(block, 0, block.linear, block.limit);
  keep_within(block, block.linear, block.count, block.turn_limit);
}

/// Removes rows along which nothing can move, such as across the plane of a planar body.
void drop_fixed_rows(TieBlock& block, TiePlan& plan) {
  constexpr double kNone = 1e-9;  // share of the other rows' answer that counts as none
  double linear = 0, turning = 0;
  for (int r = 0; r < plan.count; ++r) {
    (r < plan.linear ? linear : turning) += block.factor[std::size_t(r)][std::size_t(r)];
  }
  int kept = 0, kept_linear = 0;
  std::array<std::size_t, kMaxTieRows> from{};
  for (int r = 0; r < plan.count; ++r) {
    const double answer = block.factor[std::size_t(r)][std::size_t(r)];
    if (!(answer > kNone * (r < plan.linear ? linear : turning))) continue;
    from[std::size_t(kept++)] = std::size_t(r);
    kept_linear += r < plan.linear;
  }
  for (std::size_t r = 0; r < std::size_t(kept); ++r) {
    plan.rows[r] = plan.rows[from[r]];
    block.a.along[r] = block.a.along[from[r]];
    block.b.along[r] = block.b.along[from[r]];
    for (std::size_t c = 0; c < std::size_t(kept); ++c) {
      block.factor[r][c] = block.factor[from[r]][from[c]];
    }
  }
  plan.count = kept;
  plan.linear = kept_linear;
}

/// Mass that each row shows while all others hold, kg (or kg m^2): the diagonal of the inverse of
/// the rows' answers. A body on a long lever shows little mass along a row alone, as it can turn
/// away, but all of it where its rotation is held, too.
std::array<double, kMaxTieRows> held_masses(const Square& answers, int count) {
  constexpr double kMost = 1e6;  // times the mass alone, at most, as some rows hardly move alone
  Square factor = answers;
  factorize(factor, count);
  std::array<double, kMaxTieRows> out{};
  for (std::size_t r = 0; r < std::size_t(count); ++r) {
    std::array<double, kMaxTieRows> unit{};
    unit[r] = 1;
    solve_factored(factor, count, unit);
    const double alone = 1 / answers[r][r];
    out[r] = unit[r] >= alone ? std::min(unit[r], kMost * alone) : alone;
  }
  return out;
}

/// Adds springs and dampers to all rows. @pre the diagonal of `factor` holds the rows' answers
void soften(TieBlock& block, const TiePlan& plan, const StepSettings& settings) {
  const Tie& tie = *block.tie;
  const double h = settings.dt;
  const EndMotion a = motion_of(tie.a, plan.on_a), b = motion_of(tie.b, plan.on_b);
  const bool stiff = tie.stiffness == 0;
  const std::array<double, kMaxTieRows> held =
      stiff ? held_masses(block.factor, plan.count) : std::array<double, kMaxTieRows>{};
  // Angular rows get the same frequency and damping ratio as linear ones.
  double linear_mass = 0;
  for (std::size_t r = 0; r < std::size_t(plan.linear); ++r) {
    linear_mass += 1 / block.factor[r][r] / plan.linear;
  }
  for (std::size_t r = 0; r < std::size_t(plan.count); ++r) {
    const bool turning = r >= std::size_t(plan.linear);
    const RowPlan& row = plan.rows[r];
    if (turning && tie.kind == TieKind::kBall) {  // a damper alone
      block.give[r] = 1 / (h * tie.turn_damping);
      block.wanted[r] = row.direction.dot(tie.turn_rate);
      continue;
    }
    const double mass = stiff ? held[r] : 1 / block.factor[r][r];
    const double scale = turning && linear_mass > 0 ? mass / linear_mass : 1;
    const double k = stiff ? mass * kStiffRate * kStiffRate : tie.stiffness * scale;
    const double d = tie.damping > 0 ? tie.damping * scale : 2 * std::sqrt(k * mass);
    const SpringAndDamper spring = fitted(mass, k, d, h);
    const double v0 =
        row.direction.dot(turning ? Vec3(a.omega - b.omega) : Vec3(a.velocity - b.velocity));
    double together = -spring.k * row.apart / spring.d1;
    if (stiff && !turning) together = std::clamp(together, -kFastestPull, kFastestPull);
    block.give[r] = 1 / (h * spring.d1);
    block.wanted[r] = together - spring.d0 * v0 / spring.d1;
    // The velocity of an end in the world is given.
    for (const auto& [end, motion, sign] :
         {std::tuple(&tie.a, &a, 1.0), std::tuple(&tie.b, &b, -1.0)}) {
      if (end->body != nullptr) continue;
      block.wanted[r] -= sign * row.direction.dot(turning ? motion->omega : motion->velocity);
    }
  }
  double turning_mass = 0;
  for (std::size_t r = std::size_t(plan.linear); r < std::size_t(plan.count); ++r) {
    turning_mass += 1 / block.factor[r][r] / (plan.count - plan.linear);
  }
  block.gyration = turning_mass > 0 && linear_mass > 0 ? std::sqrt(turning_mass / linear_mass) : 1;
  for (std::size_t r = 0; r < std::size_t(plan.count); ++r) block.factor[r][r] += block.give[r];
}

void fill(TieBlock& block, const StepSettings& settings, const TouchedLinks& links) {
  const Tie& tie = *block.tie;
  TiePlan plan = plan_of(tie);
  block.count = plan.count;
  fill_side(block.a, tie.a, plan, plan.on_a, 1);
  fill_side(block.b, tie.b, plan, plan.on_b, -1);
  block.factor = answers_of(block, links);
  drop_fixed_rows(block, plan);
  block.count = plan.count;
  block.linear = plan.linear;
  const double longer = tie.impulse_dt > 0 ? settings.dt / tie.impulse_dt : 0;
  for (std::size_t r = 0; r < std::size_t(plan.count); ++r) {
    block.slot[r] = plan.rows[r].slot;
    block.direction[r] = plan.rows[r].direction;
    block.impulse[r] = tie.impulse[std::size_t(block.slot[r])] * longer;
  }
  soften(block, plan, settings);
  factorize(block.factor, block.count);
  const double greatest = tie.limit > 0 && tie.break_force > 0
                              ? std::min(tie.limit, tie.break_force)
                              : std::max(tie.limit, tie.break_force);
  block.limit = greatest * settings.dt;
  block.turn_limit = tie.turn_limit * settings.dt;
  keep_within_limit(block);
}

}  // namespace

void TieRows::join(std::span<Tie* const> ties, TouchedLinks& links) {
  for (const Tie* tie : ties) {
    const int a = touched_at(tie->a, links), b = touched_at(tie->b, links);
    if (a < 0 || b < 0) continue;
    links.join(links.touched[std::size_t(a)].body, links.touched[std::size_t(b)].body);
  }
}

void TieRows::make(std::span<Tie* const> ties, const StepSettings& settings, TouchedLinks& links) {
  blocks.clear();
  for (Tie* tie : ties) {
    const int a = touched_at(tie->a, links), b = touched_at(tie->b, links);
    if (tie->broken || a == b) continue;  // both fixed, or on the same link
    TieBlock& block = blocks.emplace_back();
    block.tie = tie;
    block.a.at = a;
    block.b.at = b;
    block.group = links.group_of(links.touched[std::size_t(a >= 0 ? a : b)].body);
    fill(block, settings, links);
  }
  // Insertion sort: there are few ties, and it keeps their order within a group without a buffer.
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    for (std::size_t k = i; k > 0 && blocks[k].group < blocks[k - 1].group; --k) {
      std::swap(blocks[k], blocks[k - 1]);
    }
  }
}

void TieRows::start_warm(const TieBlock& block, TouchedLinks& links) {
  for (const TieSide* side : {&block.a, &block.b}) {
    if (side->at >= 0) links.give(side->at, sum_of(*side, block.impulse, block.count));
  }
}

double TieRows::solve(TieBlock& block, TouchedLinks& links) {
  const auto count = std::size_t(block.count);
  std::array<double, kMaxTieRows> change{};
  double greatest = 0;
  for (std::size_t r = 0; r < count; ++r) {
    double moving = 0;
    for (const TieSide* side : {&block.a, &block.b}) {
      if (side->at >= 0) {
        moving += dot(side->along[r], links.touched[std::size_t(side->at)].velocity);
      }
    }
    change[r] = block.wanted[r] - moving - block.give[r] * block.impulse[r];
    const double speed = std::abs(change[r]) * (int(r) < block.linear ? 1 : block.gyration);
    greatest = std::max(greatest, speed);
  }
  // A body whose state is not finite must not reach others.
  if (!(greatest < 1e9)) return 0;
  solve_factored(block.factor, block.count, change);
  const std::array<double, kMaxTieRows> before = block.impulse;
  for (std::size_t r = 0; r < count; ++r) block.impulse[r] += change[r];
  keep_within_limit(block);
  bool moved = false;
  for (std::size_t r = 0; r < count; ++r) {
    change[r] = block.impulse[r] - before[r];
    moved = moved || std::abs(change[r]) > 1e-12 * std::abs(before[r]);
  }
  for (const TieSide* side : {&block.a, &block.b}) {
    if (side->at >= 0) links.give(side->at, sum_of(*side, change, block.count));
  }
  return moved ? greatest : 0;  // a tie at its limit cannot bring its ends to rest
}

void TieRows::finish(const StepSettings& settings, TouchedLinks& links) {
  for (TieBlock& block : blocks) {
    Tie& tie = *block.tie;
    for (const TieSide* side : {&block.a, &block.b}) {
      if (side->at < 0) continue;
      links.impulses[std::size_t(side->at)] += sum_of(*side, block.impulse, block.count);
    }
    tie.impulse.fill(0);
    tie.impulse_dt = settings.dt;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (std::size_t r = 0; r < std::size_t(block.count); ++r) {
      tie.impulse[std::size_t(block.slot[r])] = block.impulse[r];
      (int(r) < block.linear ? force : torque) += block.direction[r] * block.impulse[r];
    }
    if (tie.kind == TieKind::kSlider && !slides_on_rail(tie)) {
      torque += (tie.b.in_world().position - tie.a.in_world().position).cross(force);
    }
    for (const TieEnd* end : {&tie.a, &tie.b}) {
      if (end->body != nullptr && end->body->work().asleep) {
        end->body->work().pressed += force.norm();
      }
    }
    tie.force += force;
    tie.torque += torque;
    const double most = tie.break_force * settings.dt * (1 - 1e-9);
    if (tie.break_force > 0 && linear_size(block) >= most) tie.broken = true;
  }
}

}  // namespace promenade::physics
