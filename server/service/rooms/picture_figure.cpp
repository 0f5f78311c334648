#include "service/rooms/picture_figure.h"

#include <algorithm>
#include <cmath>

#include "creature/pose.h"

namespace promenade::service {
namespace {

using physics::JointKind;
using physics::LinkModel;
using physics::Shape;

constexpr double kShortest = 0.08;  // share of the body's reach: shorter bones are left out

// The ends of a shape's longest line, in the link's frame.
std::pair<Vec3, Vec3> ends_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::kBox: {
      Eigen::Index axis = 0;
      shape.b.maxCoeff(&axis);
      const Vec3 half = shape.b[axis] * Vec3::Unit(axis);
      return {shape.a - half, shape.a + half};
    }
    case Shape::Kind::kSphere:
      return {shape.a, shape.a};
    case Shape::Kind::kCapsule:
    case Shape::Kind::kCylinder:
      break;
  }
  return {shape.a, shape.b};
}

// Half the thickness of a shape across its longest line, m.
double thickness_of(const Shape& shape) {
  if (shape.kind != Shape::Kind::kBox) return shape.radius;
  Vec3 half = shape.b;
  std::sort(half.data(), half.data() + 3);
  return std::sqrt(half[0] * half[1]);
}

double length_of(const Shape& shape) {
  const auto [a, b] = ends_of(shape);
  return (b - a).norm() + 2 * (shape.kind == Shape::Kind::kBox ? 0 : shape.radius);
}

const Shape* largest_of(const LinkModel& link) {
  const auto found =
      std::max_element(link.shapes.begin(), link.shapes.end(),
                       [](const Shape& a, const Shape& b) { return length_of(a) < length_of(b); });
  return found == link.shapes.end() ? nullptr : &*found;
}

bool is_ball(const Shape& shape) {
  const auto [a, b] = ends_of(shape);
  return shape.kind != Shape::Kind::kBox && (b - a).norm() < 1.2 * shape.radius;
}

// Where the link ends that begins at `from`, m in its frame.
Vec3 tip_of(const Shape& shape, const Vec3& from) {
  const auto [a, b] = ends_of(shape);
  return is_ball(shape) ? Vec3((a + b) / 2) : (a - from).norm() > (b - from).norm() ? a : b;
}

// No point of the body is further from the root's origin, m; sliders count as they are in files.
double reach_of(const std::vector<LinkModel>& links) {
  std::vector<double> until(links.size(), 0);  // the joint of each link
  double reach = 1e-3;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkModel& link = links[i];
    const Vec3 begin = i == 0 ? Vec3::Zero() : link.at_child;
    if (i > 0) {
      const auto parent = static_cast<std::size_t>(link.parent);
      const Vec3 from = parent == 0 ? Vec3::Zero() : links[parent].at_child;
      until[i] = until[parent] + (link.at_parent - from).norm();
    }
    reach = std::max(reach, until[i]);
    if (const Shape* shape = largest_of(link)) {
      const auto [a, b] = ends_of(*shape);
      reach = std::max(reach, until[i] + std::max((a - begin).norm(), (b - begin).norm()));
    }
  }
  return reach;
}

std::int8_t as_byte(double value) {
  return static_cast<std::int8_t>(std::isfinite(value) ? std::clamp(std::lround(value), -127L, 127L)
                                                       : 0);
}

}  // namespace

PictureFigure::PictureFigure(const Creature& creature, const std::string& color, bool thing)
    : creature_(creature) {
  message_.set_color(color.empty() ? creature.color : color);
  message_.set_thing(thing);
  const auto& links = creature.model->links;
  if (links.size() == 1) {
    find_box();
    return;
  }
  const double reach = reach_of(links);
  message_.set_unit_m(reach / 127);
  find_bones(reach);
}

void PictureFigure::find_box() {
  Eigen::AlignedBox3d box;
  const auto& shapes = creature_.model->links[0].shapes;
  for (const Shape& shape : shapes) {
    if (shape.kind == Shape::Kind::kBox) {
      box.extend(shape.a - shape.b).extend(shape.a + shape.b);
      continue;
    }
    const auto [a, b] = ends_of(shape);
    for (const Vec3& end : {a, b}) {
      // A cylinder is not longer for its radius, but for a picture this is near enough.
      const Vec3 around = shape.radius * (Vec3::Ones() - (b - a).normalized().cwiseAbs());
      const Vec3 extent =
          shape.kind == Shape::Kind::kCylinder ? around : Vec3::Constant(shape.radius);
      box.extend(end - extent).extend(end + extent);
    }
  }
  if (box.isEmpty()) box.extend(Vec3::Zero());
  message_.set_round(shapes.size() == 1 && shapes[0].kind == Shape::Kind::kSphere);
  const Vec3 half = box.sizes() / 2, middle = box.center();
  for (int k = 0; k < 3; ++k) {
    message_.add_half_m(static_cast<float>(half[k]));
    message_.add_middle_m(static_cast<float>(middle[k]));
  }
}

void PictureFigure::add(const Point& point, int parent, double radius, bool ball) {
  points_.push_back(point);
  message_.add_parent(static_cast<std::uint32_t>(parent));
  const auto mm = static_cast<std::int32_t>(std::lround(1000 * radius));
  message_.add_radius_mm(ball ? -mm : mm);
}

void PictureFigure::find_bones(double reach) {
  const auto& links = creature_.model->links;
  std::vector<int> begin(links.size(), 0);  // the point at each link's joint
  std::vector<bool> leaf(links.size(), true);
  const auto radius_at = [&](std::size_t i) {
    const Shape* shape = largest_of(links[i]);
    return shape ? thickness_of(*shape) : 0.02 * reach;
  };
  for (std::size_t i = 1; i < links.size(); ++i) {
    const auto parent = static_cast<std::size_t>(links[i].parent);
    leaf[parent] = false;
    const Vec3 from = parent == 0 ? Vec3::Zero() : links[parent].at_child;
    begin[i] = begin[parent];
    if ((links[i].at_parent - from).norm() < kShortest * reach) continue;
    // A trunk is thicker than the bone that leads from it to a shoulder.
    const double radius = std::min(radius_at(parent), 1.25 * radius_at(i));
    add({links[i].parent, links[i].at_parent}, begin[parent], radius, false);
    begin[i] = static_cast<int>(points_.size());
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Shape* shape = largest_of(links[i]);
    if (!shape || (i > 0 && !leaf[i])) continue;
    const int link = static_cast<int>(i);
    if (i == 0) {  // a trunk that reaches beyond its joints
      const auto [a, b] = ends_of(*shape);
      for (const Vec3& end : {a, b}) {
        if (end.norm() > kShortest * reach) add({0, end}, 0, thickness_of(*shape), false);
      }
      continue;
    }
    const Vec3 tip = tip_of(*shape, links[i].at_child);
    if ((tip - links[i].at_child).norm() < kShortest * reach && !is_ball(*shape)) continue;
    add({link, tip}, begin[i], thickness_of(*shape), is_ball(*shape));
  }
}

void PictureFigure::add_points(const Quat& root, const float* coordinates, std::size_t count,
                               std::string& out) const {
  const auto& links = creature_.model->links;
  std::vector<Pose> poses(links.size());  // from the root's origin, axes of the world
  poses[0].rotation = root;
  std::size_t at = 0;
  for (std::size_t i = 1; i < links.size(); ++i) {
    const LinkModel& link = links[i];
    const auto dof = static_cast<std::size_t>(physics::dof_of(link.joint));
    Vec3 value = Vec3::Zero();
    for (std::size_t k = 0; k < dof && at + k < count; ++k) {
      value[static_cast<Eigen::Index>(k)] = static_cast<double>(coordinates[at + k]);
    }
    at += dof;
    // A frame has pitch before roll, a joint roll before pitch.
    if (link.joint == JointKind::kUniversal) std::swap(value.x(), value.y());
    const Pose& parent = poses[static_cast<std::size_t>(link.parent)];
    Vec3 joint = link.at_parent;
    if (link.joint == JointKind::kSlider) joint += value.x() * link.axis;
    poses[i].rotation = parent.rotation * joint_rotation(link, value);
    poses[i].position =
        parent.position + parent.rotation * joint - poses[i].rotation * link.at_child;
  }
  for (const Point& point : points_) {
    const Pose& link = poses[static_cast<std::size_t>(point.link)];
    const Vec3 place = (link.position + link.rotation * point.at) / message_.unit_m();
    for (int k = 0; k < 3; ++k) out.push_back(static_cast<char>(as_byte(place[k])));
  }
}

}  // namespace promenade::service
