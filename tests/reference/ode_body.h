#pragma once

#include <memory>
#include <span>
#include <vector>

#include "physics/articulation.h"

namespace promenade::reference {

/// The same body in maximal coordinates: ODE's rigid bodies held together by ODE's joints, servos
/// as explicit torques. Used to check and to time our own dynamics, never to serve. The ground is
/// the plane z = 0. Joints have no stops and links of one body do not collide.
class OdeBody {
 public:
  enum class Solver {
    kDirect,     // dWorldStep
    kIterative,  // dWorldQuickStep, 20 iterations
  };

  explicit OdeBody(std::shared_ptr<const physics::ArticulationModel> model, double gravity = 9.8);
  ~OdeBody();
  OdeBody(const OdeBody&) = delete;
  OdeBody& operator=(const OdeBody&) = delete;

  /// Puts the links where an ArticulatedBody has them.
  void set_links(std::span<const physics::LinkMotion> links);
  /// [links], entry 0 unused; `applied` is not written.
  std::span<physics::JointDrive> drives() { return drives_; }
  /// Contact as in physics::StepSettings: N/m and N s/m a point.
  void set_contact(double stiffness, double damping, double friction);
  void step(double dt, Solver solver);

  std::vector<physics::LinkMotion> links() const;
  /// Of the ground on the body in the last step, N.
  Vec3 contact_force() const;
  /// The greatest distance between the two halves of a joint, m: what maximal coordinates lose.
  double joint_gap() const;

 private:
  struct World;
  void apply_servos();
  void collide(double dt);

  std::shared_ptr<const physics::ArticulationModel> model_;
  std::unique_ptr<World> world_;
  std::vector<physics::JointDrive> drives_;
  double stiffness_ = 1.2e5, damping_ = 1.5e3, friction_ = 0.8;
};

}  // namespace promenade::reference
