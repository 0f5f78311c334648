#include "creature/creature.h"

#include <algorithm>

namespace promenade {
namespace {

int index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

int Creature::find_link(const std::string& link_name) const {
  return index_of(link_names, link_name);
}

int Creature::find_joint(const std::string& joint_name) const {
  return joint_name.empty() ? -1 : index_of(joint_names, joint_name);
}

}  // namespace promenade
