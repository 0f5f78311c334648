#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "load/plan.h"
#include "math/random.h"

namespace promenade::load {

/// One way to do a server harm over a connection of its own: bytes that are sent, as fast or as
/// slowly as the attack asks, with or without reading what comes back.
struct Attack {
  const char* name;
  const char* does;  // one line for people
  bool upgrades;     // `opening` is a WebSocket's request, and `next` follows the answer to it
  bool reads;        // else what the server says piles up in its own buffers
  std::chrono::milliseconds pause;  // between two pieces
  int pieces;                       // after which the connection is closed
  /// The first bytes. @param host  for the header of that name
  std::string (*opening)(const Plan& plan, const std::string& host, Random& random);
  /// The piece after the first, the second, ...; empty: nothing more. May be null.
  std::string (*next)(const Plan& plan, int index, Random& random);
};

/// The one of that name; null if there is none.
const Attack* find_attack(std::string_view name);

/// All of them; tests and `promenade load` go through the list.
std::span<const Attack> attacks();

}  // namespace promenade::load
