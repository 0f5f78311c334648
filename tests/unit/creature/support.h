#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "creature/creature_builder.h"
#include "promenade/v1/creature.pb.h"
#include "schema/message.h"
#include "support/paths.h"

namespace promenade::test {

inline std::filesystem::path characters_dir() { return test::data_dir() / "creatures"; }

/// The shipped human with the lines of its file.
inline schema::Loaded<v1::Creature> human() {
  auto loaded = schema::load_message<v1::Creature>(characters_dir() / "human.json");
  if (!loaded) {
    ADD_FAILURE() << loaded.error().text();
    return {};
  }
  return *std::move(loaded);
}

inline v1::Link* find_link(v1::Creature* character, const std::string& name) {
  for (v1::Link& link : *character->mutable_links()) {
    if (link.name() == name) return &link;
  }
  ADD_FAILURE() << "no link " << name;
  return nullptr;
}

/// The joint whose child is that link.
inline v1::Joint* joint_to(v1::Creature* character, const std::string& child) {
  for (v1::Joint& joint : *character->mutable_joints()) {
    if (joint.child() == child) return &joint;
  }
  ADD_FAILURE() << "no joint to " << child;
  return nullptr;
}

}  // namespace promenade::test
