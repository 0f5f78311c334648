#pragma once

#include <string>

#include "promenade/v1/wire.pb.h"

namespace promenade::stream {

/// A ServerMessage with the whole Catalogue.
std::string encode_catalogue(const v1::Catalogue& catalogue);

/// A ServerMessage with the CatalogueChange from one revision to a later one.
/// @pre the lists of both are sorted by name
std::string encode_catalogue_change(const v1::Catalogue& before, const v1::Catalogue& after);

}  // namespace promenade::stream
