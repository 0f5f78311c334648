#include "study/trial/rig/drawn_pose.h"

#include <algorithm>
#include <limits>

#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kAsLow = 0.002;  // m above the lowest point: points no higher bear

/// The corners of the underside of a shape, in the zero pose. Link frame.
void add_underside(const physics::Shape& shape, std::vector<Vec3>& points) {
  if (shape.kind == physics::Shape::Kind::kBox) {
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        points.push_back(shape.a + shape.b.cwiseProduct(Vec3(x, y, -1)));
    return;
  }
  points.push_back(shape.a - shape.radius * Vec3::UnitZ());
  if (shape.kind != physics::Shape::Kind::kSphere)
    points.push_back(shape.b - shape.radius * Vec3::UnitZ());
}

}  // namespace

DrawnPose::DrawnPose(const Rollout& rollout) {
  const auto& links = rollout.body().model->links;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const Part part : {kLeftFoot, kLeftToes}) {
      const auto link = std::size_t(rollout.biped().link[std::size_t(part) + side]);
      std::vector<Vec3> points;
      for (const physics::Shape& shape : links[link].shapes) add_underside(shape, points);
      for (const Vec3& at : points) feet_[side].points.push_back({link, at});
    }
  }
}

void DrawnPose::observe(const Rollout& rollout) {
  for (std::size_t side = 0; side < 2; ++side) observe_foot(rollout, side);
  observe_joints(rollout);
}

void DrawnPose::observe_foot(const Rollout& rollout, std::size_t side) {
  Foot& foot = feet_[side];
  if (!rollout.report().foot_on_ground[side]) {
    if (foot.stands) slides_.push_back(foot.slide);
    foot.stands = false;
    for (Point& point : foot.points) point.bore = false;
    return;
  }
  if (!foot.stands) foot.slide = 0;
  foot.stands = true;
  double lowest = std::numeric_limits<double>::infinity();
  std::vector<Vec3> places;
  for (const Point& point : foot.points) {
    const physics::LinkMotion& link = rollout.physics().links()[point.link];
    places.push_back(link.position + link.rotation * point.at);
    lowest = std::min(lowest, places.back().z());
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    Point& point = foot.points[i];
    const bool bears = places[i].z() < lowest + kAsLow;
    if (bears && !point.bore) point.since = places[i];
    if (bears && point.bore)
      foot.slide = std::max(foot.slide, (places[i] - point.since).head<2>().norm());
    point.bore = bears;
  }
}

void DrawnPose::observe_joints(const Rollout& rollout) {
  const auto& links = rollout.body().model->links;
  const physics::ArticulationState& state = rollout.physics().state();
  for (std::size_t i = 1; i < links.size(); ++i) {
    const physics::JointType& type = physics::type_of(links[i].joint);
    const Vec3 at = type.rotation ? rotation_vector(state.joint[i])
                                  : Vec3(state.angle[i].x(), state.angle[i].y(), 0);
    for (int k = 0; k < type.dof; ++k) {
      const double past = std::max(at[k] - links[i].upper[k], links[i].lower[k] - at[k]);
      if (past <= past_limit_) continue;
      past_limit_ = past;
      worst_joint_ = rollout.body().link_names[i];
    }
  }
}

}  // namespace promenade::trial
