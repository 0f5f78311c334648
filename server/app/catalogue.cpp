#include "app/catalogue.h"

namespace promenade::app {

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

v1::Catalogue library_catalogue(const Library& library) {
  v1::Catalogue out;
  for (const std::string& name : library.styles().names()) {
    const auto style = library.styles().find(name);
    v1::CatalogueEntry* entry = out.add_styles();
    entry->set_name(name);
    entry->set_title(style->title);
    entry->set_description(style->description);
    entry->set_built_in(true);
  }
  for (const std::string& name : library.bodies().names()) {
    const BodyLibrary::Entry& body = *library.bodies().find(name);
    v1::CatalogueEntry* entry = out.add_bodies();
    entry->set_name(name);
    entry->set_title(body.body->title);
    entry->set_description(body.character.description());
    entry->set_color(body.body->color);
    entry->set_built_in(true);
  }
  return out;
}

stream::SceneContent scene_content(const Library& library, const world::Roster& roster) {
  stream::SceneContent content;
  if (const auto scene = library.find_scene(roster.scene)) content.scene = scene->message;
  for (const std::string& name : library.bodies().names()) {
    content.bodies.push_back(library.bodies().find(name)->character);
  }
  for (const std::string& name : library.styles().names()) {
    const auto style = library.styles().find(name);
    v1::StyleInfo info;
    info.set_name(name);
    info.set_title(style->title);
    info.set_description(style->description);
    content.styles.push_back(std::move(info));
  }
  const v1::SceneList scenes = scene_list(library);
  content.scenes.assign(scenes.scenes().begin(), scenes.scenes().end());
  return content;
}

}  // namespace promenade::app
