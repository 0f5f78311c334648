#include "service/store/catalogue.h"

#include "control/registry.h"

namespace promenade::service {
namespace {

template <typename Message>
v1::CatalogueEntry described(const Message& message) {
  v1::CatalogueEntry out;
  out.set_name(message.name());
  out.set_title(message.title().empty() ? message.name() : message.title());
  out.set_description(message.description());
  return out;
}

template <typename Definition>
void set_origin(const Definition& definition, v1::CatalogueEntry* out) {
  out->set_built_in(definition.origin == world::Origin::kBuiltIn);
  out->set_version(definition.version);
}

}  // namespace

v1::SceneList scene_list(const Library& library) {
  v1::SceneList list;
  for (const std::string& name : library.scene_names()) {
    const v1::Scene& scene = library.find_scene(name)->message;
    v1::SceneName* out = list.add_scenes();
    out->set_name(name);
    out->set_title(scene.title());
    out->set_description(scene.description());
    out->set_hint(scene.hint());
  }
  return list;
}

v1::CatalogueEntry entry_of(const v1::Style& style) { return described(style); }

v1::CatalogueEntry entry_of(const v1::Creature& whole) {
  v1::CatalogueEntry out = described(whole);
  out.set_color(whole.color());
  return out;
}

v1::CatalogueEntry entry_of(const world::StyleDefinition& style) {
  v1::CatalogueEntry out = entry_of(style.message);
  set_origin(style, &out);
  return out;
}

v1::CatalogueEntry entry_of(const world::CreatureDefinition& body) {
  v1::CatalogueEntry out = entry_of(body.whole);
  out.set_color(body.body->color);  // the built body has a colour even where the message has none
  set_origin(body, &out);
  return out;
}

v1::CatalogueEntry entry_of(const v1::Gait& gait) {
  v1::CatalogueEntry out = described(gait);
  out.set_creature(gait.creature());
  out.set_kind(gait.origin().kind());
  out.set_speed_mps(gait.origin().speed_mps());
  out.set_states(std::uint32_t(gait.states_size()));
  return out;
}

v1::CatalogueEntry entry_of(const world::GaitDefinition& gait) {
  v1::CatalogueEntry out = entry_of(gait.message);
  set_origin(gait, &out);
  return out;
}

void add_body(v1::CatalogueEntry entry, const world::CreatureDefinition& body,
              v1::Catalogue* catalogue) {
  entry.set_body(body.id);
  entry.set_controller(std::string(body.facts.families.front()));
  *catalogue->add_bodies() = std::move(entry);
}

v1::Catalogue library_catalogue(const Library& library) {
  v1::Catalogue out;
  for (const std::string& name : library.styles().names()) {
    *out.add_styles() = entry_of(*library.find_style(name));
  }
  for (const std::string& name : library.gaits().names()) {
    *out.add_gaits() = entry_of(*library.find_gait(name));
  }
  for (const std::string& name : library.bodies().names()) {
    const auto body = library.find_creature(name);
    add_body(entry_of(*body), *body, &out);
  }
  return out;
}

stream::SceneContent scene_content(const Library& library, const world::Roster& roster) {
  stream::SceneContent content;
  if (const auto scene = library.find_scene(roster.scene)) content.scene = scene->message;
  for (const std::string& name : library.styles().names()) {
    const auto style = library.styles().find(name);
    v1::StyleInfo info;
    info.set_name(name);
    info.set_title(style->title);
    info.set_description(style->description);
    content.styles.push_back(std::move(info));
  }
  for (const std::string& name : library.things().names()) {
    const auto thing = library.find_thing(name);
    v1::CatalogueEntry entry = entry_of(*thing);
    entry.set_body(thing->id);
    content.things.push_back(std::move(entry));
  }
  for (const control::Family& family : control::families()) {
    v1::FamilyInfo info;
    info.set_name(std::string(family.name));
    info.set_title(std::string(family.title));
    info.set_description(std::string(family.description));
    info.set_needs(std::string(family.needs));
    info.set_styled(family.styled);
    info.set_walks(family.walks);
    info.set_light(family.light);
    info.set_stands(family.stands);
    info.set_tasks(family.tasks());
    info.set_plays_gaits(family.plays_gaits);
    content.families.push_back(std::move(info));
  }
  content.scene_tick = roster.scene_tick;
  const v1::SceneList scenes = scene_list(library);
  content.scenes.assign(scenes.scenes().begin(), scenes.scenes().end());
  return content;
}

}  // namespace promenade::service
