#pragma once

#include <string>

#include "promenade/v1/wire.pb.h"

namespace promenade::stream {

/// A ServerMessage with all Visitors.
std::string encode_visitors(const v1::Visitors& visitors);

/// A ServerMessage with the VisitorsChange from one version to a later one.
/// @pre both are sorted by number
std::string encode_visitors_change(const v1::Visitors& before, const v1::Visitors& after);

/// A ServerMessage with an Attention.
std::string encode_attention(const v1::Attention& attention);

/// A ServerMessage with an Act.
std::string encode_act(const v1::Act& act);

}  // namespace promenade::stream
