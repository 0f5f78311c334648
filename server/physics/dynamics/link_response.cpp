#include "physics/dynamics/link_response.h"

#include <array>

namespace promenade::physics {
namespace {

/// What links answer to impulses on others, from what they answer to impulses on themselves: with
/// u = force / d of a coordinate, all above answer to its link as to the link above, times
/// 1 - u axis^T.
struct Cross {
  const ArticulatedBody::Work& w;
  std::span<const int> links;
  const SpatialMatrix* known;     // [links][links]
  std::array<int, kMaxLinks> at;  // [all links] index in `links`, -1 for others

  /// Velocity of `on` for an impulse on `from`.
  SpatialMatrix operator()(int on, int from) const {
    if (on == from) return own_response(w, on);
    if (on > from) return (*this)(from, on).transposed();
    const int above = w.model->links[from].parent;
    SpatialMatrix out = at[on] >= 0 && at[above] >= 0
                            ? known[std::size_t(at[on]) * links.size() + std::size_t(at[above])]
                            : (*this)(on, above);
    const LinkModel& joint = w.model->links[from];
    for (int k = joint.dof; k < joint.dof + dof_of(joint.joint); ++k) {
      const Coordinate c = coordinate_of(w, k);
      out.add_product(out * c.force * -c.inverse, c.axis);
    }
    return out;
  }
};

}  // namespace

void respond(const ArticulatedBody::Work& w, std::span<const int> links, SpatialMatrix* out) {
  Cross cross{w, links, out, {}};
  cross.at.fill(-1);
  for (std::size_t i = 0; i < links.size(); ++i) cross.at[links[i]] = static_cast<int>(i);
  // A link's parent comes before it, so that what is needed of it is known.
  for (std::size_t from = 0; from < links.size(); ++from) {
    out[from * links.size() + from] = own_response(w, links[from]);
    for (std::size_t on = 0; on < from; ++on) {
      SpatialMatrix& answer = out[on * links.size() + from];
      answer = cross(links[on], links[from]);
      out[from * links.size() + on] = answer.transposed();
    }
  }
}

}  // namespace promenade::physics
