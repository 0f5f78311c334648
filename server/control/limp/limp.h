#pragma once

#include <memory>
#include <span>

#include "control/controller.h"
#include "control/parameters.h"
#include "promenade/v1/controller.pb.h"

namespace promenade::control {

/// Slack joints with light damping; it also drives fallen creatures. Its report stays that of the
/// moment in which it was reset.
class Limp final : public Controller {
 public:
  Limp(std::shared_ptr<const Creature> creature,
       std::shared_ptr<const v1::LimpParameters> parameters)
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
  std::shared_ptr<const v1::LimpParameters> p_;
  ControlReport report_;
};

std::span<const ParameterRange> limp_ranges();

}  // namespace promenade::control
