#pragma once

#include "promenade/v1/api.pb.h"
#include "stream/scene.h"
#include "world/library/definitions.h"
#include "world/library/library.h"
#include "world/showing/snapshot.h"

namespace promenade::service {

/// The message for viewers about a room's scene.
stream::SceneContent scene_content(const Library& library, const world::Roster& roster);

/// The entry of a definition: its name, title and description, and a body's colour.
v1::CatalogueEntry entry_of(const v1::Style& style);
v1::CatalogueEntry entry_of(const v1::Creature& whole);
/// The same, and whether it is built in or saved.
v1::CatalogueEntry entry_of(const world::StyleDefinition& style);
v1::CatalogueEntry entry_of(const v1::Gait& gait);
v1::CatalogueEntry entry_of(const world::GaitDefinition& gait);
v1::CatalogueEntry entry_of(const world::CreatureDefinition& body);

/// Adds a body that can be spawned, with its id and its default controller.
void add_body(v1::CatalogueEntry entry, const world::CreatureDefinition& body,
              v1::Catalogue* catalogue);
/// The bodies and styles of the library, each list by name.
v1::Catalogue library_catalogue(const Library& library);

/// The scenes that can be loaded.
v1::SceneList scene_list(const Library& library);

}  // namespace promenade::service
