#pragma once

#include <memory>
#include <span>

#include "control/controller.h"
#include "control/parameters.h"
#include "promenade/v1/controller.pb.h"

namespace promenade::control {

/// Servos that hold every joint in the rest pose of the creature's file, with the gains of the
/// file. It ignores the goal. A creature that can stand in its rest pose stands, and comes back to
/// the pose after a push that does not tip it over.
class Hold final : public Controller {
 public:
  Hold(std::shared_ptr<const Creature> creature,
       std::shared_ptr<const v1::HoldParameters> parameters)
      : creature_(std::move(creature)), p_(std::move(parameters)) {}

  void reset(const physics::ArticulatedBody& body, const Goal& goal) override;
  void update(physics::ArticulatedBody& body, const physics::GroundNow& terrain, const Goal& goal,
              double dt) override;
  void set_creature(std::shared_ptr<const Creature> creature,
                    const physics::ArticulatedBody& state) override;
  const ControlReport& report() const override { return report_; }
  void visit(StateVisitor& state) override { report_.visit(state); }

 private:
  std::shared_ptr<const Creature> creature_;
  std::shared_ptr<const v1::HoldParameters> p_;
  ControlReport report_;
};

std::span<const ParameterRange> hold_ranges();

}  // namespace promenade::control
