#include "control/gbwc/stoop_table.h"

#include <algorithm>
#include <cmath>

namespace promenade::control {
namespace {

constexpr double kStraightKnee = 0.08;                  // rad, of who stands upright
constexpr double kShankBack = -0.6, kShankAhead = 1.0;  // rad, of the shanks
constexpr int kLeanHalvings = 24;

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

struct Angles {
  double shank = 0, knee = 0, pelvis = 0, back = 0, chest = 0, head = 0;
};

/// @return the shoulders' middle; the COM in `com`
Vec2 place(const Creature& body, const Biped& biped, const Angles& a, Vec2* com) {
  Chain chain{body, biped};
  const Vec2 ankle(0, 0.5 * (biped.ankle_height[kLeft] + biped.ankle_height[kRight]));
  Vec2 pelvis = Vec2::Zero();
  for (const int side : {kLeft, kRight}) {
    const physics::LinkModel &foot = chain.link(kLeftFoot + side),
                             &toes = chain.link(kLeftToes + side);
    const Vec2 sole = chain.hang(kLeftFoot + side, ankle, 0);
    chain.add(kLeftToes + side, sole + pitched(toes.at_parent - toes.at_child, 0));
    const Vec2 shank = ankle - pitched(foot.at_parent, a.shank);
    chain.add(kLeftShank + side, shank);
    const double thigh = a.shank - even_knee(body, biped, side, a.knee);
    const Vec2 knee = shank + pitched(chain.link(kLeftShank + side).at_child, a.shank);
    const Vec2 thigh_at = knee - pitched(chain.link(kLeftShank + side).at_parent, thigh);
    chain.add(kLeftThigh + side, thigh_at);
    const Vec2 hip = thigh_at + pitched(chain.link(kLeftThigh + side).at_child, thigh);
    pelvis += 0.5 * (hip - pitched(chain.link(kLeftThigh + side).at_parent, a.pelvis));
  }
  chain.add(kPelvis, pelvis);
  const Vec2 back = chain.hang(kLowerBack, chain.joint(kLowerBack, pelvis, a.pelvis), a.back);
  const Vec2 chest = chain.hang(kTorso, chain.joint(kTorso, back, a.back), a.chest);
  chain.hang(kHead, chain.joint(kHead, chest, a.chest), a.head);
  Vec2 shoulders = Vec2::Zero();
  for (const int side : {kLeft, kRight}) {
    const Vec2 shoulder = chain.joint(kLeftUpperArm + side, chest, a.chest);
    const Vec2 upper = chain.hang(kLeftUpperArm + side, shoulder, 0);
    chain.hang(kLeftLowerArm + side, chain.joint(kLeftLowerArm + side, upper, 0), 0);
    shoulders += 0.5 * shoulder;
  }
  *com = chain.moment / chain.mass;
  return shoulders;
}

}  // namespace

double even_knee(const Creature& body, const Biped& biped, int side, double knee) {
  if (knee <= 0) return 0;
  const auto link = [&](Part part) { return std::size_t(biped.link[std::size_t(part + side)]); };
  const auto& links = body.model->links;
  const double upper =
      (links[link(kLeftShank)].at_parent - links[link(kLeftThigh)].at_child).norm();
  const double lower = (links[link(kLeftFoot)].at_parent - links[link(kLeftShank)].at_child).norm();
  const double length = (upper + lower) * std::cos(0.5 * knee);
  const double cosine = (length * length - upper * upper - lower * lower) / (2 * upper * lower);
  return std::acos(std::clamp(cosine, -1.0, 1.0));
}

StoopTable::StoopTable(const Creature& body, const Biped& biped, const GbwcParameters& p,
                       double lean, double rest)
    : rest_(rest) {
  for (int k = 0; k <= kCount; ++k) {
    const double stoop = double(k) / kCount, chest = p.stoop_chest_rad() * stoop;
    Angles a;
    a.knee = kStraightKnee + stoop_knee(p, stoop);
    a.pelvis = 0.5 * lean + p.stoop_pelvis_rad() * stoop;
    a.back = lean + kStoopLowerBack * chest;
    a.chest = lean + chest;
    a.head = 0.4 * lean + kStoopHead * chest;
    // The shanks lean as the balance wants it.
    double low = kShankBack, high = kShankAhead;
    for (int i = 0; i < kLeanHalvings; ++i) {
      a.shank = 0.5 * (low + high);
      Vec2 com;
      shoulder_[std::size_t(k)] = place(body, biped, a, &com);
      (com.x() < rest ? low : high) = a.shank;
    }
  }
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
