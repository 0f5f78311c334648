// Projected Gauss-Seidel over all contacts of an island, in the coordinates z = D^1/2 L v in which
// every body's (servoed) mass matrix is the identity. A row touches only its chain to the root, so
// an iteration costs a few dozen multiplications, with or without contact between bodies.
// Soft contacts: Catto 2011, "Soft constraints", with stiffness and damping a second, not a step.
#include <algorithm>
#include <bit>
#include <cmath>

#include "physics/work.h"

namespace promenade::physics {
namespace {

constexpr double kMaxCorrection = 1.0;  // m/s, the fastest that overlap is pushed out
constexpr double kBodyFriction = 0.4;   // between characters

thread_local std::vector<ContactRow> rows;
thread_local std::vector<double> coefficients;  // of the sides of all rows

/// Writes y = D^-1/2 L^-T J^T of the three directions at `side.row`, J the velocity of `point`
/// along them times `sign`, and adds y.y to `mass`.
void make_side(const ArticulatedBody::Work& w, const ContactSide& side, const Vec3& point,
               const std::array<Vec3, 3>& direction, double sign, std::array<double, 3>& mass) {
  const Chain& chain = side.chain;
  double* normal = coefficients.data() + side.row;
  double* tangents = normal + chain.count;
  std::array<double, kMaxDof> y;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 moment = (point - w.origin).cross(direction[k]);
    for (int i = 0; i < chain.count; ++i) {
      const Spatial& axis = w.axes[chain.dof[i]];
      y[i] = sign * (axis.angular.dot(moment) + axis.linear.dot(direction[k]));
    }
    for (int i = 0; i < chain.count; ++i) {
      const double* l = w.factor.data() + w.row[chain.dof[i]];
      for (int j = 1; j < chain.count - i; ++j) y[i + j] -= l[j] * y[i];
      y[i] /= w.root_d[chain.dof[i]];
      mass[k] += y[i] * y[i];
    }
    for (int i = 0; i < chain.count; ++i) (k == 0 ? normal[i] : tangents[2 * i + k - 1]) = y[i];
  }
}

/// The part of z that a chain of coordinates has, side by side while rows on that chain are solved.
class LocalZ {
 public:
  void load(const ContactSide& side) {
    if (side.z == z_ && side.chain.dof == chain_.dof) return;
    store();
    z_ = side.z;
    chain_ = side.chain;
    for (int i = 0; i < chain_.count; ++i) value_[i] = z_[chain_.dof[i]];
  }
  void store() {
    for (int i = 0; i < chain_.count; ++i) z_[chain_.dof[i]] = value_[i];
    chain_ = {};
    z_ = nullptr;
  }

  double normal_velocity(const double* y) const {
    double sum = 0;
    for (int i = 0; i < chain_.count; ++i) sum += y[i] * value_[i];
    return sum;
  }
  std::array<double, 2> tangent_velocity(const double* y) const {
    y += chain_.count;
    double first = 0, second = 0;
    for (int i = 0; i < chain_.count; ++i) {
      first += y[2 * i] * value_[i];
      second += y[2 * i + 1] * value_[i];
    }
    return {first, second};
  }
  void push_normal(const double* y, double impulse) {
    for (int i = 0; i < chain_.count; ++i) value_[i] += y[i] * impulse;
  }
  void push_tangents(const double* y, double first, double second) {
    y += chain_.count;
    for (int i = 0; i < chain_.count; ++i) {
      value_[i] = (value_[i] + y[2 * i] * first) + y[2 * i + 1] * second;
    }
  }

 private:
  double* z_ = nullptr;
  Chain chain_;
  std::array<double, kMaxDof> value_;
};

ContactSide side_of(ArticulatedBody::Work& w, int link) {
  ContactSide side;
  side.chain = w.chains[link];
  side.z = w.z.data();
  side.row = coefficients.size();
  coefficients.resize(side.row + 3 * static_cast<std::size_t>(side.chain.count));
  return side;
}

/// Room for all contacts that the bodies can have, so that only an island of more bodies than any
/// before allocates. Memory that is never written to is none of the machine's.
void make_room(std::span<ArticulatedBody* const> bodies) {
  const std::size_t most = std::bit_ceil(bodies.size()) * kMaxPoints;
  if (rows.capacity() < most) rows.reserve(most);
  int longest = 0;
  for (ArticulatedBody* body : bodies) longest = std::max(longest, body->work().longest_chain);
  // Of a row the two sides, of a side the three directions.
  const std::size_t numbers = most * 2 * 3 * static_cast<std::size_t>(longest);
  if (coefficients.capacity() < numbers) coefficients.reserve(numbers);
}

void make_rows(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
               const StepSettings& settings) {
  const double h = settings.dt;
  const double give = h * settings.contact_stiffness + settings.contact_damping;
  rows.clear();
  coefficients.clear();
  make_room(bodies);
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    ArticulatedBody::Work& w = bodies[a]->work();
    for (std::size_t p = 0; p < w.points.size(); ++p) {
      const ContactPoint& point = w.points[p];
      ContactRow& row = rows.emplace_back();
      row.point = static_cast<int>(p);
      row.a = static_cast<int>(a);
      row.pair = w.partner[p] >= 0;
      row.friction = point.on_ground ? terrain.friction() : kBodyFriction;
      row.softness = 1 / (h * give);
      row.target = point.depth > 0
                       ? std::min(kMaxCorrection, settings.contact_stiffness * point.depth / give)
                       : point.depth / h;
      const Vec3 n = point.normal;
      const Vec3 t1 = (std::abs(n.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY()).cross(n).normalized();
      row.direction = {n, t1, n.cross(t1)};
      for (const RememberedImpulse& old : w.memory) {
        if (old.key == w.keys[p]) row.impulse = old.impulse;
      }
      std::array<double, 3> mass{row.softness, 0, 0};
      row.side_a = side_of(w, point.link);
      make_side(w, row.side_a, point.position, row.direction, 1, mass);
      if (row.pair) {
        ArticulatedBody::Work& other = bodies[w.partner[p]]->work();
        row.side_b = side_of(other, w.partner_link[p]);
        make_side(other, row.side_b, point.position, row.direction, -1, mass);
      }
      for (std::size_t k = 0; k < 3; ++k) row.inverse_mass[k] = 1 / mass[k];
    }
  }
}

/// The impulses of the last step, kept by points that are still there.
void start_warm(LocalZ& za, LocalZ& zb) {
  for (const ContactRow& row : rows) {
    za.load(row.side_a);
    const double* y_a = coefficients.data() + row.side_a.row;
    za.push_normal(y_a, row.impulse[0]);
    za.push_tangents(y_a, row.impulse[1], row.impulse[2]);
    if (!row.pair) continue;
    zb.load(row.side_b);
    const double* y_b = coefficients.data() + row.side_b.row;
    zb.push_normal(y_b, row.impulse[0]);
    zb.push_tangents(y_b, row.impulse[1], row.impulse[2]);
    za.store();
    zb.store();
  }
  za.store();
}

/// One step of Gauss-Seidel on a contact: the normal impulse, then friction within the cone.
void solve_row(ContactRow& row, LocalZ& za, LocalZ& zb) {
  const double* y_a = coefficients.data() + row.side_a.row;
  const double* y_b = coefficients.data() + row.side_b.row;
  double velocity = za.normal_velocity(y_a);
  if (row.pair) velocity += zb.normal_velocity(y_b);
  const double wanted = row.target - row.softness * row.impulse[0];
  const double normal = std::max(0.0, row.impulse[0] + (wanted - velocity) * row.inverse_mass[0]);
  const double change = normal - row.impulse[0];
  row.impulse[0] = normal;
  if (change != 0) {
    za.push_normal(y_a, change);
    if (row.pair) zb.push_normal(y_b, change);
  }

  const std::array<double, 2> before{row.impulse[1], row.impulse[2]};
  std::array<double, 2> after{0, 0};
  if (normal > 0) {
    std::array<double, 2> slip = za.tangent_velocity(y_a);
    if (row.pair) {
      const std::array<double, 2> other = zb.tangent_velocity(y_b);
      for (std::size_t k = 0; k < 2; ++k) slip[k] += other[k];
    }
    for (std::size_t k = 0; k < 2; ++k) after[k] = before[k] - slip[k] * row.inverse_mass[k + 1];
    const double limit = row.friction * normal;
    // std::hypot is slow, and needed only at the edge of the cone and beyond.
    const double square = after[0] * after[0] + after[1] * after[1];
    if (!(square < 0.999999 * limit * limit)) {
      const double size = std::hypot(after[0], after[1]);
      const double scale = size > limit ? limit / size : 1;
      for (double& impulse : after) impulse *= scale;
    }
  }
  row.impulse[1] = after[0];
  row.impulse[2] = after[1];
  const double first = after[0] - before[0], second = after[1] - before[1];
  if (first == 0 && second == 0) return;
  za.push_tangents(y_a, first, second);
  if (row.pair) zb.push_tangents(y_b, first, second);
}

void iterate(LocalZ& za, LocalZ& zb) {
  for (ContactRow& row : rows) {
    za.load(row.side_a);
    if (row.pair) zb.load(row.side_b);
    solve_row(row, za, zb);
    // The other body's rows may read these coordinates next.
    if (row.pair) {
      za.store();
      zb.store();
    }
  }
  za.store();
}

}  // namespace

void solve_contacts(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                    const StepSettings& settings) {
  make_rows(bodies, terrain, settings);
  LocalZ za, zb;
  start_warm(za, zb);
  for (int iteration = 0; iteration < settings.iterations; ++iteration) iterate(za, zb);
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
