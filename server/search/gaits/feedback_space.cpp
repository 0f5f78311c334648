#include "search/gaits/feedback_space.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "physics/gravity.h"

namespace promenade::search {
namespace {

using control::posegraph::Feedback;
using control::posegraph::kSenses;
using control::posegraph::Sense;

constexpr double kReach = 0.8;  // rad, of a target for a radian of tilt, or for sqrt(g h) of speed

// Greatest gain of a sense: the same effect on creatures of any size.
double most_of(Sense sense, double height) {
  switch (sense) {
    case Sense::kRoll:
    case Sense::kPitch:
      return kReach;
    case Sense::kSideways:
    case Sense::kForward:
      return kReach / std::sqrt(physics::kGravity * height);
    case Sense::kRollRate:
    case Sense::kPitchRate:
    case Sense::kYawRate:
      break;
  }
  return kReach * std::sqrt(height / physics::kGravity);
}

int legs_of(const Creature& creature) {
  return int(std::count_if(creature.limbs.begin(), creature.limbs.end(),
                           [](const Limb& limb) { return limb.kind == LimbKind::kLeg; }));
}

}  // namespace

FeedbackSpace::FeedbackSpace(std::shared_ptr<const control::posegraph::Gait> gait,
                             std::shared_ptr<const Creature> creature)
    : gait_(std::move(gait)), creature_(std::move(creature)) {
  const bool all = legs_of(*creature_) <= 2;
  const double height = std::max(1e-4, creature_->standing_com_height);
  for (const Feedback::Gain& gain : control::posegraph::free_gains(*creature_)) {
    const auto& links = creature_->limbs[std::size_t(gain.limb)].links;
    if (all || gain.link == links.front()) gains_.push_back(gain);
  }
  const auto mirror = control::posegraph::mirror_of(*creature_);
  for (std::size_t i = 0; i < gains_.size(); ++i) {
    const Feedback::Gain& gain = gains_[i];
    const int other = mirror ? mirror->other[std::size_t(gain.link)] : gain.link;
    if (other != gain.link && creature_->limbs[std::size_t(gain.limb)].name.starts_with("right")) {
      continue;
    }
    const auto twin = std::find_if(gains_.begin(), gains_.end(), [&](const Feedback::Gain& one) {
      return one.link == other && one.coordinate == gain.coordinate && one.bearing == gain.bearing;
    });
    if (twin == gains_.end()) continue;
    for (std::size_t k = 0; k < kSenses; ++k) {
      const Sense sense = Sense(k);
      const bool lateral = control::posegraph::is_lateral(sense);
      if (other == gain.link && lateral) continue;
      const double turned = mirror ? mirror->sign[std::size_t(gain.link)][gain.coordinate] : 1;
      free_.push_back({i, std::size_t(twin - gains_.begin()), k, most_of(sense, height),
                       lateral ? -turned : turned});
    }
  }
}

std::vector<double> FeedbackSpace::values(const Vector& places) const {
  std::vector<double> out;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const double value = free_[i].most * (2 * places[Eigen::Index(i)] - 1);
    out.push_back(std::round(value * 1e5) / 1e5 + 0.0);
  }
  return out;
}

Feedback FeedbackSpace::feedback(const Vector& places) const {
  const std::vector<double> numbers = values(places);
  Feedback out{gains_};
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const Number& number = free_[i];
    out.gains[number.gain].of[number.sense] = numbers[i];
    if (number.mirrored != number.gain) {
      out.gains[number.mirrored].of[number.sense] = number.sign * numbers[i] + 0.0;
    }
  }
  return out;
}

std::shared_ptr<const control::posegraph::Gait> FeedbackSpace::gait(const Vector& places) const {
  auto out = std::make_shared<control::posegraph::Gait>(*gait_);
  out->variants.clear();
  out->feedback = feedback(places);
  return out;
}

v1::Gait FeedbackSpace::message(const Vector& places) const {
  v1::Gait out = gait_->message;
  out.mutable_feedback()->Clear();
  control::posegraph::write_feedback(feedback(places), *creature_, *out.mutable_feedback());
  return out;
}

}  // namespace promenade::search
