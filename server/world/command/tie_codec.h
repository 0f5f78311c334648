#pragma once

#include <string>

#include "promenade/v1/creature.pb.h"
#include "world/command/checker.h"
#include "world/command/command.h"

namespace promenade::world {

/// Whether the kind turns or moves along AddTie::axis.
bool has_axis(TieType kind);
/// Checks that a tie has a body at one end at least and does not tie a link to itself.
/// @param prefix  of the fields `a` and `b`
void check_anchors(const std::string& prefix, const Anchor& a, const Anchor& b,
                   CommandChecker& check);
/// A tie of a command or of a scene, or of a body's own.
/// @param path   below the checker's prefix; may be empty
/// @param reach  m, of points on links
AddTie parse_tie(const std::string& path, const v1::Tie& message, CommandChecker& check,
                 double reach = kMaxPushPoint);

}  // namespace promenade::world
