#include "creature/tree_checks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "creature/tie_limits.h"
#include "math/types.h"

namespace promenade {
namespace {

using schema::Checker;
using schema::in_quotes;
using schema::indexed;

constexpr std::size_t kMostTies = 32;

/// Checks that links and joints make one tree.
class TreeCheck {
 public:
  TreeCheck(Checker* check, const v1::Creature& creature) : check_(*check), creature_(creature) {}

  void run() {
    if (name_links() && name_joints() && every_link_joined() && no_cycle()) some_shape();
  }

 private:
  bool name_links() {
    for (int i = 0; i < creature_.links_size(); ++i) {
      const std::string& name = creature_.links(i).name();
      if (const auto [first, fresh] = links_.emplace(name, i); !fresh) {
        return check_.fail(
            indexed("links", i) + ".name", in_quotes(name), "another name",
            in_quotes(name) + " is the name of " + indexed("links", first->second) + " already");
      }
    }
    return true;
  }

  bool name_joints() {
    std::map<std::string, int> names;
    for (int i = 0; i < creature_.joints_size(); ++i) {
      const v1::Joint& joint = creature_.joints(i);
      const std::string key = indexed("joints", i);
      if (const auto [first, fresh] = names.emplace(joint.name(), i); !fresh) {
        return check_.fail(key + ".name", in_quotes(joint.name()), "another name",
                           in_quotes(joint.name()) + " is the name of " +
                               indexed("joints", first->second) + " already");
      }
      for (const auto& [end, link] :
           {std::pair{".parent", joint.parent()}, std::pair{".child", joint.child()}}) {
        if (!links_.contains(link)) return check_.fail(key + end, in_quotes(link), "a link's name");
      }
      if (links_.at(joint.child()) == 0) {
        return check_.fail(key + ".child", in_quotes(joint.child()), "a link other than the root");
      }
      if (const auto [first, fresh] = joint_of_.emplace(joint.child(), i); !fresh) {
        return check_.fail(key + ".child", in_quotes(joint.child()), "the child of one joint",
                           in_quotes(joint.child()) + " is the child of " +
                               indexed("joints", first->second) + " already");
      }
    }
    return true;
  }

  bool every_link_joined() {
    for (int i = 1; i < creature_.links_size(); ++i) {
      const std::string& name = creature_.links(i).name();
      if (!joint_of_.contains(name)) {
        return check_.fail(indexed("links", i), in_quotes(name), "the child of one joint",
                           in_quotes(name) + " is attached to nothing");
      }
    }
    return true;
  }

  /// @pre every link but the root has one joint. So a link from which the root is not reached is in
  /// a cycle or hangs on one
  bool no_cycle() {
    for (int i = 1; i < creature_.links_size(); ++i) {
      std::string link = creature_.links(i).name(), path = link;
      std::set<std::string> seen = {link};
      while (links_.at(link) != 0) {
        const int joint = joint_of_.at(link);
        link = creature_.joints(joint).parent();
        path += " -> " + link;
        if (!seen.insert(link).second) {
          return check_.fail(indexed("joints", joint) + ".parent", in_quotes(link),
                             "a link that is not attached to this one",
                             "the joints make a cycle, " + path);
        }
      }
    }
    return true;
  }

  /// At least one link has a shape: a body without any would fall through everything.
  void some_shape() {
    if (std::all_of(creature_.links().begin(), creature_.links().end(),
                    [](const v1::Link& link) { return link.shapes().empty(); })) {
      check_.fail("links[0].shapes", "none", "at least one shape on one of the links");
    }
  }

  Checker& check_;
  const v1::Creature& creature_;
  std::map<std::string, int> links_;     // index by name
  std::map<std::string, int> joint_of_;  // joint's index by child
};

const v1::Link* find_link(const v1::Creature& creature, const std::string& name) {
  for (const v1::Link& link : creature.links()) {
    if (link.name() == name) return &link;
  }
  return nullptr;
}

std::string link_names(const v1::Creature& creature) {
  std::string out = "one of ";
  for (const v1::Link& link : creature.links()) {
    out += (&link == &creature.links(0) ? "" : ", ") + link.name();
  }
  return out;
}

/// Checks that the links of a limb exist, are a chain, and are in no other limb.
/// @param limb_of  name of the limb of each link so far
void check_chain(Checker* check, const std::string& key, const v1::Limb& limb,
                 const v1::Creature& creature, std::map<std::string, std::string>* limb_of) {
  std::map<std::string, std::string> parent_of;
  for (const v1::Joint& joint : creature.joints()) parent_of[joint.child()] = joint.parent();
  if (limb.links().empty()) check->fail(key + ".links", "none", "at least one link");
  for (int i = 0; i < limb.links_size() && check->ok(); ++i) {
    const std::string& link = limb.links(i);
    const std::string link_key = indexed(key + ".links", i);
    if (!find_link(creature, link)) {
      check->fail(link_key, in_quotes(link), link_names(creature));
    } else if (const auto [other, fresh] = limb_of->emplace(link, limb.name()); !fresh) {
      check->fail(link_key, in_quotes(link), "a link that is in no other limb",
                  in_quotes(link) + " is in the limb " + in_quotes(other->second) + " already");
    } else if (i > 0 && parent_of[link] != limb.links(i - 1)) {
      check->fail(link_key, in_quotes(link), "a link attached to " + in_quotes(limb.links(i - 1)),
                  in_quotes(link) + " is not attached to the link before it");
    }
  }
}

void check_soles(Checker* check, const std::string& key, const v1::Limb& limb,
                 const v1::Creature& creature) {
  const auto count = static_cast<std::uint32_t>(limb.links_size());
  if (limb.sole_links() > count) {
    check->fail(key + ".sole_links", std::to_string(limb.sole_links()),
                "at most the number of its links, " + std::to_string(count));
    return;
  }
  const bool leg = limb.kind() == v1::Limb::LEG;
  const std::uint32_t soles = limb.sole_links() == 0 && leg ? 1 : limb.sole_links();
  for (std::uint32_t i = count - soles; i < count; ++i) {
    const std::string& name = limb.links(static_cast<int>(i));
    for (int k = 0; k < creature.links_size(); ++k) {
      if (creature.links(k).name() != name || creature.links(k).shapes_size() > 0) continue;
      check->fail(indexed("links", k) + ".shapes", "none", "at least one shape to stand on");
    }
  }
}

void check_anchor(Checker* check, const std::string& key, const v1::Anchor& anchor,
                  const v1::Creature& creature) {
  if (anchor.id() != 0) {
    check->fail(key + ".id", std::to_string(anchor.id()), "left out in the file of a body");
  }
  if (!anchor.link().empty() && !find_link(creature, anchor.link())) {
    check->fail(key + ".link", in_quotes(anchor.link()), link_names(creature));
  }
  if (anchor.point_m().empty()) return;
  if (!check->count(key + ".point_m", static_cast<std::size_t>(anchor.point_m_size()), 3)) return;
  for (int i = 0; i < 3; ++i) {
    check->range(indexed(key + ".point_m", i), anchor.point_m(i), -kFarthest, kFarthest, " m");
  }
}

void check_tie(Checker* check, const std::string& key, const v1::Tie& tie,
               const v1::Creature& creature) {
  check->name(key + ".name", tie.name());
  check_anchor(check, key + ".a", tie.a(), creature);
  check_anchor(check, key + ".b", tie.b(), creature);
  const auto name_of = [&](const v1::Anchor& anchor) {
    return anchor.link().empty() ? creature.links(0).name() : anchor.link();
  };
  if (name_of(tie.a()) == name_of(tie.b())) {
    check->fail(key + ".b.link", in_quotes(name_of(tie.b())), "a different link than `a`");
  }
  if (!v1::Tie::Kind_IsValid(tie.kind()) || tie.kind() == v1::Tie::KIND_UNSPECIFIED) {
    check->fail(key + ".kind", given_kind(tie.kind()), "one of BALL, HINGE, SLIDER, WELD, SPRING");
    return;
  }
  check_axis(check, key + ".axis", tie.axis(),
             tie.kind() == v1::Tie::HINGE || tie.kind() == v1::Tie::SLIDER);
  if (tie.kind() == v1::Tie::SPRING) {
    check->range(key + ".length_m", tie.length_m(), 0, kFarthest, " m");
  } else if (tie.length_m() != 0) {
    check->fail(key + ".length_m", schema::number(tie.length_m()),
                "left out, because only a spring has a length");
  }
  check->range(key + ".stiffness_npm", tie.stiffness_npm(), 0, kMaxTieStiffness, " N/m");
  if (tie.kind() == v1::Tie::SPRING && tie.stiffness_npm() == 0) {
    check->fail(key + ".stiffness_npm", "0", "more than 0 N/m for a SPRING");
  }
  check->range(key + ".damping_nspm", tie.damping_nspm(), 0, kMaxTieDamping, " N s/m");
  check->range(key + ".break_n", tie.break_n(), 0, kMaxTieForce, " N");
}

}  // namespace

std::string given_kind(int number) { return number == 0 ? "nothing" : std::to_string(number); }

void check_axis(Checker* check, const std::string& key,
                const google::protobuf::RepeatedField<double>& axis, bool has_axis) {
  if (!has_axis) {
    if (!axis.empty())
      check->fail(key, "an axis", "left out, because only a hinge or a slider has an axis");
    return;
  }
  if (!check->count(key, static_cast<std::size_t>(axis.size()), 3)) return;
  const double length = Vec3(axis[0], axis[1], axis[2]).norm();
  if (!(std::abs(length - 1) <= 1e-3)) {  // not so for NaN
    check->fail(key, "length " + schema::number(length), "of length 1");
  }
}

void check_tree(Checker* check, const v1::Creature& creature) { TreeCheck(check, creature).run(); }

void check_limbs(Checker* check, const v1::Creature& creature) {
  std::map<std::string, int> names;
  std::map<std::string, std::string> limb_of;
  for (int i = 0; i < creature.limbs_size() && check->ok(); ++i) {
    const v1::Limb& limb = creature.limbs(i);
    const std::string key = indexed("limbs", i);
    check->name(key + ".name", limb.name());
    if (const auto [first, fresh] = names.emplace(limb.name(), i); !fresh) {
      check->fail(key + ".name", in_quotes(limb.name()), "another name",
                  in_quotes(limb.name()) + " is the name of " + indexed("limbs", first->second) +
                      " already");
    }
    if (!v1::Limb::Kind_IsValid(limb.kind()) || limb.kind() == v1::Limb::KIND_UNSPECIFIED) {
      check->fail(key + ".kind", given_kind(limb.kind()), "one of LEG, ARM, TRUNK, HEAD, TAIL");
    }
    check_chain(check, key, limb, creature, &limb_of);
    if (check->ok()) check_soles(check, key, limb, creature);
  }
}

void check_ties(Checker* check, const v1::Creature& creature) {
  if (static_cast<std::size_t>(creature.ties_size()) > kMostTies) {
    check->fail("ties", std::to_string(creature.ties_size()) + " ties",
                "at most " + std::to_string(kMostTies));
  }
  std::map<std::string, int> names;
  for (int i = 0; i < creature.ties_size() && check->ok(); ++i) {
    const v1::Tie& tie = creature.ties(i);
    const std::string key = indexed("ties", i);
    check_tie(check, key, tie, creature);
    if (const auto [first, fresh] = names.emplace(tie.name(), i); !fresh) {
      check->fail(
          key + ".name", in_quotes(tie.name()), "another name",
          in_quotes(tie.name()) + " is the name of " + indexed("ties", first->second) + " already");
    }
  }
}

}  // namespace promenade
