#include "physics/link_response.h"

#include <array>
#include <utility>

namespace promenade::physics {
namespace {

/// A joint lets its link answer more than the link above: with u = force / d of a coordinate and
/// P = 1 - axis u^T, own = P own_above P^T + axis axis^T / d.
void pass_joint(const ArticulatedBody::Work& w, int link, SpatialMatrix& own) {
  for (int k = w.recursion[link].first; k < w.recursion[link].end; ++k) {
    const Coordinate& c = w.coordinates[k];
    Spatial side = own * c.force * c.inverse;
    side.add(c.axis, -0.5 * c.inverse * (dot(c.force, side) + 1));
    for (int i = 0; i < 6; ++i) {
      own.column[i].add(c.axis, -side[i]);
      own.column[i].add(side, -c.axis[i]);
    }
  }
}

/// What links answer to impulses on others, from what they answer to impulses on themselves.
struct Cross {
  const ArticulatedBody::Work& w;
  std::span<const int> links;
  const SpatialMatrix* own;       // [all links]
  const SpatialMatrix* known;     // [links][links]
  std::array<int, kMaxLinks> at;  // [all links] index in `links`, -1 for others

  /// Velocity of `on` for an impulse on `from`.
  SpatialMatrix operator()(int on, int from) const {
    if (on == from) return own[on];
    if (on > from) return (*this)(from, on).transposed();
    const int above = w.model->links[from].parent;
    SpatialMatrix out = at[on] >= 0 && at[above] >= 0
                            ? known[std::size_t(at[on]) * links.size() + std::size_t(at[above])]
                            : (*this)(on, above);
    for (int k = w.recursion[from].first; k < w.recursion[from].end; ++k) {
      const Coordinate& c = w.coordinates[k];
      out.add_product(out * c.force * -c.inverse, c.axis);
    }
    return out;
  }
};

}  // namespace

void respond(const ArticulatedBody::Work& w, std::span<const int> links, SpatialMatrix* out) {
  thread_local std::array<SpatialMatrix, kMaxLinks> own;
  std::array<bool, kMaxLinks> needed{};
  for (int link : links) {
    for (; link >= 0 && !needed[link]; link = w.model->links[link].parent) needed[link] = true;
  }
  for (int i = 0; i < static_cast<int>(w.model->links.size()); ++i) {
    if (!needed[i]) continue;
    own[i] = i > 0 ? own[w.model->links[i].parent] : SpatialMatrix();
    pass_joint(w, i, own[i]);
  }
  Cross cross{w, links, own.data(), out, {}};
  cross.at.fill(-1);
  for (std::size_t i = 0; i < links.size(); ++i) cross.at[links[i]] = static_cast<int>(i);
  // A link's parent comes before it, so that what is needed of it is known.
  for (std::size_t from = 0; from < links.size(); ++from) {
    out[from * links.size() + from] = own[links[from]];
    for (std::size_t on = 0; on < from; ++on) {
      SpatialMatrix& answer = out[on * links.size() + from];
      answer = cross(links[on], links[from]);
      out[from * links.size() + on] = answer.transposed();
    }
  }
}

}  // namespace promenade::physics
