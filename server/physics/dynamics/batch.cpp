#include "physics/dynamics/batch.h"

#include <bit>
#include <cassert>

#include "physics/buffers.h"

namespace promenade::physics {
namespace {

void put(Vec3Lanes& to, int lane, const Vec3& v) {
  to.x[lane] = v.x();
  to.y[lane] = v.y();
  to.z[lane] = v.z();
}
Vec3 taken(const Vec3Lanes& from, int lane) { return {from.x[lane], from.y[lane], from.z[lane]}; }

void put(QuatLanes& to, int lane, const Quat& q) {
  to.w[lane] = q.w();
  to.x[lane] = q.x();
  to.y[lane] = q.y();
  to.z[lane] = q.z();
}
Quat taken(const QuatLanes& from, int lane) {
  return {from.w[lane], from.x[lane], from.y[lane], from.z[lane]};
}

void put(SpatialLanes& to, int lane, const Spatial& v) {
  put(to.angular, lane, v.angular());
  put(to.linear, lane, v.linear());
}
Spatial taken(const SpatialLanes& from, int lane) {
  return {taken(from.angular, lane), taken(from.linear, lane)};
}

bool same_tree(const ArticulationModel& a, const ArticulationModel& b) {
  if (&a == &b) return true;
  if (a.links.size() != b.links.size() || a.by_the_middle != b.by_the_middle) return false;
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    if (a.links[i].joint != b.links[i].joint || a.links[i].parent != b.links[i].parent) {
      return false;
    }
  }
  return true;
}

/// Bytes from the start of an array of a batch to where the next one may begin.
template <typename Part>
std::size_t bytes_of(std::size_t count) {
  return (count * sizeof(Part) + 63) / 64 * 64;
}

std::size_t bytes_of(const ArticulationModel& tree) {
  const auto dofs = std::size_t(tree.dof_count);
  return bytes_of<LinkLanes>(tree.links.size()) + bytes_of<CoordinateLanes>(dofs) +
         bytes_of<ServoLanes>(dofs);
}

/// Gives a batch its arrays. @return the end of them
std::byte* lay_out(Batch& batch, std::byte* from) {
  const auto dofs = std::size_t(batch.tree->dof_count);
  batch.link = reinterpret_cast<LinkLanes*>(from);
  from += bytes_of<LinkLanes>(batch.tree->links.size());
  batch.coordinate = reinterpret_cast<CoordinateLanes*>(from);
  from += bytes_of<CoordinateLanes>(dofs);
  batch.servo = reinterpret_cast<ServoLanes*>(from);
  return from + bytes_of<ServoLanes>(dofs);
}

void load_model(Batch& batch, int lane, const ArticulationModel& model) {
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkModel& from = model.links[i];
    LinkLanes& to = batch.link[i];
    to.mass[lane] = from.mass;
    put(to.moments, lane, from.inertia);
    put(to.at_parent, lane, from.at_parent);
    put(to.at_child, lane, from.at_child);
    if (type_of(from.joint).has_axis) put(to.axis, lane, from.axis);
  }
}

/// Positions in joint coordinates.
void load_state(Batch& batch, int lane, const ArticulationModel& model,
                const ArticulationState& state) {
  put(batch.link[0].position, lane, state.root.position);
  put(batch.link[0].joint, lane, state.root.rotation);
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    LinkLanes& to = batch.link[i];
    if (type_of(model.links[i].joint).rotation) {
      put(to.joint, lane, state.joint[i]);
    } else {
      to.angle[0][lane] = state.angle[i].x();
      to.angle[1][lane] = state.angle[i].y();
    }
  }
}

/// Marks the links that something touches, and the links that carry load by themselves or by links
/// that hang on them.
void load_contacts(Batch& batch, int lane, const ArticulatedBody::Work& w) {
  for (std::size_t i = w.links.size(); i-- > 0;) {
    batch.link[i].carries[lane] = 0;
    if (!(w.touched >> i & 1)) continue;
    for (int at = int(i); at >= 0 && !(batch.reached >> at & 1);
         at = w.model->links[std::size_t(at)].parent) {
      batch.reached |= 1u << at;
    }
  }
  for (const ContactPoint& point : w.points) {
    if (point.depth <= 0) continue;
    for (int i = point.link; i >= 0 && batch.link[std::size_t(i)].carries[lane] == 0;
         i = w.model->links[std::size_t(i)].parent) {
      batch.link[std::size_t(i)].carries[lane] = 1;
    }
  }
}

void load_forces(Batch& batch, int lane, const ArticulatedBody::Work& w) {
  for (std::size_t i = 0; i < w.links.size(); ++i) put(batch.link[i].force, lane, Spatial());
  for (const ExternalForce& f : w.forces) {
    SpatialLanes& force = batch.link[std::size_t(f.link)].force;
    const Spatial other((f.point - w.state.root.position).cross(f.force), f.force);
    Spatial sum = taken(force, lane);
    sum.add(other, -1);
    put(force, lane, sum);
  }
}

/// Velocities lie half a step behind positions. Where the step before was longer or shorter, so is
/// the time from them to the new ones: without that, swinging bodies would lose speed each time
/// that they get fast enough to be stepped in parts. Bodies that hardly move keep the time of a
/// step, as the force that holds them would jump.
void load_lag(Batch& batch, const ArticulatedBody::Work& w, double dt) {
  const int lane = w.lane;
  const bool known = !w.state_is_new && w.memory_dt > 0;
  constexpr double kSwings = 5;  // rad/s; slower bodies hardly move
  const bool swings = (w.tied || w.links.size() > 1) &&
                      std::any_of(w.links.begin(), w.links.end(), [](const LinkMotion& link) {
                        return link.omega.squaredNorm() > kSwings * kSwings;
                      });
  batch.behind[lane] = w.state_is_new ? 0 : known ? 0.5 * w.memory_dt / dt : 0.5;
  batch.moving[lane] = w.state_is_new ? 0.5 : 1;
  batch.reach[lane] = known && swings ? 0.5 + batch.behind[lane] : 1;
}

void load(Batch& batch, ArticulatedBody::Work& w, double dt) {
  const int lane = w.lane;
  load_lag(batch, w, dt);
  load_model(batch, lane, *w.model);
  load_state(batch, lane, *w.model, w.state);
  for (std::size_t i = 0; i < w.links.size(); ++i) {
    const LinkMotion& m = w.links[i];
    LinkLanes& to = batch.link[i];
    put(to.position, lane, m.position);
    for (int c = 0; c < 3; ++c) put(to.rotation.col[c], lane, m.rotation.col(c));
  }
  for (std::size_t k = 0; k < w.state.velocity.size(); ++k) {
    batch.coordinate[k].start[lane] = w.state.velocity[k];
  }
  load_contacts(batch, lane, w);
  load_forces(batch, lane, w);
  load_servos(batch, w, dt);
}

void store_links(const Batch& batch, int lane, ArticulatedBody::Work& w) {
  for (std::size_t i = 0; i < w.links.size(); ++i) {
    const LinkLanes& from = batch.link[i];
    LinkMotion& m = w.links[i];
    m.position = taken(from.position, lane);
    for (int c = 0; c < 3; ++c) m.rotation.col(c) = taken(from.rotation.col[c], lane);
    m.velocity = taken(from.linear, lane);
    m.omega = taken(from.omega, lane);
    if (i > 0) w.state.joint[i] = taken(from.joint, lane);
  }
  w.bounds_known = false;
}

void store(const Batch& batch, ArticulatedBody::Work& w) {
  const int lane = w.lane;
  w.state_is_new = false;
  ArticulationState& s = w.state;
  for (std::size_t k = 0; k < s.velocity.size(); ++k) {
    s.velocity[k] = batch.coordinate[k].velocity[lane];
  }
  s.root.position = taken(batch.link[0].position, lane);
  s.root.rotation = taken(batch.link[0].joint, lane);
  for (std::size_t i = 1; i < w.links.size(); ++i) {
    const LinkModel& link = w.model->links[i];
    if (!type_of(link.joint).rotation) {
      s.angle[i] = {batch.link[i].angle[0][lane], batch.link[i].angle[1][lane]};
    }
    JointDrive& drive = w.drives[i];
    for (int k = 0; k < dof_of(link.joint); ++k) {
      const ServoLanes& servo = batch.servo[std::size_t(link.dof + k)];
      drive.applied[k] = servo.applied[lane];
      drive.asked[k] = servo.asked[lane];
    }
  }
  store_links(batch, lane, w);
}

}  // namespace

Batch& Batches::next_lane(const ArticulationModel& tree) {
  while (open_ < used_ && batches_[open_].count == kLanes) ++open_;
  std::size_t at = open_;
  while (at < used_ && !(batches_[at].count < kLanes && same_tree(*batches_[at].tree, tree))) ++at;
  if (at == batches_.size()) batches_.emplace_back();
  if (at == used_) {
    batches_[at] = Batch{};
    batches_[at].tree = &tree;
    ++used_;
  }
  ++batches_[at].count;
  return batches_[at];
}

void Batches::assign(std::span<ArticulatedBody* const> bodies) {
  used_ = open_ = 0;
  for (ArticulatedBody* body : bodies) {
    ArticulatedBody::Work& w = body->work();
    w.batch = &next_lane(*w.model);
    w.lane = w.batch->count - 1;
  }
  std::size_t bytes = 0;
  for (std::size_t b = 0; b < used_; ++b) bytes += bytes_of(*batches_[b].tree);
  const std::size_t lines = bytes / sizeof(Line);
  if (lines > lines_.size()) lines_ = std::vector<Line>(std::bit_ceil(lines));
  std::byte* at = lines_.empty() ? nullptr : lines_.front().bytes;
  for (std::size_t b = 0; b < used_; ++b) at = lay_out(batches_[b], at);
}

void prepare_dynamics(std::span<ArticulatedBody* const> bodies, const StepSettings& settings,
                      Workspace& workspace) {
  Batches& batches = workspace.buffers().batches;
  batches.assign(bodies);
  for (ArticulatedBody* body : bodies) {
    ArticulatedBody::Work& w = body->work();
    load(*w.batch, w, settings.dt);
  }
  for (std::size_t b = 0; b < batches.size(); ++b) {
    kernels().prepare(batches[b], settings.dt, settings.gravity);
  }
}

void integrate(std::span<ArticulatedBody* const> bodies, double dt, Workspace& workspace) {
  Batches& batches = workspace.buffers().batches;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    kernels().answer(batches[b], dt);
    kernels().advance(batches[b], dt);
  }
  for (ArticulatedBody* body : bodies) {
    assert(body->work().batch);
    store(*body->work().batch, body->work());
    body->work().batch = nullptr;
  }
  batches.clear();
}

void update_kinematics(ArticulatedBody::Work& w) {
  // Memory of its own, so that a step that is under way in a workspace is not disturbed.
  alignas(64) std::byte memory[sizeof(LinkLanes[kMaxLinks]) + sizeof(CoordinateLanes[kMaxDof]) +
                               sizeof(ServoLanes[kMaxDof]) + 3 * 64];
  Batch batch;
  batch.tree = w.model.get();
  batch.count = 1;
  lay_out(batch, memory);
  // All lanes get the same numbers: random bits in unused lanes may be denormal numbers, which are
  // slow.
  for (int lane = 0; lane < kLanes; ++lane) {
    load_model(batch, lane, *w.model);
    load_state(batch, lane, *w.model, w.state);
  }
  for (std::size_t k = 0; k < w.state.velocity.size(); ++k) {
    batch.coordinate[k].velocity = Lanes{} + w.state.velocity[k];
  }
  kernels().place(batch);
  store_links(batch, 0, w);
}

Coordinate coordinate_of(const ArticulatedBody::Work& w, int k) {
  const CoordinateLanes& from = w.batch->coordinate[std::size_t(k)];
  return {taken(from.axis, w.lane), taken(from.force, w.lane), from.inverse[w.lane],
          from.velocity[w.lane]};
}

Spatial link_velocity(const ArticulatedBody::Work& w, int link) {
  return taken(w.batch->link[std::size_t(link)].velocity, w.lane);
}

SpatialMatrix own_response(const ArticulatedBody::Work& w, int link) {
  const InertiaLanes& from = w.batch->link[std::size_t(link)].response;
  const int lane = w.lane;
  const auto row = [lane](const SymmetricLanes& m) {
    return std::array{Vec3(m.xx[lane], m.xy[lane], m.xz[lane]),
                      Vec3(m.xy[lane], m.yy[lane], m.yz[lane]),
                      Vec3(m.xz[lane], m.yz[lane], m.zz[lane])};
  };
  const auto turning = row(from.turning), shifting = row(from.shifting);
  const auto& j = from.coupling.col;
  SpatialMatrix out;
  out.column[0] = {turning[0], Vec3(j[0].x[lane], j[1].x[lane], j[2].x[lane])};
  out.column[1] = {turning[1], Vec3(j[0].y[lane], j[1].y[lane], j[2].y[lane])};
  out.column[2] = {turning[2], Vec3(j[0].z[lane], j[1].z[lane], j[2].z[lane])};
  for (std::size_t c = 0; c < 3; ++c) out.column[3 + c] = {taken(j[c], lane), shifting[c]};
  return out;
}

void apply_impulses(const ArticulatedBody::Work& w, std::span<const int> touched,
                    std::span<const Spatial> impulses) {
  Batch& batch = *w.batch;
  for (std::size_t t = 0; t < touched.size(); ++t) {
    put(batch.link[std::size_t(touched[t])].impulse, w.lane, impulses[t]);
  }
}

}  // namespace promenade::physics
