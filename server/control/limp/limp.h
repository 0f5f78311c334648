#pragma once

#include <memory>

#include "control/goalless.h"
#include "promenade/v1/controller.pb.h"

namespace promenade::control {

/// Slack joints with light damping; it also drives fallen creatures. Its report stays that of the
/// moment in which it was reset.
class Limp final : public Goalless {
 public:
  Limp(std::shared_ptr<const Creature> creature,
       std::shared_ptr<const v1::LimpParameters> parameters)
      : Goalless(std::move(creature)), p_(std::move(parameters)) {}

  void update(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              double dt) override;

 private:
  std::shared_ptr<const v1::LimpParameters> p_;
};

}  // namespace promenade::control
