#include "study/trial/rig/link_poses.h"

#include <utility>

#include "creature/pose.h"

namespace promenade::trial {

void place_links(const physics::ArticulationModel& model, const Pose& root,
                 const std::function<double(std::size_t)>& coordinate, std::vector<Pose>& links) {
  links.resize(model.links.size());
  links[0] = root;
  std::size_t at = 0;
  for (std::size_t i = 1; i < links.size(); ++i) {
    const physics::LinkModel& link = model.links[i];
    Vec3 value = Vec3::Zero();
    for (int k = 0; k < physics::dof_of(link.joint); ++k) value[k] = coordinate(at++);
    // A frame has pitch before roll, a joint roll before pitch.
    if (link.joint == physics::JointKind::kUniversal) std::swap(value.x(), value.y());
    const Pose& parent = links[std::size_t(link.parent)];
    links[i].rotation = parent.rotation * joint_rotation(link, value);
    links[i].position =
        parent.position + parent.rotation * link.at_parent - links[i].rotation * link.at_child;
  }
}

}  // namespace promenade::trial
