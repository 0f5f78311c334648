#include "physics/articulation.h"

#include <cassert>

namespace promenade::physics {

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
    total_mass += link.mass;
  }
  dof_count = static_cast<int>(dof_parent.size());
  assert(dof_count <= kMaxDof);
}

}  // namespace promenade::physics
