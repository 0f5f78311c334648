#include "stream/details.h"

#include <cmath>

#include "stream/support_polygon.h"

namespace promenade::stream {
namespace {

template <typename Vector, typename Repeated>
void append(const Vector& vector, Repeated* out) {
  for (Eigen::Index i = 0; i < vector.size(); ++i) out->Add(static_cast<float>(vector[i]));
}

}  // namespace

const char* state_name(const world::CharacterSnapshot& character) {
  if (character.flags & world::kFlagAway) return "away";
  if (character.flags & world::kFlagQuarantined) return "quarantined";
  if (character.flags & world::kFlagFallen) return "fallen";
  if (character.flags & world::kFlagLimp) return "limp";
  if (character.flags & world::kFlagHolding) return "holding";
  if (character.flags & world::kFlagStanding) return "standing";
  constexpr double kStill = 1e-3;  // m/s: a slower wish is to stop
  return character.desired_velocity.norm() < kStill ? "stopping" : "walking";
}

v1::CharacterDetails character_details(const world::Snapshot& snapshot, std::size_t index) {
  const world::CharacterSnapshot& character = snapshot.characters[index];
  const control::ControlReport& report = character.report;
  v1::CharacterDetails details;
  details.set_id(character.id);
  append(report.com, details.mutable_com_m());
  append(report.com_velocity, details.mutable_com_velocity_mps());
  append(report.capture_point, details.mutable_capture_point_m());
  append(report.foot_target, details.mutable_foot_target_m());
  for (const Vec3& force : report.foot_force) append(force, details.mutable_foot_force_n());
  details.set_phase(static_cast<float>(report.phase));
  details.set_step_time_s(static_cast<float>(report.step_time));
  details.set_step_length_m(static_cast<float>(report.step_length));
  append(character.desired_velocity, details.mutable_desired_velocity_mps());
  details.set_heading_rad(static_cast<float>(report.heading));
  details.set_desired_heading_rad(static_cast<float>(character.desired_heading));
  details.set_kinetic_energy_j(static_cast<float>(character.kinetic_energy));
  details.set_potential_energy_j(static_cast<float>(character.potential_energy));
  details.set_speed_mps(static_cast<float>(report.mean_velocity.x()));
  if (!character.push_force.isZero()) {
    append(character.push_point, details.mutable_push_n());
    append(character.push_force, details.mutable_push_n());
  }
  details.set_step_width_m(static_cast<float>(character.step_width));
  details.set_asked_step_time_s(static_cast<float>(character.asked_step_time));
  details.set_asked_step_width_m(static_cast<float>(character.asked_step_width));
  details.set_state(state_name(character));
  for (const world::GaitSnapshot& gait : snapshot.gaits) {
    if (gait.id != character.id) continue;
    details.mutable_gait_weights()->Assign(gait.shares.begin(), gait.shares.end());
    details.set_leaps(gait.leaps);
    details.set_feedback_off(gait.feedback_off);
  }

  std::vector<Vec2> carrying;  // points that bear weight
  for (const world::ContactSnapshot& contact : snapshot.contacts) {
    if (contact.character_index != index) continue;
    append(contact.position, details.mutable_contacts_m_n());
    append(contact.force, details.mutable_contacts_m_n());
    if (contact.force.z() > 0) carrying.push_back(contact.position.head<2>());
  }
  for (const Vec2& corner : convex_hull(std::move(carrying))) {
    append(corner, details.mutable_support_polygon_m());
  }
  for (const Vec2& point : snapshot.path_of(index)) {
    v1::Point2* out = details.add_path();
    out->set_x_m(point.x());
    out->set_y_m(point.y());
  }
  return details;
}

std::string encode_details(const world::Snapshot& snapshot,
                           std::span<const world::CharacterId> characters) {
  v1::ServerMessage message;
  v1::Details* details = message.mutable_details();
  details->set_tick(snapshot.tick);
  for (const world::CharacterId id : characters) {
    for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
      if (snapshot.characters[i].id == id)
        *details->add_characters() = character_details(snapshot, i);
    }
  }
  return details->characters().empty() ? std::string() : message.SerializeAsString();
}

}  // namespace promenade::stream
