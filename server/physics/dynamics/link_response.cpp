#include "physics/dynamics/link_response.h"

#include <array>

namespace promenade::physics {
namespace {

/// Responses of links to impulses on other links, from their responses to impulses on themselves.
/// Law: the response of a link to an impulse on a link below a joint is its response to one on the
///      link above it, times (1 - u axis^T) for each coordinate of the joint, with u = force / d
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
  // A link's parent comes before it, so the parent's responses are known already.
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
