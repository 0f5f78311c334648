#pragma once

#include <memory>

#include "control/goalless.h"
#include "promenade/v1/controller.pb.h"

namespace promenade::control {

/// Servos that hold every joint in the rest pose of the creature's file, with the gains of the
/// file. It ignores the goal. A creature that can stand in its rest pose stands, and comes back to
/// the pose after a push that does not tip it over.
class Hold final : public Goalless {
 public:
  Hold(std::shared_ptr<const Creature> creature,
       std::shared_ptr<const v1::HoldParameters> parameters)
      : Goalless(std::move(creature)), p_(std::move(parameters)) {}

  void update(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              double dt) override;

 private:
  std::shared_ptr<const v1::HoldParameters> p_;
};

}  // namespace promenade::control
