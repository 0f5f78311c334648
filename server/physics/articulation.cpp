#include "physics/articulation.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "physics/gravity.h"

namespace promenade::physics {
namespace {

/// A body that rests on four points presses them in by no more than this share of its size.
constexpr double kDeepest = 0.015;

/// Radius of gyration r of the moving links about their centre of mass in the zero pose, m.
/// Law: r^2 = (sum of m |p - com|^2 + half the trace of the inertia) / (sum of m), over the links,
///      m mass and p position of a link's centre of mass
double radius_of_gyration(const ArticulationModel& model) {
  if (model.total_mass <= 0) return 0;  // nothing moves
  std::array<Vec3, kMaxLinks> at;       // centres of mass of the links
  Vec3 com = Vec3::Zero();
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    at[i] = i > 0 ? Vec3(at[std::size_t(link.parent)] + link.at_parent - link.at_child)
                  : Vec3(Vec3::Zero());
    if (link.joint != JointKind::kFixed) com += link.mass / model.total_mass * at[i];
  }
  double second = 0;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    if (link.joint == JointKind::kFixed) continue;
    second += link.mass * (at[i] - com).squaredNorm() + 0.5 * link.inertia.sum();
  }
  return std::sqrt(second / model.total_mass);
}

/// The least extent of a shape, m.
double thickness_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::kBox) return 2 * shape.b.minCoeff();
  const double across = 2 * shape.radius;
  if (shape.kind != Shape::Kind::kCylinder) return across;
  return std::min(across, (shape.b - shape.a).norm());
}

/// Contacts of large bodies are harder: stiff enough to carry them, and with the same damping ratio
/// as those of people.
void set_contacts(ArticulationModel& model) {
  constexpr double kHeaviest = 250;  // kg; larger bodies get more damping
  const double mass = model.total_mass;
  const double deepest = kDeepest * model.size;
  model.stiffness_scale = std::max(1.0, mass * kGravity / (4 * kContactStiffness * deepest));
  model.damping_scale =
      model.stiffness_scale * std::max(1.0, std::sqrt(mass / (model.stiffness_scale * kHeaviest)));
}

/// Stops of a creature's joints give way like ligaments: their stiffness grows with the weight and,
/// for bodies larger than people, with the lever. Joints of bodies that are tied to the world
/// (a door, a swing) and all sliders stop as hard as faces that touch, critically damped.
void set_stops(ArticulationModel& model) {
  constexpr double kLargest = 1.5;  // m; stops of larger bodies get stiffer
  const double lever = std::max(1.0, model.size / kLargest), square = model.size * model.size;
  const double stiffness = model.stiffness_scale * kContactStiffness;
  const double damping = 2 * std::sqrt(stiffness * model.total_mass);
  const bool tied = model.links[0].joint == JointKind::kFixed;
  for (LinkModel& link : model.links) {
    if (link.stop_stiffness > 0) continue;
    if (type_of(link.joint).linear) {
      link.stop_stiffness = stiffness;
      link.stop_damping = damping;
    } else if (tied) {
      link.stop_stiffness = stiffness * square;
      link.stop_damping = damping * square;
    } else {
      link.stop_stiffness = 12 * model.total_mass * lever;
      link.stop_damping = 0.6 * model.total_mass * lever;
    }
  }
}

}  // namespace

void ArticulationModel::finish() {
  assert(!links.empty() && links.size() <= kMaxLinks && links[0].parent == -1);
  dof_parent.clear();
  total_mass = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    LinkModel& link = links[i];
    assert(i == 0 || (link.parent >= 0 && link.parent < static_cast<int>(i)));
    link.dof = static_cast<int>(dof_parent.size());
    int above = -1;
    if (i > 0) {
      const LinkModel& parent = links[link.parent];
      above = parent.dof + dof_of(parent.joint) - 1;
    }
    for (int k = 0; k < dof_of(link.joint); ++k) {
      dof_parent.push_back(k == 0 ? above : static_cast<int>(dof_parent.size()) - 1);
    }
    if (link.joint != JointKind::kFixed) total_mass += link.mass;
    link.reach = link.thickness = 0;
    for (const Shape& shape : link.shapes) {
      const double far = shape.kind == Shape::Kind::kBox
                             ? shape.a.norm() + shape.b.norm()
                             : std::max(shape.a.norm(), shape.b.norm()) + shape.radius;
      link.reach = std::max(link.reach, far);
      const double thin = thickness_of(shape);
      link.thickness = link.thickness > 0 ? std::min(link.thickness, thin) : thin;
    }
  }
  thinnest = std::numeric_limits<double>::infinity();
  for (const LinkModel& link : links) {
    if (link.thickness > 0) thinnest = std::min(thinnest, link.thickness);
  }
  dof_count = static_cast<int>(dof_parent.size());
  assert(dof_count <= kMaxDof);
  size = radius_of_gyration(*this);
  set_contacts(*this);
  set_stops(*this);
  by_the_middle = by_the_middle || links.size() == 1 || links[0].joint != JointKind::kFree;
}

}  // namespace promenade::physics
