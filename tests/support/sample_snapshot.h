#pragma once

#include <memory>

#include "math/rotation.h"
#include "world/library/definitions.h"
#include "world/showing/snapshot.h"

namespace promenade::testing {

/// Three characters of two made-up bodies, with every kind of number that is hard to code:
/// negative, zero, large, a rotation by nearly a turn. The same on every machine, for golden files.
inline world::Snapshot sample_snapshot() {
  auto roster = std::make_shared<world::Roster>();
  roster->version = 7;
  roster->epoch = 3;
  roster->scene = "sample";
  std::shared_ptr<const world::CreatureDefinition> definitions[2];
  for (int i = 0; i < 2; ++i) {
    auto body = std::make_shared<Creature>();
    body->name = i == 0 ? "first" : "second";
    auto definition = std::make_shared<world::CreatureDefinition>();
    definition->whole.set_name(body->name);
    definition->encoded = definition->whole.SerializeAsString();
    definition->id = 0xf000'0000'0000'0001u + std::uint64_t(i);
    definition->origin = i == 0 ? world::Origin::kBuiltIn : world::Origin::kEdited;
    definition->body = body;
    roster->bodies.push_back(body);
    definitions[i] = definition;
  }
  roster->entries = {{1, 0, "normal", "#c0ffee", "gbwc", 3, definitions[0]},
                     {2, 1, "sneak", "#00ff80", "gbwc", 3, definitions[1]},
                     {12, 0, "", "", "", 3, definitions[0]}};

  world::Snapshot snapshot;
  snapshot.tick = 123456789;
  snapshot.server_time_us = 9876543210;
  snapshot.real_time_factor = 0.75;
  snapshot.time_scale = 2;
  snapshot.roster = roster;
  snapshot.characters.resize(3);
  snapshot.characters[0].id = 1;
  snapshot.characters[1].id = 2;
  snapshot.characters[1].root.position = Vec3(-12.3456, 7.0004, 0.9);
  snapshot.characters[1].root.rotation = rotation_z(-2.5) * rotation_y(0.125) * rotation_x(-0.0625);
  snapshot.characters[1].flags = world::kFlagLeftStance | world::kFlagLeftContact;
  snapshot.characters[1].first_coordinate = 3;
  snapshot.characters[1].desired_velocity = Vec2(0.5, -0.25);
  snapshot.characters[1].report.com = Vec3(-12.3, 7.01, 0.95);
  snapshot.characters[1].report.phase = 0.5;
  snapshot.characters[2].id = 12;
  snapshot.characters[2].root.position = Vec3(999.9999, -1000, 0.0002);
  snapshot.characters[2].root.rotation = rotation_x(3.1) * rotation_z(1.5);
  snapshot.characters[2].flags = world::kFlagFallen | world::kFlagPushed;
  snapshot.characters[2].first_coordinate = 6;
  snapshot.characters[2].push_point = Vec3(1, 2, 3);
  snapshot.characters[2].push_force = Vec3(300, 0, -50);
  snapshot.coordinates = {0, 0.0009f, -0.0011f, 1.5f, -1.5f, 3.1415927f, -0.25f, 0.126f, 0.128f};
  snapshot.contacts = {{Vec3(-12.4, 7.0, 0), Vec3(1, 2, 300), 1},
                       {Vec3(-12.2, 7.0, 0), Vec3(0, 0, 200), 1},
                       {Vec3(-12.2, 7.1, 0), Vec3(0, 0, 100), 1},
                       {Vec3(-12.25, 7.02, 0), Vec3(0, 0, 100), 1},
                       {Vec3(0, 0, 0.1), Vec3(5, 0, 0), 2}};
  snapshot.characters[2].first_way_point = 2;
  snapshot.way_points = {Vec2(1, 2), Vec2(-3, 4)};
  return snapshot;
}

}  // namespace promenade::testing
