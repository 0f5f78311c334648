#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <variant>

#include "world/command/command_codec.h"

namespace promenade::fuzz {

/// What holds for whatever the decoders answer: an error says what is allowed, and an accepted
/// command has finite numbers, so that its message decodes to the same message again. Aborts
/// otherwise.
inline void expect_sound(const std::variant<world::Command, world::CommandError>& result) {
  if (const auto* error = std::get_if<world::CommandError>(&result)) {
    if (!error->message.empty() || !error->allowed.empty()) return;
    std::fprintf(stderr, "an error says nothing; field \"%s\"\n", error->field.c_str());
    std::abort();
  }
  const v1::Command message = world::command_to_proto(std::get<world::Command>(result));
  const auto again = world::command_from_proto(message);
  const auto* command = std::get_if<world::Command>(&again);
  // Bytes, not MessageDifferencer: also tells -0 from 0.
  if (command != nullptr &&
      world::command_to_proto(*command).SerializeAsString() == message.SerializeAsString()) {
    return;
  }
  std::fprintf(stderr, "an accepted command changes on its way: %s\n",
               message.ShortDebugString().c_str());
  std::abort();
}

}  // namespace promenade::fuzz
