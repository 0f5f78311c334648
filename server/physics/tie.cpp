#include "physics/tie.h"

#include "physics/articulated_body.h"

namespace promenade::physics {

Pose TieEnd::in_world() const {
  if (body == nullptr) return frame;
  const LinkMotion& m = body->links()[std::size_t(link)];
  return {m.position + m.rotation * frame.position, Quat(m.rotation) * frame.rotation};
}

void keep_present_rotation(Tie& tie) {
  const Quat b_from_a = tie.b.in_world().rotation.conjugate() * tie.a.in_world().rotation;
  tie.b.frame.rotation = (tie.b.frame.rotation * b_from_a).normalized();
}

}  // namespace promenade::physics
