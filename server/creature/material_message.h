#pragma once

#include <string>

#include "physics/material.h"
#include "promenade/v1/creature.pb.h"
#include "schema/check.h"

namespace promenade {

/// Checks that every number of a material is within its range. @param key  before the names of the
/// numbers in errors: "material."
void check_material(schema::Checker* check, const std::string& key, const v1::Material& message);
/// The material of a message. Absent numbers mean: friction 0.8, no restitution, rigid.
physics::Material build_material(const v1::Material& message);

}  // namespace promenade
