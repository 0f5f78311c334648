// Projected Gauss-Seidel over all contacts of an island, in the coordinates z = D^1/2 L v in which
// every body's (servoed) mass matrix is the identity. A row touches only its chain to the root, so
// an iteration costs a few dozen multiplications, with or without contact between bodies.
// Soft contacts: Catto 2011, "Soft constraints", with stiffness and damping a second, not a step.
#include <algorithm>
#include <cmath>

#include "physics/work.h"

namespace promenade::physics {
namespace {

constexpr double kMaxCorrection = 1.0;  // m/s, the fastest that overlap is pushed out
constexpr double kBodyFriction = 0.4;   // between characters

thread_local std::vector<ContactRow> rows;

/// y = D^-1/2 L^-T J^T over a chain, J the velocity of `point` along `direction`.
void make_row(const ArticulatedBody::Work& w, const Chain& chain, const Vec3& point,
              const Vec3& direction, double sign, double* y) {
  const int n = w.model->dof_count;
  const Vec3 moment = (point - w.origin).cross(direction);
  for (int i = 0; i < chain.count; ++i) {
    const Spatial& axis = w.axes[chain.dof[i]];
    y[i] = sign * (axis.angular.dot(moment) + axis.linear.dot(direction));
  }
  for (int i = 0; i < chain.count; ++i) {
    const double* l = w.factor.data() + chain.dof[i] * n;
    for (int j = i + 1; j < chain.count; ++j) y[j] -= l[chain.dof[j]] * y[i];
    y[i] /= w.root_d[chain.dof[i]];
  }
}

double velocity_along(const double* y, const std::int16_t* chain, int count, const double* z) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += y[i] * z[chain[i]];
  return sum;
}

void apply(const double* y, const std::int16_t* chain, int count, double impulse, double* z) {
  for (int i = 0; i < count; ++i) z[chain[i]] += y[i] * impulse;
}

struct Pair {
  double* z_a;
  double* z_b;
};

double row_velocity(const ContactRow& row, int k, const Pair& z) {
  double v = velocity_along(row.y_a[k].data(), row.chain_a, row.count_a, z.z_a);
  if (row.b >= 0) v += velocity_along(row.y_b[k].data(), row.chain_b, row.count_b, z.z_b);
  return v;
}

void apply_row(const ContactRow& row, int k, double impulse, const Pair& z) {
  apply(row.y_a[k].data(), row.chain_a, row.count_a, impulse, z.z_a);
  if (row.b >= 0) apply(row.y_b[k].data(), row.chain_b, row.count_b, impulse, z.z_b);
}

Pair pair_of(std::span<ArticulatedBody* const> bodies, const ContactRow& row) {
  return {bodies[row.a]->work().z.data(), row.b >= 0 ? bodies[row.b]->work().z.data() : nullptr};
}

void make_rows(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
               const StepSettings& settings) {
  const double h = settings.dt;
  const double give = h * settings.contact_stiffness + settings.contact_damping;
  rows.clear();
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    ArticulatedBody::Work& w = bodies[a]->work();
    for (std::size_t p = 0; p < w.points.size(); ++p) {
      const ContactPoint& point = w.points[p];
      ContactRow& row = rows.emplace_back();
      row.point = static_cast<int>(p);
      row.a = static_cast<int>(a);
      row.b = w.partner[p];
      const Chain& chain_a = w.chains[point.link];
      row.chain_a = chain_a.dof.data();
      row.count_a = chain_a.count;
      row.friction = point.on_ground ? terrain.friction() : kBodyFriction;
      row.softness = 1 / (h * give);
      row.target = point.depth > 0
                       ? std::min(kMaxCorrection, settings.contact_stiffness * point.depth / give)
                       : point.depth / h;
      const Vec3 n = point.normal;
      const Vec3 t1 = (std::abs(n.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY()).cross(n).normalized();
      row.direction = {n, t1, n.cross(t1)};
      row.impulse = {};
      for (const RememberedImpulse& old : w.memory) {
        if (old.key == w.keys[p]) row.impulse = old.impulse;
      }
      const Chain* chain_b = nullptr;
      if (row.b >= 0) {
        chain_b = &bodies[row.b]->work().chains[w.partner_link[p]];
        row.chain_b = chain_b->dof.data();
        row.count_b = chain_b->count;
      }
      for (int k = 0; k < 3; ++k) {
        make_row(w, chain_a, point.position, row.direction[k], 1, row.y_a[k].data());
        double mass = k == 0 ? row.softness : 0;
        for (int i = 0; i < row.count_a; ++i) mass += row.y_a[k][i] * row.y_a[k][i];
        if (chain_b) {
          make_row(bodies[row.b]->work(), *chain_b, point.position, row.direction[k], -1,
                   row.y_b[k].data());
          for (int i = 0; i < row.count_b; ++i) mass += row.y_b[k][i] * row.y_b[k][i];
        }
        row.inverse_mass[k] = 1 / mass;
      }
    }
  }
}

void solve_row(ContactRow& row, const Pair& z) {
  const double wanted = row.target - row.softness * row.impulse[0];
  const double normal =
      std::max(0.0, row.impulse[0] + (wanted - row_velocity(row, 0, z)) * row.inverse_mass[0]);
  apply_row(row, 0, normal - row.impulse[0], z);
  row.impulse[0] = normal;

  const std::array<double, 2> before{row.impulse[1], row.impulse[2]};
  std::array<double, 2> after;
  for (int k = 0; k < 2; ++k) {
    after[k] = before[k] - row_velocity(row, k + 1, z) * row.inverse_mass[k + 1];
  }
  const double limit = row.friction * normal;
  const double size = std::hypot(after[0], after[1]);
  const double scale = size > limit ? limit / size : 1;
  for (int k = 0; k < 2; ++k) {
    row.impulse[k + 1] = after[k] * scale;
    apply_row(row, k + 1, row.impulse[k + 1] - before[k], z);
  }
}

}  // namespace

void solve_contacts(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                    const StepSettings& settings) {
  make_rows(bodies, terrain, settings);
  for (ContactRow& row : rows) {
    const Pair z = pair_of(bodies, row);
    for (int k = 0; k < 3; ++k) apply_row(row, k, row.impulse[k], z);
  }
  for (int iteration = 0; iteration < settings.iterations; ++iteration) {
    for (ContactRow& row : rows) solve_row(row, pair_of(bodies, row));
  }
  for (ArticulatedBody* body : bodies) body->work().memory.clear();
  for (const ContactRow& row : rows) {
    ArticulatedBody::Work& w = bodies[row.a]->work();
    ContactPoint& point = w.points[row.point];
    point.force.setZero();
    for (int k = 0; k < 3; ++k) point.force += row.direction[k] * (row.impulse[k] / settings.dt);
    w.memory.push_back({w.keys[row.point], row.impulse});
  }
}

}  // namespace promenade::physics
