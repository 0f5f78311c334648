#pragma once

#include <memory>

#include "control/controller.h"

namespace promenade::control {

/// The base of controllers that follow no goal: they remember nothing but their creature, and
/// report where its centre of mass is.
class Goalless : public Controller {
 public:
  explicit Goalless(std::shared_ptr<const Creature> creature) : creature_(std::move(creature)) {}

  void reset(const physics::ArticulatedBody& body, const Goal& goal) override;
  void set_creature(std::shared_ptr<const Creature> creature,
                    const physics::ArticulatedBody&) override {
    creature_ = std::move(creature);
  }
  const ControlReport& report() const override { return report_; }
  void visit(StateVisitor& state) override { report_.visit(state); }

 protected:
  /// Writes centre of mass, its velocity and the heading of the root into the report. The capture
  /// point is under the centre of mass.
  void report_mass_centre(const physics::ArticulatedBody& body);

  std::shared_ptr<const Creature> creature_;
  ControlReport report_;
};

}  // namespace promenade::control
