#include "study/trial/gait/clear_span.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace promenade::trial {
namespace {

using physics::Shape;

constexpr float kNothing = std::numeric_limits<float>::infinity();
constexpr double kFar = 1e6;    // m: beyond every body
constexpr double kFull = 1.25;  // of `high`: a height that counts in full

}  // namespace

ClearSpan::ClearSpan(const Creature& creature, double high) : high_(high) {
  const auto& links = creature.model->links;
  std::vector<bool> is_sole(links.size(), false);
  bool walks = false;
  for (const Limb& limb : creature.limbs) {
    if (limb.kind != LimbKind::kLeg) continue;
    walks = true;
    const std::size_t soles = std::min(std::size_t(limb.soles), limb.links.size());
    for (std::size_t i = limb.links.size() - soles; i < limb.links.size(); ++i) {
      is_sole[std::size_t(limb.links[i])] = true;
    }
  }
  for (std::size_t link = 0; link < links.size(); ++link) {
    for (const Shape& shape : links[link].shapes) sample(link, shape, !walks || is_sole[link]);
  }
}

void ClearSpan::sample_line(std::size_t link, const Vec3& from, const Vec3& to, double radius,
                            bool sole) {
  const int parts = std::max(1, int(std::ceil((to - from).norm() / kBin)));
  for (int i = 0; i <= parts; ++i) {
    samples_.push_back({link, from + (to - from) * (double(i) / parts), radius, sole});
  }
}

// Edges of boxes; of all others the line in the middle with the radius round it.
void ClearSpan::sample(std::size_t link, const Shape& shape, bool sole) {
  if (shape.kind == Shape::Kind::kSphere) {
    sample_line(link, shape.a, shape.a, shape.radius, sole);
    return;
  }
  if (shape.kind != Shape::Kind::kBox) {
    sample_line(link, shape.a, shape.b, shape.radius, sole);
    return;
  }
  for (int corner = 0; corner < 8; ++corner) {
    const auto place = [&](int signs) {
      return Vec3(shape.a + Vec3((signs & 1) ? shape.b.x() : -shape.b.x(),
                                 (signs & 2) ? shape.b.y() : -shape.b.y(),
                                 (signs & 4) ? shape.b.z() : -shape.b.z()));
    };
    for (const int axis : {1, 2, 4}) {
      if (!(corner & axis)) sample_line(link, place(corner), place(corner | axis), 0, sole);
    }
  }
}

void ClearSpan::lower(const physics::ArticulatedBody& body) {
  const auto links = body.links();
  for (const Sample& one : samples_) {
    const physics::LinkMotion& link = links[one.link];
    const Vec3 at = link.position + link.rotation * one.at;
    const float height = float(at.z() - one.radius);
    const int low = int(std::floor((at.x() - one.radius) / kBin)) - first_;
    const int high = int(std::floor((at.x() + one.radius) / kBin)) - first_;
    for (int bin = std::max(0, low); bin <= std::min(high, kBins - 1); ++bin) {
      low_[std::size_t(bin)] = std::min(low_[std::size_t(bin)], height);
    }
  }
}

std::pair<int, int> ClearSpan::extent(const physics::ArticulatedBody& body) const {
  double hind = kFar, fore = -kFar;
  for (const Sample& one : samples_) {
    if (!one.sole) continue;
    const physics::LinkMotion& link = body.links()[one.link];
    const double x = (link.position + link.rotation * one.at).x();
    hind = std::min(hind, x - one.radius);
    fore = std::max(fore, x + one.radius);
  }
  const auto bin = [&](double x) {
    return std::clamp(int(std::floor(x / kBin)) - first_, 0, kBins);
  };
  return {bin(hind), bin(fore)};
}

ClearSpan::Span ClearSpan::judged(const physics::ArticulatedBody& body) const {
  const int behind = extent(body).first;
  Span out;
  int begun = -1;
  for (int bin = ahead_; bin < behind; ++bin) {
    const double height = low_[std::size_t(bin)];
    const bool passed = std::isfinite(height);
    if (passed) {
      const double share = std::clamp(height / (kFull * high_), 0.0, 1.0);
      out.worth += kBin * share * share;
    }
    if (!passed || height < high_) {
      begun = -1;
      continue;
    }
    if (begun < 0) begun = bin;
    const double length = kBin * (bin + 1 - begun);
    if (length > out.length()) {
      out.from = kBin * (first_ + begun);
      out.to = out.from + length;
    }
  }
  return out;
}

void ClearSpan::note(const physics::ArticulatedBody& body, bool in_air) {
  if (!in_air) {
    if (!flies_) return;
    flies_ = false;
    lower(body);
    const Span span = judged(body);
    if (span.worth > best_.worth) best_ = span;
    return;
  }
  if (!flies_) {
    flies_ = true;
    first_ = int(std::floor(body.links()[0].position.x() / kBin)) - kBinsBehind;
    low_.fill(kNothing);
    ahead_ = std::min(kBins, extent(body).second + 1);
  }
  lower(body);
}

}  // namespace promenade::trial
