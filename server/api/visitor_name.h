#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "world/command/command.h"

// Names by which visitors see each other. They are shown beside other text, so they may hold
// nothing that cannot be seen or that changes how the text around them reads.
namespace promenade::api {

/// The fault in a name that a visitor has chosen; nothing: it can be shown.
/// @param field  of the message, for the error
/// @param name   UTF-8, as protobuf has checked
std::optional<world::CommandError> check_visitor_name(const char* field, std::string_view name);

/// A friendly name, such as "Quiet Heron", that is always the same for a visitor.
/// @param visitor  id
/// @param turn     0, 1, ...: other names for the same visitor, where one is taken
std::string made_up_name(std::string_view visitor, unsigned turn = 0);

}  // namespace promenade::api
