#include "service/http/state_api.h"

#include <cstdio>

#include "promenade/v1/api.pb.h"
#include "schema/message.h"
#include "stream/details.h"

namespace promenade::service {
namespace {

void append(const Eigen::Ref<const Eigen::VectorXd>& vector,
            google::protobuf::RepeatedField<double>* out) {
  for (Eigen::Index i = 0; i < vector.size(); ++i) out->Add(vector[i]);
}

std::string encode(const RoomHost& room, const world::Snapshot& snapshot) {
  v1::RoomState state;
  state.set_id(room.id());
  state.set_scene(snapshot.roster->scene);
  state.set_tick(snapshot.tick);
  state.set_time_s(static_cast<double>(snapshot.tick) * room.tick_seconds());
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(snapshot.state_hash));
  state.set_state_hash(hash);
  state.set_paused(snapshot.paused);
  state.set_time_scale(snapshot.time_scale);
  state.set_real_time_factor(snapshot.real_time_factor);
  for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
    const world::CharacterSnapshot& character = snapshot.characters[i];
    const world::RosterEntry& entry = snapshot.roster->entries[i];
    v1::CharacterState* out = state.add_characters();
    out->set_id(character.id);
    out->set_body(snapshot.roster->bodies[static_cast<std::size_t>(entry.body)]->name);
    out->set_style(entry.style);
    out->set_controller(entry.controller);
    append(character.root.position, out->mutable_position_m());
    append(character.report.com_velocity, out->mutable_velocity_mps());
    out->set_heading_rad(character.report.heading);
    out->set_state(stream::state_name(character));
    append(character.desired_velocity, out->mutable_desired_velocity_mps());
    out->set_desired_heading_rad(character.desired_heading);
  }
  for (std::size_t i = 0; i < snapshot.things.size(); ++i) {
    const world::ThingSnapshot& thing = snapshot.things[i];
    v1::ThingState* out = state.add_things();
    out->set_id(thing.id);
    const int body = snapshot.roster->things[i].body;
    out->set_thing(snapshot.roster->bodies[static_cast<std::size_t>(body)]->name);
    append(thing.root.position, out->mutable_position_m());
    out->set_asleep(thing.asleep);
  }
  return schema::message_to_json(state, true) + "\n";
}

}  // namespace

net::HttpResponse StateApi::of(const RoomHost& room) const {
  const auto publication = room.current_with_hash();
  net::HttpResponse response;
  response.content_type = "application/json";
  const std::lock_guard lock(mutex_);
  // Rooms that have been closed leave nothing behind.
  std::erase_if(newest_, [](const auto& one) { return one.second.publication.expired(); });
  Encoded& newest = newest_[room.id()];
  if (!newest.json || newest.publication.lock() != publication) {
    newest = {publication, net::make_bytes(encode(room, publication->snapshot()))};
  }
  response.body = *newest.json;
  return response;
}

}  // namespace promenade::service
