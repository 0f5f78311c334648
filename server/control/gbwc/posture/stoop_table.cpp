#include "control/gbwc/posture/stoop_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

namespace promenade::control {
namespace {

constexpr double kLegBack = -0.8, kLegAhead = 0.8;  // rad, of the lines from ankle to hip
constexpr int kLeanHalvings = 24;
constexpr int kKneeTries = 10, kTrunkTries = 5;

/// Turned forward by `pitch`: x ahead, y up.
Vec2 pitched(const Vec3& at, double pitch) {
  const double c = std::cos(pitch), s = std::sin(pitch);
  return {c * at.x() + s * at.z(), c * at.z() - s * at.x()};
}

/// Sums the masses of links that are placed one after another.
struct Chain {
  const Creature& body;
  const Biped& biped;
  double mass = 0;
  Vec2 moment = Vec2::Zero();

  const physics::LinkModel& link(int part) const {
    return body.model->links[std::size_t(biped.link[std::size_t(part)])];
  }
  void add(int part, const Vec2& com) {
    mass += link(part).mass;
    moment += link(part).mass * com;
  }
  /// Adds a part whose joint is at `joint`. @return its COM
  Vec2 hang(int part, const Vec2& joint, double pitch) {
    Vec2 com = joint - pitched(link(part).at_child, pitch);
    add(part, com);
    return com;
  }
  /// Where the joint of `child` is on its parent.
  Vec2 joint(int child, const Vec2& parent, double pitch) const {
    return parent + pitched(link(child).at_parent, pitch);
  }
};

/// m, of a leg's thigh and shank.
Vec2 leg_lengths(const Creature& body, const Biped& biped, int side) {
  const auto link = [&](Part part) { return std::size_t(biped.link[std::size_t(part + side)]); };
  const auto& links = body.model->links;
  return {(links[link(kLeftShank)].at_parent - links[link(kLeftThigh)].at_child).norm(),
          (links[link(kLeftFoot)].at_parent - links[link(kLeftShank)].at_child).norm()};
}

/// rad, by which the shank leans further ahead than the line from the ankle to the hip.
double shank_ahead(const Vec2& lengths, double knee) {
  return std::atan2(lengths.x() * std::sin(knee), lengths.y() + lengths.x() * std::cos(knee));
}

/// How the body stands: the pose of a stoop, and the lean of its legs.
struct Standing {
  StoopPose pose;
  Vec2 shoulders = Vec2::Zero(), com = Vec2::Zero();  // m
  double shank = 0;                                   // rad, forward, the mean of both
};

/// @param p     of the stoop
/// @param bent  the pose that is asked for
/// @param spare  rad, of the hips before the end of their range
/// @param lean   rad, of the lines from ankle to hip, forward
Standing place(const Creature& body, const Biped& biped, const v1::GbwcStoop& p,
               const StoopPose& bent, double spare, double lean) {
  Chain chain{body, biped};
  Standing out{.pose = bent};
  StoopPose& pose = out.pose;
  const Vec2 ankle(0, 0.5 * (biped.ankle_height[kLeft] + biped.ankle_height[kRight]));
  std::array<Vec2, 2> hip;
  for (const int side : {kLeft, kRight}) {
    const physics::LinkModel &foot = chain.link(kLeftFoot + side),
                             &toes = chain.link(kLeftToes + side);
    const Vec2 sole = chain.hang(kLeftFoot + side, ankle, 0);
    chain.add(kLeftToes + side, sole + pitched(toes.at_parent - toes.at_child, 0));
    const double knee_bend = even_knee(body, biped, side, pose.knee);
    const double shank_pitch = lean + shank_ahead(leg_lengths(body, biped, side), knee_bend);
    out.shank += 0.5 * shank_pitch;
    const Vec2 shank = ankle - pitched(foot.at_parent, shank_pitch);
    chain.add(kLeftShank + side, shank);
    const double thigh = shank_pitch - knee_bend;
    const Vec2 knee = shank + pitched(chain.link(kLeftShank + side).at_child, shank_pitch);
    const Vec2 thigh_at = knee - pitched(chain.link(kLeftShank + side).at_parent, thigh);
    chain.add(kLeftThigh + side, thigh_at);
    hip[std::size_t(side)] = thigh_at + pitched(chain.link(kLeftThigh + side).at_child, thigh);
    // A pelvis that is further forward than that would take the leg along.
    const double furthest = thigh - chain.link(kLeftThigh + side).lower.y() - spare;
    pose.pelvis = std::min(pose.pelvis, furthest);
  }
  const auto most = [&](Part part) { return chain.link(part).upper.y() - p.trunk_spare_rad(); };
  pose.lower_back = std::min(pose.lower_back, pose.pelvis + most(kLowerBack));
  pose.chest = std::min(pose.chest, pose.lower_back + most(kTorso));
  Vec2 pelvis = Vec2::Zero();
  for (const int side : {kLeft, kRight}) {
    const Vec3& at = chain.link(kLeftThigh + side).at_parent;
    pelvis += 0.5 * (hip[std::size_t(side)] - pitched(at, pose.pelvis));
  }
  chain.add(kPelvis, pelvis);
  const Vec2 back =
      chain.hang(kLowerBack, chain.joint(kLowerBack, pelvis, pose.pelvis), pose.lower_back);
  const Vec2 chest = chain.hang(kTorso, chain.joint(kTorso, back, pose.lower_back), pose.chest);
  chain.hang(kHead, chain.joint(kHead, chest, pose.chest), pose.head);
  for (const int side : {kLeft, kRight}) {
    const Vec2 shoulder = chain.joint(kLeftUpperArm + side, chest, pose.chest);
    const Vec2 upper = chain.hang(kLeftUpperArm + side, shoulder, 0);
    chain.hang(kLeftLowerArm + side, chain.joint(kLeftLowerArm + side, upper, 0), 0);
    out.shoulders += 0.5 * shoulder;
  }
  out.com = chain.moment / chain.mass;
  return out;
}

/// Stands so that the COM is `rest` ahead of the ankles: the legs lean as the balance wants it.
Standing balanced(const Creature& body, const Biped& biped, const v1::GbwcStoop& p,
                  const StoopPose& bent, double spare, double rest) {
  double low = kLegBack, high = kLegAhead;
  Standing out;
  for (int i = 0; i < kLeanHalvings; ++i) {
    const double lean = 0.5 * (low + high);
    out = place(body, biped, p, bent, spare, lean);
    (out.com.x() < rest ? low : high) = lean;
  }
  return out;
}

/// A pose on the way down: the knees follow later than the trunk.
StoopPose stooped(const StoopPose& upright, const StoopPose& deepest, double stoop) {
  return {upright.knee + deepest.knee * stoop * stoop, upright.pelvis + deepest.pelvis * stoop,
          upright.lower_back + deepest.lower_back * stoop, upright.chest + deepest.chest * stoop,
          upright.head + deepest.head * stoop};
}

/// What the deepest stoop adds to the upright pose. It bends the knees as the parameters say where
/// the hands come down with that. Of legs with a short thigh, or with short arms, they would not:
/// the knees of such a body stay straighter, and its trunk bends further.
StoopPose deepest_stoop(const Creature& body, const Biped& biped, const v1::GbwcStoop& p,
                        const StoopPose& upright, double rest) {
  const double arm = std::min(biped.upper_arm[kLeft] + biped.forearm[kLeft],
                              biped.upper_arm[kRight] + biped.forearm[kRight]);
  StoopPose lowest;
  double least = std::numeric_limits<double>::infinity();
  for (int knee = kKneeTries; knee >= 0; --knee) {
    for (int trunk = 0; trunk <= kTrunkTries; ++trunk) {
      const double further = p.further_rad() * trunk / kTrunkTries;
      const double chest = p.chest_rad() + further;
      const StoopPose tried{p.knee_rad() * knee / kKneeTries, p.pelvis_rad() + further,
                            p.lower_back() * p.chest_rad() + further, chest, p.head() * chest};
      const double shoulders =
          balanced(body, biped, p, stooped(upright, tried, 1), p.hip_spare_rad(), rest)
              .shoulders.y();
      if (shoulders >= least) continue;
      least = shoulders;
      lowest = tried;
      if (shoulders - arm <= p.hands_down_m() * body.leg_scale()) return tried;
    }
  }
  return lowest;
}

}  // namespace

double even_knee(const Creature& body, const Biped& biped, int side, double knee) {
  if (knee <= 0) return 0;
  const Vec2 lengths = leg_lengths(body, biped, side);
  const double upper = lengths.x(), lower = lengths.y();
  const double length = (upper + lower) * std::cos(0.5 * knee);
  const double cosine = (length * length - upper * upper - lower * lower) / (2 * upper * lower);
  return std::acos(std::clamp(cosine, -1.0, 1.0));
}

double shank_lean(const Creature& body, const Biped& biped, const GbwcParameters& p,
                  const StoopPose& pose, double rest) {
  return balanced(body, biped, p.stoop(), pose, p.stoop().hip_spare_rad(), rest).shank;
}

StoopTable::StoopTable(const Creature& body, const Biped& biped, const GbwcParameters& p,
                       double lean, double rest)
    : rest_(rest) {
  const v1::GbwcStoop& stoops = p.stoop();
  const v1::GbwcTrunk& trunk = p.trunk();
  const StoopPose upright{p.standing().knee_rad(), trunk.pelvis_lean() * lean,
                          trunk.lower_back().lean() * lean, trunk.chest().lean() * lean,
                          trunk.head().lean() * lean};
  const StoopPose deepest = deepest_stoop(body, biped, stoops, upright, rest);
  for (int k = 0; k <= kCount; ++k) {
    const double stoop = double(k) / kCount;
    const double last = std::max(0.0, (stoop - stoops.gives_from()) / (1 - stoops.gives_from()));
    const double spare =
        std::lerp(stoops.hip_spare_rad(),
                  deepest.knee < stoops.knee_rad() ? 0 : -stoops.hip_gives_rad(), last);
    const Standing standing =
        balanced(body, biped, stoops, stooped(upright, deepest, stoop), spare, rest);
    const StoopPose& bent = standing.pose;
    shoulder_[std::size_t(k)] = standing.shoulders;
    pose_[std::size_t(k)] = {bent.knee - upright.knee, bent.pelvis - upright.pelvis,
                             bent.lower_back - upright.lower_back, bent.chest - upright.chest,
                             bent.head - upright.head};
  }
}

std::shared_ptr<const StoopTable> stoop_table_of(const std::shared_ptr<const Creature>& body,
                                                 const Biped& biped,
                                                 const std::shared_ptr<const GbwcParameters>& p,
                                                 double lean, double rest) {
  struct Made {
    std::weak_ptr<const Creature> body;
    std::weak_ptr<const GbwcParameters> parameters;
    double lean, rest;
    std::weak_ptr<const StoopTable> table;
  };
  static std::mutex mutex;
  static std::vector<Made> all;
  {
    const std::lock_guard lock(mutex);
    std::erase_if(all, [](const Made& one) { return one.table.expired(); });
    for (const Made& one : all) {
      if (one.lean != lean || one.rest != rest || one.body.lock() != body ||
          one.parameters.lock() != p) {
        continue;
      }
      if (auto table = one.table.lock()) return table;
    }
  }
  auto table = std::make_shared<const StoopTable>(*body, biped, *p, lean, rest);
  const std::lock_guard lock(mutex);
  all.push_back({body, p, lean, rest, table});
  return table;
}

StoopPose StoopTable::pose(double stoop) const {
  if (stoop == 0) return pose_[0];  // most of the time
  const double at = std::clamp(stoop, 0.0, 1.0) * kCount;
  const int k = std::min(kCount - 1, int(at));
  const StoopPose &a = pose_[std::size_t(k)], &b = pose_[std::size_t(k + 1)];
  const auto mix = [&, part = at - k](double StoopPose::*angle) {
    return std::lerp(a.*angle, b.*angle, part);
  };
  return {mix(&StoopPose::knee), mix(&StoopPose::pelvis), mix(&StoopPose::lower_back),
          mix(&StoopPose::chest), mix(&StoopPose::head)};
}

Vec2 StoopTable::shoulder(double stoop) const {
  const double at = std::clamp(stoop, 0.0, 1.0) * kCount;
  const int k = std::min(kCount - 1, int(at));
  const double part = at - k;
  return (1 - part) * shoulder_[std::size_t(k)] + part * shoulder_[std::size_t(k + 1)];
}

double StoopTable::stoop_for(const Vec2& place, double reach, double back) const {
  const Vec2 behind(back, 0);
  double nearest = 1e9, best = 0, before = 0;
  for (int k = 0; k <= kCount; ++k) {
    const double far = (place + behind - shoulder_[std::size_t(k)]).norm();
    if (far <= reach) {
      const double share = k > 0 ? (before - reach) / std::max(1e-9, before - far) : 1;
      return (k - 1 + share) / kCount;
    }
    if (far < nearest) {
      nearest = far;
      best = double(k) / kCount;
    }
    before = far;
  }
  return best;
}

}  // namespace promenade::control
